import { z } from 'zod';

/**
 * Parts of webhook payloads that are read; everything else is dropped unseen. Ids and hints only. A hook's custom
 * template can reshape a payload, so nothing is taken for granted.
 * Source: GitLab documentation, "Webhook events" (merge request events, comment events).
 */

const Id = z.int().min(1);

const User = z.object({ id: Id, username: z.string().min(1).max(255) }).nullish();

export const ProjectPart = z.object({ id: Id, path_with_namespace: z.string().min(1).max(1000) });

const LastCommit = z.object({ id: z.string().max(64) }).nullish();
const Time = z.string().max(60).nullish();

const Change = z.object({ previous: z.unknown().optional(), current: z.unknown().optional() }).nullish();

export const Kind = z.object({ object_kind: z.string().max(100) });

export const MergeRequestPayload = z.object({
  user: User,
  project: ProjectPart,
  object_attributes: z.object({
    iid: Id,
    /** Absent when the event comes from the hook's own "Test" button. */
    action: z.string().max(60).nullish(),
    state: z.string().max(40),
    draft: z.boolean().nullish(),
    work_in_progress: z.boolean().nullish(),
    target_branch: z.string().max(1000),
    target_project_id: Id,
    last_commit: LastCommit,
    /** The head before a push; only present when the code changed. */
    oldrev: z.string().max(64).nullish(),
    updated_at: Time,
  }),
  changes: z.object({ draft: Change, target_branch: Change, reviewers: Change }).nullish(),
});

export const NotePayload = z.object({
  event_type: z.string().max(60).nullish(),
  user: User,
  project: ProjectPart,
  object_attributes: z.object({
    id: Id,
    note: z.string().nullish(),
    noteable_type: z.string().max(60),
    /** Absent before GitLab 16.11, where only new notes are told of. */
    action: z.string().max(60).nullish(),
    discussion_id: z.string().max(100).nullish(),
    /** `DiffNote` on code, `DiscussionNote` in a general thread, null outside threads. */
    type: z.string().max(60).nullish(),
    system: z.boolean().nullish(),
    internal: z.boolean().nullish(),
    confidential: z.boolean().nullish(),
    updated_at: Time,
  }),
  merge_request: z
    .object({
      iid: Id,
      state: z.string().max(40).nullish(),
      draft: z.boolean().nullish(),
      target_branch: z.string().max(1000).nullish(),
      target_project_id: Id,
    })
    .nullish(),
});

export type UserPart = z.output<typeof User>;
export type ProjectPart = z.output<typeof ProjectPart>;
export type MergeRequestPayload = z.output<typeof MergeRequestPayload>;
export type NotePayload = z.output<typeof NotePayload>;

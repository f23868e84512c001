import { z } from 'zod';

/** Parts of GitHub's webhook payloads that are read; everything else is dropped unseen. Ids and hints only. */

export const RepositoryPart = z.object({
  id: z.number(),
  full_name: z.string().min(1).max(300),
});

const SenderPart = z.object({
  id: z.number(),
  login: z.string().max(200),
  type: z.string().optional(),
});

const AppPart = z.object({ id: z.number() });

const PullPart = z.object({
  number: z.int().min(1),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  head: z.object({ sha: z.string().max(64) }),
  base: z.object({ ref: z.string().max(1000) }),
});

/** A comment or review. `user` is null for deleted accounts; the text is matched once and not kept. */
const TextPart = z.object({
  id: z.number(),
  body: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  submitted_at: z.string().nullish(),
  in_reply_to_id: z.number().nullish(),
  performed_via_github_app: AppPart.nullish(),
});

const base = {
  action: z.string().max(100),
  repository: RepositoryPart,
  sender: SenderPart.nullish(),
};

export const PullRequestPayload = z.object({
  ...base,
  pull_request: PullPart,
  changes: z.object({ base: z.unknown().optional() }).nullish(),
  requested_reviewer: SenderPart.nullish(),
});

export const IssueCommentPayload = z.object({
  ...base,
  issue: z.object({
    number: z.int().min(1),
    state: z.string().optional(),
    draft: z.boolean().nullish(),
    /** Present only when the issue is a pull request. */
    pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
  }),
  comment: TextPart,
});

/** In comment and review events the pull request is a shorter object; older ones lack `draft` and `merged`. */
export const ReviewCommentPayload = z.object({ ...base, pull_request: PullPart, comment: TextPart });

export const ReviewPayload = z.object({ ...base, pull_request: PullPart, review: TextPart });

export type PullPart = z.output<typeof PullPart>;
export type TextPart = z.output<typeof TextPart>;
export type SenderPart = z.output<typeof SenderPart>;
export type PullRequestPayload = z.output<typeof PullRequestPayload>;

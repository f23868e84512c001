import { z } from 'zod';

/**
 * Parts of service hook payloads that are read; everything else is dropped unseen. Ids and hints only.
 * Source: Azure DevOps documentation, "Service hooks events".
 */

const Guid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/)
  .transform((value) => value.toLowerCase());

export const RepositoryPart = z.object({
  id: Guid,
  name: z.string().min(1).max(260),
  project: z.object({ name: z.string().min(1).max(260) }),
});

const Identity = z.object({
  id: z.string().max(100),
  uniqueName: z.string().max(400).nullish(),
  displayName: z.string().max(400).nullish(),
  descriptor: z.string().max(400).nullish(),
});

export const PullPart = z.object({
  pullRequestId: z.int().min(1),
  status: z.string().max(40),
  isDraft: z.boolean().nullish(),
  targetRefName: z.string().max(1000),
  createdBy: Identity.nullish(),
  lastMergeSourceCommit: z.object({ commitId: z.string().max(64) }).nullish(),
  repository: RepositoryPart,
});

/** Present in every delivery; the first two name it. */
export const Envelope = z.object({
  subscriptionId: z.string().max(100).nullish(),
  notificationId: z.number().nullish(),
  eventType: z.string().max(200),
  resourceVersion: z.string().max(20).nullish(),
  createdDate: z.string().max(60).nullish(),
  resource: z.unknown().optional(),
});

/** Version 2.0 of the comment event; 1.0 has neither pull request nor links, so that the thread stays unknown. */
export const CommentResource = z.object({
  comment: z
    .object({
      id: z.int().min(1),
      parentCommentId: z.int().nullish(),
      author: Identity.nullish(),
      content: z.string().nullish(),
      commentType: z.string().max(40),
      isDeleted: z.boolean().nullish(),
      lastContentUpdatedDate: z.string().max(60).nullish(),
      _links: z.object({ threads: z.object({ href: z.string().max(2000) }) }),
    })
    // The thread's number is nowhere else; the address is only read, never opened.
    .transform(({ _links: links, ...comment }) => ({ ...comment, threadAddress: links.threads.href })),
  pullRequest: PullPart,
});

export type Envelope = z.output<typeof Envelope>;
export type PullPart = z.output<typeof PullPart>;
export type CommentPart = z.output<typeof CommentResource>['comment'];
export type IdentityPart = z.output<typeof Identity>;

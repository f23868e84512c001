import { z } from 'zod';
import type { LoggedWrite } from '../../http/write-log.ts';
import type { SimPull } from '../state/model.ts';
import { reviewCommentsOf } from '../state/comments.ts';
import type { WebhookEvent } from './payloads.ts';

const Details = z.looseObject({
  repository: z.string(),
  number: z.number(),
  commentId: z.number().optional(),
  reviewId: z.number().optional(),
  threadId: z.string().optional(),
  before: z.string().optional(),
});

const PULL_ACTIONS: Readonly<Record<string, string>> = {
  'pull_request.opened': 'opened',
  'pull_request.closed': 'closed',
  'pull_request.reopened': 'reopened',
  'pull_request.drafted': 'converted_to_draft',
  'pull_request.readied': 'ready_for_review',
  'pull_request.edited': 'edited',
  'pull_request.retargeted': 'edited',
  'pull_request.pushed': 'synchronize',
};

/** The events that a write sets off, as GitHub sends them: a review also sends one for each of its comments. */
export function eventsOfWrite(
  write: LoggedWrite,
  findPull: (number: number, repository: string) => SimPull,
): WebhookEvent[] {
  const parsed = Details.safeParse(write.details);
  if (!parsed.success) return [];
  const { repository, number, commentId, reviewId, threadId, before } = parsed.data;
  const base = { repository, number, sender: write.actor };
  const action = PULL_ACTIONS[write.kind];
  if (action !== undefined) {
    return [{ ...base, event: 'pull_request', action, ...(before === undefined ? {} : { before }) }];
  }
  const comment = (id: number): WebhookEvent => ({
    ...base,
    event: 'pull_request_review_comment',
    action: 'created',
    commentId: id,
  });
  switch (write.kind) {
    case 'review.created':
    case 'review.submitted': {
      if (reviewId === undefined) return [];
      const comments = reviewCommentsOf(findPull(number, repository)).filter(
        (candidate) => candidate.review.id === reviewId,
      );
      return [
        { ...base, event: 'pull_request_review', action: 'submitted', reviewId },
        ...comments.map(({ id }) => comment(id)),
      ];
    }
    case 'comment.created':
    case 'comment.replied':
      return commentId === undefined ? [] : [comment(commentId)];
    case 'issue_comment.created':
      return commentId === undefined
        ? []
        : [{ ...base, event: 'issue_comment', action: 'created', commentId }];
    case 'thread.resolved':
    case 'thread.unresolved':
      return threadId === undefined
        ? []
        : [
            {
              ...base,
              event: 'pull_request_review_thread',
              action: write.kind === 'thread.resolved' ? 'resolved' : 'unresolved',
              threadId,
            },
          ];
    default:
      return [];
  }
}

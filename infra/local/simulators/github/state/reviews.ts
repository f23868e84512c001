import type { Actor } from '../access/viewer.ts';
import type { SimAnchor, SimPull, SimReview } from './model.ts';
import type { ReviewEvent } from './new-review.ts';
import { STATE_OF_EVENT, addReview, commitOfPull, findPendingReview } from './new-review.ts';
import { Refusal } from './refusal.ts';
import type { NewThread } from './threads.ts';
import { addThread, removeComment, resolveThread } from './threads.ts';
import type { WriteContext, Writer } from './write-context.ts';
import { checkLength, record } from './write-context.ts';

function checkEvent(pull: SimPull, viewer: Actor, event: ReviewEvent | undefined, body: string): void {
  const isOwn = pull.author === viewer.user;
  if (event === 'APPROVE' && isOwn) throw new Refusal('own_approval');
  if (event === 'REQUEST_CHANGES' && isOwn) throw new Refusal('own_change_request');
  if ((event === 'REQUEST_CHANGES' || event === 'COMMENT') && body.trim() === '') {
    throw new Refusal('review_body_blank');
  }
}

/**
 * One review with its comments: all or nothing. Without an event it stays pending.
 * @throws Refusal
 */
export async function createReview(
  context: WriteContext,
  pull: SimPull,
  writer: Writer,
  input: {
    readonly commitId: string | undefined;
    readonly body: string;
    readonly event: ReviewEvent | undefined;
    readonly threads: readonly NewThread[];
  },
): Promise<SimReview> {
  checkLength(context.state, input.body);
  checkEvent(pull, writer.viewer, input.event, input.body);
  const commitId = await commitOfPull(pull, input.commitId);
  const threads: { anchor: SimAnchor; body: string }[] = [];
  for (const thread of input.threads) threads.push(await resolveThread(context, pull, commitId, thread));
  // Nothing below waits: two requests at once cannot both pass this check.
  if (findPendingReview(pull, writer.viewer) !== undefined) throw new Refusal('one_pending_review');
  const review = addReview(context, pull, writer, { body: input.body, commitId, event: input.event });
  for (const thread of threads) addThread(context, review, writer, thread);
  record(context, writer, input.event === undefined ? 'review.drafted' : 'review.created', pull, {
    reviewId: review.id,
    state: review.state,
    comments: threads.length,
  });
  return review;
}

/** @throws Refusal */
export function submitReview(
  context: WriteContext,
  review: SimReview,
  writer: Writer,
  input: { readonly event: ReviewEvent; readonly body: string | undefined },
): void {
  if (review.state !== 'PENDING') throw new Refusal('review_not_pending');
  const body = input.body ?? review.body;
  checkLength(context.state, body);
  checkEvent(review.pull, writer.viewer, input.event, body);
  review.body = body;
  review.state = STATE_OF_EVENT[input.event];
  review.submittedAt = context.state.now();
  review.updatedAt = context.state.now();
  record(context, writer, 'review.submitted', review.pull, { reviewId: review.id, state: review.state });
}

/** Removes a pending review and all that was drafted in it. @throws Refusal */
export function deletePendingReview(context: WriteContext, review: SimReview, writer: Writer): void {
  if (review.state !== 'PENDING') throw new Refusal('review_not_pending');
  const { pull } = review;
  for (const thread of pull.threads.slice()) {
    for (const comment of thread.comments.slice()) {
      if (comment.review === review) removeComment(comment);
    }
  }
  pull.reviews.splice(pull.reviews.indexOf(review), 1);
  record(context, writer, 'review.deleted', pull, { reviewId: review.id });
}

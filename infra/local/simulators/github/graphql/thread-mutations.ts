import { isPermitted } from '../access/viewer.ts';
import { ANCHOR_PROBLEMS } from '../state/anchors.ts';
import type { SimReview } from '../state/model.ts';
import { addReview, findPendingReview } from '../state/new-review.ts';
import { Refusal } from '../state/refusal.ts';
import { createReply, createThread } from '../state/threads.ts';
import { record } from '../state/write-context.ts';
import { TypedGraphqlError } from './errors.ts';
import type { DraftThread } from './review-mutations.ts';
import { newThread } from './review-mutations.ts';
import { commentNode, threadNode } from './review-nodes.ts';
import type { Scope } from './scope.ts';
import { requireKind, requireWrite } from './scope.ts';

interface AddThread extends DraftThread {
  readonly pullRequestId?: string | null;
  readonly pullRequestReviewId?: string | null;
  readonly subjectType?: 'LINE' | 'FILE' | null;
}

/** Refusals about the anchor may also be answered with `thread: null` and no error. */
const ANCHOR_REASONS: readonly string[] = ANCHOR_PROBLEMS;

/** Mutations on threads. */
export function threadMutations(scope: Scope) {
  const { context, writer } = scope;
  /** A review to draft in. Of pending reviews the viewer sees only their own. */
  function requirePending(id: string): SimReview {
    const review = requireKind(scope, 'review', id);
    if (review.state !== 'PENDING') throw new Refusal('review_not_pending');
    return review;
  }
  function setResolved(id: string, isResolved: boolean) {
    requireWrite(scope);
    const thread = requireKind(scope, 'thread', id);
    const needsPush = context.options.resolveNeedsContents === true;
    if (needsPush && !isPermitted(scope.viewer, 'contents', 'write')) {
      throw new TypedGraphqlError('FORBIDDEN', 'Resource not accessible by integration');
    }
    thread.isResolved = isResolved;
    thread.resolvedBy = isResolved ? scope.viewer.user : undefined;
    record(context, writer, isResolved ? 'thread.resolved' : 'thread.unresolved', thread.pull, {
      threadId: thread.nodeId,
    });
    return { thread: threadNode(thread, scope) };
  }
  return {
    /** Always drafts: into the given review, the viewer's pending one, or a new pending one. */
    async addPullRequestReviewThread(input: AddThread) {
      requireWrite(scope);
      const given =
        typeof input.pullRequestReviewId === 'string' ? requirePending(input.pullRequestReviewId) : undefined;
      const pull = given?.pull ?? requireKind(scope, 'pull', input.pullRequestId ?? '');
      const known = given ?? findPendingReview(pull, scope.viewer);
      const review =
        known ?? addReview(context, pull, writer, { body: '', commitId: pull.headSha, event: undefined });
      try {
        const thread = await createThread(context, pull, writer, {
          ...newThread(input),
          subjectType: input.subjectType === 'FILE' ? 'file' : 'line',
          review,
        });
        return { thread: threadNode(thread, scope) };
      } catch (error) {
        if (known === undefined) pull.reviews.splice(pull.reviews.indexOf(review), 1);
        const isAnchor = error instanceof Refusal && ANCHOR_REASONS.includes(error.reason);
        if (isAnchor && context.options.unanchoredThreads === 'null') return { thread: null };
        throw error;
      }
    },
    addPullRequestReviewThreadReply(input: {
      readonly pullRequestReviewThreadId: string;
      readonly pullRequestReviewId?: string | null;
      readonly body: string;
    }) {
      requireWrite(scope);
      const thread = requireKind(scope, 'thread', input.pullRequestReviewThreadId);
      const pending =
        typeof input.pullRequestReviewId === 'string'
          ? requirePending(input.pullRequestReviewId)
          : findPendingReview(thread.pull, scope.viewer);
      return { comment: commentNode(createReply(context, thread, writer, input.body, pending), scope) };
    },
    resolveReviewThread: (input: { readonly threadId: string }) => setResolved(input.threadId, true),
    unresolveReviewThread: (input: { readonly threadId: string }) => setResolved(input.threadId, false),
  };
}

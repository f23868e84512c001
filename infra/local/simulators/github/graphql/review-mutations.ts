import { addReaction, editComment, editReview, deleteReviewComment } from '../state/comments.ts';
import type { DiffSide, SimReview } from '../state/model.ts';
import type { ReviewEvent } from '../state/new-review.ts';
import { findPendingReview } from '../state/new-review.ts';
import { Refusal } from '../state/refusal.ts';
import { createReview, deletePendingReview, submitReview } from '../state/reviews.ts';
import type { NewThread } from '../state/threads.ts';
import { REACTION_NAMES, reactionGroups } from './account-nodes.ts';
import { TypedGraphqlError } from './errors.ts';
import { issueCommentNode, pullNode } from './pull-nodes.ts';
import { commentNode, reviewNode } from './review-nodes.ts';
import type { Scope } from './scope.ts';
import { missingNode, requireKind, requireNode, requireWrite } from './scope.ts';

export interface DraftThread {
  readonly path: string;
  readonly body: string;
  readonly line?: number | null;
  readonly side?: DiffSide | null;
  readonly startLine?: number | null;
  readonly startSide?: DiffSide | null;
}

export function newThread(draft: DraftThread): NewThread {
  return {
    path: draft.path,
    body: draft.body,
    line: draft.line ?? undefined,
    side: draft.side ?? undefined,
    startLine: draft.startLine ?? undefined,
    startSide: draft.startSide ?? undefined,
  };
}

interface AddReview {
  readonly pullRequestId: string;
  readonly commitOID?: string | null;
  readonly body?: string | null;
  readonly event?: ReviewEvent | 'DISMISS' | null;
  readonly threads?: readonly (DraftThread | null)[] | null;
  readonly comments?: readonly ({ path: string; position: number; body: string } | null)[] | null;
}

function eventOf(event: ReviewEvent | 'DISMISS' | null | undefined): ReviewEvent | undefined {
  if (event === 'DISMISS') {
    throw new TypedGraphqlError('UNPROCESSABLE', 'A review can not be submitted as dismissed');
  }
  return event ?? undefined;
}

/** Mutations on reviews and on single comments; `input` was checked against the schema. */
export function reviewMutations(scope: Scope) {
  const { context, writer } = scope;
  function findReview(input: {
    readonly pullRequestReviewId?: string | null;
    readonly pullRequestId?: string | null;
  }): SimReview {
    if (typeof input.pullRequestReviewId === 'string') {
      return requireKind(scope, 'review', input.pullRequestReviewId);
    }
    const id = input.pullRequestId ?? '';
    const pending = findPendingReview(requireKind(scope, 'pull', id), scope.viewer);
    if (pending === undefined) throw missingNode(id);
    return pending;
  }
  return {
    async addPullRequestReview(input: AddReview) {
      requireWrite(scope);
      const pull = requireKind(scope, 'pull', input.pullRequestId);
      const threads = [
        ...(input.threads ?? []).flatMap((thread) => (thread === null ? [] : [newThread(thread)])),
        ...(input.comments ?? []).flatMap((comment) => (comment === null ? [] : [comment])),
      ];
      const review = await createReview(context, pull, writer, {
        commitId: input.commitOID ?? undefined,
        body: input.body ?? '',
        event: eventOf(input.event),
        threads,
      });
      return {
        pullRequestReview: reviewNode(review, scope),
        reviewEdge: { cursor: review.nodeId, node: reviewNode(review, scope) },
      };
    },
    submitPullRequestReview(input: {
      readonly pullRequestId?: string | null;
      readonly pullRequestReviewId?: string | null;
      readonly event: ReviewEvent | 'DISMISS';
      readonly body?: string | null;
    }) {
      requireWrite(scope);
      const review = findReview(input);
      const event = eventOf(input.event) ?? 'COMMENT';
      submitReview(context, review, writer, { event, body: input.body ?? undefined });
      return { pullRequestReview: reviewNode(review, scope) };
    },
    updatePullRequestReview(input: { readonly pullRequestReviewId: string; readonly body: string }) {
      requireWrite(scope);
      const review = requireKind(scope, 'review', input.pullRequestReviewId);
      editReview(context, review, writer, input.body);
      return { pullRequestReview: reviewNode(review, scope) };
    },
    deletePullRequestReview(input: { readonly pullRequestReviewId: string }) {
      requireWrite(scope);
      const review = requireKind(scope, 'review', input.pullRequestReviewId);
      const node = reviewNode(review, scope);
      deletePendingReview(context, review, writer);
      return { pullRequestReview: node };
    },
    updatePullRequestReviewComment(input: {
      readonly pullRequestReviewCommentId: string;
      readonly body: string;
    }) {
      requireWrite(scope);
      const comment = requireKind(scope, 'review-comment', input.pullRequestReviewCommentId);
      editComment(context, comment, comment.thread.pull, writer, input.body);
      return { pullRequestReviewComment: commentNode(comment, scope) };
    },
    deletePullRequestReviewComment(input: { readonly id: string }) {
      requireWrite(scope);
      const comment = requireKind(scope, 'review-comment', input.id);
      const node = commentNode(comment, scope);
      deleteReviewComment(context, comment, writer);
      return { pullRequestReviewComment: node, pullRequestReview: reviewNode(comment.review, scope) };
    },
    minimizeComment(input: { readonly subjectId: string; readonly classifier: string }) {
      requireWrite(scope);
      const node = requireNode(scope, input.subjectId);
      if (node.kind !== 'review-comment' && node.kind !== 'issue-comment') {
        throw missingNode(input.subjectId);
      }
      if (node.value.author !== scope.viewer.user) throw new Refusal('not_permitted');
      node.value.minimized = input.classifier;
      return {
        minimizedComment:
          node.kind === 'review-comment'
            ? commentNode(node.value, scope)
            : issueCommentNode(node.value, scope),
      };
    },
    addReaction(input: { readonly subjectId: string; readonly content: string }) {
      requireWrite(scope);
      const node = requireNode(scope, input.subjectId);
      const content = REACTION_NAMES[input.content];
      if (content === undefined || node.kind === 'thread' || node.kind === 'review') {
        throw missingNode(input.subjectId);
      }
      const pull =
        node.kind === 'review-comment'
          ? node.value.thread.pull
          : node.kind === 'pull'
            ? node.value
            : node.value.pull;
      const { reaction } = addReaction(context, node.value.reactions, pull, writer, content);
      return {
        reaction: {
          __typename: 'Reaction',
          id: reaction.nodeId,
          databaseId: reaction.id,
          content: input.content,
          createdAt: new Date(reaction.createdAt).toISOString(),
        },
        reactionGroups: reactionGroups(node.value.reactions, scope),
        subject:
          node.kind === 'review-comment'
            ? commentNode(node.value, scope)
            : node.kind === 'issue-comment'
              ? issueCommentNode(node.value, scope)
              : pullNode(node.value, scope),
      };
    },
  };
}

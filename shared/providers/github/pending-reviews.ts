import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { NewThread, PendingReviewWriter, PendingWrite, SubmitReviewAction } from '../write-ports.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';
import {
  ADD_THREAD_MUTATION,
  CREATE_REVIEW_MUTATION,
  DELETE_COMMENT_MUTATION,
  DISCARD_REVIEW_MUTATION,
  EDIT_COMMENT_MUTATION,
  PENDING_NODE_QUERY,
  PENDING_REVIEW_QUERY,
  SUBMIT_REVIEW_MUTATION,
} from './pending-documents.ts';
import { listPendingComments } from './pending-comments.ts';

const PendingAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({
      id: z.string(),
      reviews: z.object({
        nodes: z.array(
          z
            .object({
              id: z.string(),
              body: z.string(),
              viewerDidAuthor: z.boolean(),
              commit: z.object({ oid: z.string() }).nullable(),
            })
            .nullable(),
        ),
      }),
    }),
  }),
});

const Written = z.object({ id: z.string(), state: z.string() });
const WrittenAnswer = z.object({ done: z.object({ written: Written.nullable() }).nullable() });
const ThreadWrittenAnswer = z.object({
  done: z
    .object({ written: z.object({ comments: z.object({ nodes: z.array(Written.nullable()) }) }).nullable() })
    .nullable(),
});
const SubmittedAnswer = z.object({
  done: z
    .object({
      written: z
        .object({
          fullDatabaseId: z.union([z.string(), z.number()]).transform(String),
          url: z.string(),
          state: z.string(),
        })
        .nullable(),
    })
    .nullable(),
});
const NodeAnswer = z.object({
  node: z
    .object({
      reviewState: z.string().optional(),
      commentState: z.string().optional(),
      viewerDidAuthor: z.boolean().optional(),
      pullRequest: z
        .object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })
        .optional(),
    })
    .nullable(),
});

const EVENTS: Readonly<Record<SubmitReviewAction, string>> = {
  comment: 'COMMENT',
  approve: 'APPROVE',
  request_changes: 'REQUEST_CHANGES',
};

/**
 * Reviews that only we see until they are submitted. Over GraphQL: REST can neither add to a pending review nor
 * reach its comments. Ids are GraphQL node ids. Every id is first checked to name a pending item of ours on this
 * pull request, so that a draft of a person can never be changed or submitted.
 */
export function createPendingReviewWriter(client: GitHubClient): PendingReviewWriter {
  return {
    async findPendingReview(ref) {
      const session = await client.forRepository(ref);
      const { reviews } = (await readPending(session, ref)).repository.pullRequest;
      const own = reviews.nodes.find((review) => review?.viewerDidAuthor === true);
      if (own === undefined || own === null) return undefined;
      return {
        reviewId: own.id,
        commit: own.commit?.oid ?? '',
        body: own.body,
        comments: await listPendingComments(session, ref.number),
      };
    },

    async createPendingReview(ref, review, signal) {
      const session = await client.forRepository(ref);
      const { id: pullRequestId } = (await readPending(session, ref)).repository.pullRequest;
      try {
        const variables = { pullRequestId, commit: review.commit, body: review.body };
        const answer = await session.mutate(CREATE_REVIEW_MUTATION, variables, WrittenAnswer, signal);
        return toPendingWrite(answer.done?.written);
      } catch (error) {
        throw isPendingConflict(error) ? pendingExists() : error;
      }
    },

    async addPendingComment(ref, reviewId, thread, signal) {
      const session = await client.forRepository(ref);
      await requireOwnPending(session, ref, reviewId);
      const input = { pullRequestReviewId: reviewId, ...toGraphqlThread(thread) };
      const answer = await session.mutate(
        ADD_THREAD_MUTATION,
        { thread: input },
        ThreadWrittenAnswer,
        signal,
      );
      // A place outside the diff is answered with `thread: null` and no error.
      return toPendingWrite(answer.done?.written?.comments.nodes[0]);
    },

    async editPendingComment(ref, commentId, body, signal) {
      const session = await client.forRepository(ref);
      await requireOwnPending(session, ref, commentId);
      const answer = await session.mutate(EDIT_COMMENT_MUTATION, { commentId, body }, WrittenAnswer, signal);
      return toPendingWrite(answer.done?.written);
    },

    async deletePendingComment(ref, commentId, signal) {
      const session = await client.forRepository(ref);
      await requireOwnPending(session, ref, commentId);
      await session.mutate(DELETE_COMMENT_MUTATION, { commentId }, z.unknown(), signal);
    },

    async submitPendingReview(ref, reviewId, action, body, signal) {
      const session = await client.forRepository(ref);
      await requireOwnPending(session, ref, reviewId);
      const variables = { reviewId, event: EVENTS[action], body };
      const answer = await session.mutate(SUBMIT_REVIEW_MUTATION, variables, SubmittedAnswer, signal);
      const submitted = answer.done?.written;
      if (submitted === undefined || submitted === null) throw refused();
      return { reviewId: submitted.fullDatabaseId, url: submitted.url };
    },

    async discardPendingReview(ref, reviewId, signal) {
      const session = await client.forRepository(ref);
      await requireOwnPending(session, ref, reviewId);
      await session.mutate(DISCARD_REVIEW_MUTATION, { reviewId }, z.unknown(), signal);
    },
  };
}

function readPending(session: RepositorySession, ref: PullRequestRef) {
  const { owner, name: repo } = session.names;
  return session.query(PENDING_REVIEW_QUERY, { owner, repo, number: ref.number }, PendingAnswer);
}

async function requireOwnPending(session: RepositorySession, ref: PullRequestRef, id: string): Promise<void> {
  const { node } = await session.query(PENDING_NODE_QUERY, { id }, NodeAnswer);
  const isHere =
    node?.pullRequest?.number === ref.number &&
    node.pullRequest.repository.nameWithOwner === session.names.fullName;
  const isPending = (node?.reviewState ?? node?.commentState) === 'PENDING';
  if (!isHere || node.viewerDidAuthor !== true || !isPending) throw draftMissing(ref, id);
}

function toGraphqlThread(thread: NewThread): Record<string, unknown> {
  if (thread.kind === 'file') return { path: thread.path, body: thread.body, subjectType: 'FILE' };
  const { path, body, line, startLine, side } = thread.comment;
  const diffSide = side === 'old' ? 'LEFT' : 'RIGHT';
  const isRange = startLine !== undefined && startLine < line;
  return { path, body, line, side: diffSide, ...(isRange ? { startLine, startSide: diffSide } : {}) };
}

function toPendingWrite(written: z.output<typeof Written> | null | undefined): PendingWrite {
  if (written === undefined || written === null) throw refused();
  return { id: written.id, isPending: written.state === 'PENDING' };
}

function isPendingConflict(error: unknown): boolean {
  return error instanceof AppError && error.details?.['reason'] === 'pending_review_exists';
}

function pendingExists(): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'pending_review_exists',
    message: 'Our account has a pending review on this pull request already; submit or discard it first.',
    details: { reason: 'pending_review_exists' },
  });
}

function refused(): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'provider_refused',
    message: 'GitHub answered without writing anything; the place may not be part of the diff.',
  });
}

function draftMissing(ref: PullRequestRef, id: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `There is no such pending item of ours on pull request ${ref.number}; it may have been submitted.`,
    details: { number: ref.number, id },
  });
}

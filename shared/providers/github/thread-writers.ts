import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { NewThread, ReplyWriter, ThreadResolver, ThreadWriter } from '../write-ports.ts';
import { toRestComment } from './batch-reviews.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';
import {
  NEWEST_THREADS_QUERY,
  RESOLVE_MUTATION,
  THREAD_QUERY,
  UNRESOLVE_MUTATION,
} from './thread-documents.ts';

const PostedCommentAnswer = z.object({ id: z.number(), html_url: z.string() });

const CommentId = z.object({ fullDatabaseId: z.union([z.string(), z.number()]).transform(String) });

const NewestThreads = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        nodes: z.array(
          z
            .object({ id: z.string(), comments: z.object({ nodes: z.array(CommentId.nullable()) }) })
            .nullable(),
        ),
      }),
    }),
  }),
});

const ThreadAnswer = z.object({
  node: z
    .object({
      isResolved: z.boolean().optional(),
      pullRequest: z
        .object({ number: z.number(), repository: z.object({ nameWithOwner: z.string() }) })
        .optional(),
      comments: z.object({ nodes: z.array(CommentId.nullable()) }).optional(),
    })
    .nullable(),
});

const ResolvedAnswer = z.object({
  changed: z.object({ thread: z.object({ isResolved: z.boolean() }).nullable() }).nullable(),
});

const COMMENTS_PATH = '/repos/{owner}/{repo}/pulls/{number}/comments';

/**
 * Single threads go over REST, where a comment is visible at once: the GraphQL mutation for it always drafts, into
 * a pending review that it makes for the purpose.
 */
export function createThreadWriter(client: GitHubClient): ThreadWriter {
  return {
    async createThread(ref, thread, signal) {
      const session = await client.forRepository(ref);
      const posted = await session.write(
        `POST ${COMMENTS_PATH}`,
        { number: ref.number, commit_id: thread.commit, ...toRestThread(thread) },
        PostedCommentAnswer,
        signal,
      );
      const threadId = await findThreadId(session, ref, String(posted.id));
      return {
        commentId: String(posted.id),
        url: posted.html_url,
        ...(threadId === undefined ? {} : { threadId }),
      };
    },
  };
}

function toRestThread(thread: NewThread): Record<string, string | number> {
  return thread.kind === 'file'
    ? { path: thread.path, body: thread.body, subject_type: 'file' }
    : toRestComment(thread.comment);
}

/** REST does not name the thread of a new comment. Not finding it changes nothing about what was posted. */
async function findThreadId(
  session: RepositorySession,
  ref: PullRequestRef,
  commentId: string,
): Promise<string | undefined> {
  const { owner, name: repo } = session.names;
  try {
    const answer = await session.query(
      NEWEST_THREADS_QUERY,
      { owner, repo, number: ref.number },
      NewestThreads,
    );
    const threads = answer.repository.pullRequest.reviewThreads.nodes;
    return threads.find((thread) =>
      thread?.comments.nodes.some((comment) => comment?.fullDatabaseId === commentId),
    )?.id;
  } catch {
    return undefined;
  }
}

/** Replies go over REST too: with a pending review of ours the GraphQL mutation would draft them unseen. */
export function createReplyWriter(client: GitHubClient): ReplyWriter {
  return {
    async reply(ref, threadId, body, signal) {
      const session = await client.forRepository(ref);
      const thread = await readThread(session, ref, threadId);
      const first = thread.comments?.nodes[0]?.fullDatabaseId;
      if (first === undefined) throw threadMissing(ref, threadId);
      const posted = await session.write(
        `POST ${COMMENTS_PATH}`,
        { number: ref.number, body, in_reply_to: Number(first) },
        PostedCommentAnswer,
        signal,
      );
      return { commentId: String(posted.id), threadId, url: posted.html_url };
    },
  };
}

export function createThreadResolver(client: GitHubClient): ThreadResolver {
  return {
    async setResolved(ref, threadId, resolved, signal) {
      const session = await client.forRepository(ref);
      const thread = await readThread(session, ref, threadId);
      if (thread.isResolved === resolved) return;
      const document = resolved ? RESOLVE_MUTATION : UNRESOLVE_MUTATION;
      const answer = await session.mutate(document, { threadId }, ResolvedAnswer, signal);
      if (answer.changed?.thread?.isResolved !== resolved) throw notChanged(threadId);
    },
  };
}

/** Thread ids reach beyond one pull request, and so can a token: what the id names must be of this one. */
async function readThread(session: RepositorySession, ref: PullRequestRef, threadId: string) {
  const { node } = await session.query(THREAD_QUERY, { threadId }, ThreadAnswer);
  const isOurs =
    node?.pullRequest?.number === ref.number &&
    node.pullRequest.repository.nameWithOwner === session.names.fullName;
  if (node === null || !isOurs) throw threadMissing(ref, threadId);
  return node;
}

function threadMissing(ref: PullRequestRef, threadId: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `There is no such thread on pull request ${ref.number}; list the threads again.`,
    details: { threadId, number: ref.number },
  });
}

function notChanged(threadId: string): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'provider_refused',
    message: 'GitHub answered without changing the thread; it may not be changed by us.',
    details: { threadId },
  });
}

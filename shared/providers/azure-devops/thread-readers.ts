import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { CommentReader, ThreadReader } from '../ports.ts';
import type { CommentRef } from '../write-ports.ts';
import type { AzureDevOpsClient, RepositorySession } from './azure-devops-client.ts';
import { isNotFound } from './azure-errors.ts';
import { parseCommentRef } from './comment-ids.ts';
import { latestOf, listIterations } from './iterations.ts';
import type { Comment } from './thread-schemas.ts';
import {
  Thread,
  Threads,
  isSystemThread,
  pathOf,
  toComment,
  toThread,
  visibleComments,
} from './thread-schemas.ts';

/** Threads on files, with the places they have in the latest iteration. The listing is one answer without pages. */
export function createThreadReader(client: AzureDevOpsClient): ThreadReader {
  return {
    async listThreads(ref) {
      const session = await client.forRepository(ref);
      const iteration = latestOf(await listIterations(session, ref.number), ref.number);
      const threads = await listThreads(session, ref, iteration.id);
      return threads
        .filter((thread) => pathOf(thread) !== undefined)
        .map((thread) => toThread(session, ref.number, thread))
        .filter((thread) => thread.comments.length > 0);
    },
  };
}

export function createCommentReader(client: AzureDevOpsClient): CommentReader {
  return {
    async getComment(ref, comment) {
      const session = await client.forRepository(ref);
      const found = await findComment(session, ref, comment);
      return found === undefined ? undefined : toComment(session, ref.number, found.thread, found.comment);
    },
    async listGeneralComments(ref) {
      const session = await client.forRepository(ref);
      const threads = await listThreads(session, ref, undefined);
      return threads
        .filter((thread) => pathOf(thread) === undefined)
        .flatMap((thread) =>
          visibleComments(thread).map((comment) => toComment(session, ref.number, thread, comment)),
        )
        .toSorted((one, other) => one.createdAt - other.createdAt);
    },
  };
}

async function listThreads(
  session: RepositorySession,
  ref: PullRequestRef,
  iteration: number | undefined,
): Promise<Thread[]> {
  const query = { $iteration: iteration };
  const { value } = await session.get(`/pullRequests/${ref.number}/threads`, query, Threads);
  return value.filter((thread) => thread.isDeleted !== true && !isSystemThread(thread));
}

/** Undefined when the pull request has no such thread. */
export async function findThread(
  session: RepositorySession,
  ref: PullRequestRef,
  threadId: number,
): Promise<Thread | undefined> {
  try {
    return await session.get(`/pullRequests/${ref.number}/threads/${threadId}`, {}, Thread);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Undefined when it was deleted or is none of this pull request. */
export async function findComment(
  session: RepositorySession,
  ref: PullRequestRef,
  comment: CommentRef,
): Promise<{ readonly thread: Thread; readonly comment: Comment } | undefined> {
  const place = parseCommentRef(comment);
  if (place === undefined) return undefined;
  const thread = await findThread(session, ref, place.threadId);
  const found =
    thread === undefined ? undefined : visibleComments(thread).find(({ id }) => id === place.commentId);
  return thread === undefined || found === undefined ? undefined : { thread, comment: found };
}

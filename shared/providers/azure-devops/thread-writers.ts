import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type {
  CommentEditor,
  CommentRef,
  GeneralCommentWriter,
  PostedComment,
  ReactionWriter,
  ReplyWriter,
  ThreadResolver,
  ThreadWriter,
} from '../write-ports.ts';
import type { AzureDevOpsClient, RepositorySession } from './azure-devops-client.ts';
import { isNotFound } from './azure-errors.ts';
import { formatCommentId, parseCommentRef, parseThreadId } from './comment-ids.ts';
import type { ChangesCache } from './iterations.ts';
import { KEY_PROPERTY, placeMarker } from './marker-lines.ts';
import type { ThreadPosition } from './thread-positions.ts';
import { positionOf } from './thread-positions.ts';
import { findComment, findThread } from './thread-readers.ts';
import { isResolved } from './thread-schemas.ts';

const PostedThread = z.object({ id: z.int(), comments: z.array(z.object({ id: z.int() })).min(1) });
const Posted = z.object({ id: z.int() });

/** Every thread is visible at once: there are no drafts. */
export function createThreadWriter(client: AzureDevOpsClient, changes: ChangesCache): ThreadWriter {
  return {
    async createThread(ref, thread, signal) {
      const session = await client.forRepository(ref);
      const position = await positionOf(changes, session, ref.number, thread);
      const body = thread.kind === 'file' ? thread.body : thread.comment.body;
      return postThread(session, ref, body, 'active', position, signal);
    },
  };
}

/** Closed from the start: an active thread can keep a pull request from being completed. */
export function createGeneralCommentWriter(client: AzureDevOpsClient): GeneralCommentWriter {
  return {
    async createGeneralComment(ref, body, signal) {
      return postThread(await client.forRepository(ref), ref, body, 'closed', undefined, signal);
    },
  };
}

async function postThread(
  session: RepositorySession,
  ref: PullRequestRef,
  body: string,
  status: 'active' | 'closed',
  position: ThreadPosition | undefined,
  signal: AbortSignal | undefined,
): Promise<PostedComment> {
  const { content, marker } = placeMarker(body);
  const posted = await session.write(
    'POST',
    `/pullRequests/${ref.number}/threads`,
    {
      comments: [{ parentCommentId: 0, content, commentType: 'text' }],
      status,
      ...position,
      ...(marker === undefined
        ? {}
        : { properties: { [KEY_PROPERTY]: { $type: 'System.String', $value: marker } } }),
    },
    PostedThread,
    signal,
  );
  return toPosted(session, ref, posted.id, posted.comments[0]?.id ?? 1);
}

export function createReplyWriter(client: AzureDevOpsClient): ReplyWriter {
  return {
    async reply(ref, threadId, body, signal) {
      const session = await client.forRepository(ref);
      const thread = await readThread(session, ref, threadId);
      const posted = await session.write(
        'POST',
        `/pullRequests/${ref.number}/threads/${thread.id}/comments`,
        {
          content: placeMarker(body).content,
          parentCommentId: thread.comments?.[0]?.id ?? 0,
          commentType: 'text',
        },
        Posted,
        signal,
      );
      return toPosted(session, ref, thread.id, posted.id);
    },
  };
}

export function createThreadResolver(client: AzureDevOpsClient): ThreadResolver {
  return {
    async setResolved(ref, threadId, resolved, signal) {
      const session = await client.forRepository(ref);
      const thread = await readThread(session, ref, threadId);
      if (isResolved(thread) === resolved) return;
      const path = `/pullRequests/${ref.number}/threads/${thread.id}`;
      await session.write('PATCH', path, { status: resolved ? 'fixed' : 'active' }, Posted, signal);
    },
  };
}

export function createCommentEditor(client: AzureDevOpsClient): CommentEditor {
  return {
    async editComment(ref, comment, body, signal) {
      const session = await client.forRepository(ref);
      const path = await pathOfComment(session, ref, comment);
      if (path === undefined) throw commentMissing(ref, comment);
      await session.write('PATCH', path, { content: placeMarker(body).content }, Posted, signal);
    },
    async deleteComment(ref, comment, signal) {
      const session = await client.forRepository(ref);
      const path = await pathOfComment(session, ref, comment);
      if (path === undefined) return;
      try {
        await session.send('DELETE', path, signal);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

/** Azure DevOps knows likes alone, of comments. A second like of one account changes nothing. */
export function createReactionWriter(client: AzureDevOpsClient): ReactionWriter {
  return {
    supported: ['thumbs_up'],
    async addReaction(ref, target, reaction, signal) {
      const place = target === 'pull-request' ? undefined : parseCommentRef(target);
      if (place === undefined || reaction !== 'thumbs_up') throw reactionUnsupported();
      const session = await client.forRepository(ref);
      const { threadId, commentId } = place;
      const path = `/pullRequests/${ref.number}/threads/${threadId}/comments/${commentId}/likes`;
      await session.send('POST', path, signal);
    },
  };
}

async function pathOfComment(
  session: RepositorySession,
  ref: PullRequestRef,
  comment: CommentRef,
): Promise<string | undefined> {
  const found = await findComment(session, ref, comment);
  return found === undefined
    ? undefined
    : `/pullRequests/${ref.number}/threads/${found.thread.id}/comments/${found.comment.id}`;
}

async function readThread(session: RepositorySession, ref: PullRequestRef, threadId: string) {
  const id = parseThreadId(threadId);
  const thread = id === undefined ? undefined : await findThread(session, ref, id);
  if (thread !== undefined) return thread;
  throw new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `There is no such thread on pull request ${ref.number}; list the threads again.`,
    details: { threadId, number: ref.number },
  });
}

function toPosted(
  session: RepositorySession,
  ref: PullRequestRef,
  threadId: number,
  commentId: number,
): PostedComment {
  return {
    commentId: formatCommentId({ threadId, commentId }),
    threadId: String(threadId),
    url: session.webUrlOf(ref.number, threadId),
  };
}

function commentMissing(ref: PullRequestRef, comment: CommentRef): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `There is no such comment on pull request ${ref.number}; it may have been deleted.`,
    details: { number: ref.number, commentId: comment.id },
  });
}

function reactionUnsupported(): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'reaction_unsupported',
    message: 'Azure DevOps has no reaction but thumbs_up, and none on a pull request itself.',
  });
}

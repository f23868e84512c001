import { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type {
  CommentEditor,
  CommentRef,
  GeneralCommentWriter,
  PostedComment,
  Reaction,
  ReactionWriter,
  ReplyWriter,
  ThreadResolver,
  ThreadWriter,
} from '../write-ports.ts';
import type { Discussion } from './discussions.ts';
import { findDiscussion, isResolved } from './discussions.ts';
import type { GitLabClient, ProjectSession } from './gitlab-client.ts';
import { pullPath } from './gitlab-client.ts';
import { isNotFound } from './gitlab-errors.ts';
import { positionOf } from './positions.ts';
import type { DiffReader } from './versions.ts';

const Posted = z.object({ id: z.int() });
const PostedDiscussion = z.object({ id: z.string().min(1), notes: z.array(Posted).min(1) });

/** Every discussion is visible at once. */
export function createThreadWriter(client: GitLabClient, diffs: DiffReader): ThreadWriter {
  return {
    async createThread(ref, thread, signal) {
      const session = await client.forProject(ref.repositoryId);
      const position = await positionOf(diffs, session, ref, thread);
      const body = thread.kind === 'file' ? thread.body : thread.comment.body;
      const post = (at: typeof position) =>
        session.write(
          'POST',
          `${pullPath(ref)}/discussions`,
          { body, position: at },
          PostedDiscussion,
          signal,
        );
      const { line_range: range, ...lastLine } = position;
      try {
        const posted = await post(position);
        return toPosted(session, ref, posted.notes[0]?.id, posted.id);
      } catch (error) {
        // Refused is not created. Versions differ in the numbers of a range, never in those of one line.
        if (range === undefined || !isAppError(error, 'rejected')) throw error;
        const posted = await post(lastLine);
        return toPosted(session, ref, posted.notes[0]?.id, posted.id);
      }
    },
  };
}

/** A note outside discussions: one that could be resolved may keep a merge request from being merged. */
export function createGeneralCommentWriter(client: GitLabClient): GeneralCommentWriter {
  return {
    async createGeneralComment(ref, body, signal) {
      const session = await client.forProject(ref.repositoryId);
      const posted = await session.write('POST', `${pullPath(ref)}/notes`, { body }, Posted, signal);
      return toPosted(session, ref, posted.id);
    },
  };
}

export function createReplyWriter(client: GitLabClient): ReplyWriter {
  return {
    async reply(ref, threadId, body, signal) {
      const session = await client.forProject(ref.repositoryId);
      const { id } = await readDiscussion(session, ref, threadId);
      const path = `${pullPath(ref)}/discussions/${id}/notes`;
      const posted = await session.write('POST', path, { body }, Posted, signal);
      return toPosted(session, ref, posted.id, id);
    },
  };
}

export function createThreadResolver(client: GitLabClient): ThreadResolver {
  return {
    async setResolved(ref, threadId, resolved, signal) {
      const session = await client.forProject(ref.repositoryId);
      const discussion = await readDiscussion(session, ref, threadId);
      if (!discussion.notes.some((note) => note.resolvable === true)) throw notResolvable();
      if (isResolved(discussion) === resolved) return;
      await session.send('PUT', `${pullPath(ref)}/discussions/${discussion.id}`, { resolved }, signal);
    },
  };
}

export function createCommentEditor(client: GitLabClient): CommentEditor {
  return {
    async editComment(ref, comment, body, signal) {
      const session = await client.forProject(ref.repositoryId);
      await session.write('PUT', notePath(ref, comment), { body }, Posted, signal);
    },
    async deleteComment(ref, comment, signal) {
      const session = await client.forProject(ref.repositoryId);
      try {
        await session.send('DELETE', notePath(ref, comment), undefined, signal);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

const EMOJI: Readonly<Record<Reaction, string>> = {
  thumbs_up: 'thumbsup',
  thumbs_down: 'thumbsdown',
  eyes: 'eyes',
  rocket: 'rocket',
  heart: 'heart',
  confused: 'confused',
};

export function createReactionWriter(client: GitLabClient): ReactionWriter {
  return {
    supported: ['thumbs_up', 'thumbs_down', 'eyes', 'rocket', 'heart', 'confused'],
    async addReaction(ref, target, reaction, signal) {
      const session = await client.forProject(ref.repositoryId);
      const base = target === 'pull-request' ? pullPath(ref) : notePath(ref, target);
      try {
        await session.send('POST', `${base}/award_emoji`, { name: EMOJI[reaction] }, signal);
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    },
  };
}

/** A second one of the same user is answered with 404 and these words. */
function isTaken(error: unknown): boolean {
  return isAppError(error) && /has already been taken/.test(String(error.details?.['said'] ?? ''));
}

function notePath(ref: PullRequestRef, comment: CommentRef): string {
  if (!/^\d{1,15}$/.test(comment.id)) throw missing(ref, 'comment');
  return `${pullPath(ref)}/notes/${comment.id}`;
}

/** Internal discussions count as absent: an answer could be read by those who may not see the question. */
async function readDiscussion(
  session: ProjectSession,
  ref: PullRequestRef,
  threadId: string,
): Promise<Discussion> {
  const found = await findDiscussion(session, ref, threadId);
  if (found === undefined) throw missing(ref, 'thread');
  return found;
}

function toPosted(
  session: ProjectSession,
  ref: PullRequestRef,
  noteId: number | undefined,
  threadId?: string,
): PostedComment {
  return {
    commentId: String(noteId),
    ...(threadId === undefined ? {} : { threadId }),
    url: session.webUrlOf(ref.number, noteId),
  };
}

function missing(ref: PullRequestRef, what: 'comment' | 'thread'): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `There is no such ${what} on merge request ${ref.number}; list them again.`,
    details: { number: ref.number },
  });
}

function notResolvable(): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'thread_not_resolvable',
    message: 'This comment stands outside discussions and cannot be resolved.',
  });
}

import { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { CommentReader, ProviderThreadComment } from '../ports.ts';
import type { CommentEditor, CommentRef, GeneralCommentWriter } from '../write-ports.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';
import { User, toAccount } from './schemas.ts';

/** A comment as REST shows it, on code or on the pull request; the addresses say which pull request it is on. */
const Comment = z.object({
  id: z.number(),
  user: User,
  body: z.string().nullish(),
  created_at: z.string(),
  updated_at: z.string().optional(),
  html_url: z.string(),
  pull_request_url: z.string().optional(),
  issue_url: z.string().optional(),
});

type Comment = z.output<typeof Comment>;

const PATHS: Readonly<Record<CommentRef['kind'], string>> = {
  review: '/repos/{owner}/{repo}/pulls/comments/{id}',
  general: '/repos/{owner}/{repo}/issues/comments/{id}',
};
const GENERAL_PATH = '/repos/{owner}/{repo}/issues/{number}/comments';

export function createCommentReader(client: GitHubClient): CommentReader {
  return {
    async getComment(ref, comment) {
      const found = await findComment(await client.forRepository(ref), ref, comment);
      return found === undefined ? undefined : toComment(found);
    },
    async listGeneralComments(ref) {
      const session = await client.forRepository(ref);
      return (await session.list(GENERAL_PATH, { number: ref.number }, Comment)).map(toComment);
    },
  };
}

export function createGeneralCommentWriter(client: GitHubClient): GeneralCommentWriter {
  return {
    async createGeneralComment(ref, body, signal) {
      const session = await client.forRepository(ref);
      const posted = await session.write(
        `POST ${GENERAL_PATH}`,
        { number: ref.number, body },
        Comment,
        signal,
      );
      return { commentId: String(posted.id), url: posted.html_url };
    },
  };
}

/** Comment ids count through the whole repository, so each is first checked to stand on this pull request. */
export function createCommentEditor(client: GitHubClient): CommentEditor {
  return {
    async editComment(ref, comment, body, signal) {
      const session = await client.forRepository(ref);
      const found = await findComment(session, ref, comment);
      if (found === undefined) throw commentMissing(ref, comment);
      await session.write(`PATCH ${PATHS[comment.kind]}`, { id: found.id, body }, Comment, signal);
    },
    async deleteComment(ref, comment, signal) {
      const session = await client.forRepository(ref);
      const found = await findComment(session, ref, comment);
      if (found === undefined) return;
      try {
        await session.write(`DELETE ${PATHS[comment.kind]}`, { id: found.id }, z.unknown(), signal);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

async function findComment(
  session: RepositorySession,
  ref: PullRequestRef,
  comment: CommentRef,
): Promise<Comment | undefined> {
  try {
    const found = await session.get(PATHS[comment.kind], { id: comment.id }, Comment);
    const place = found.pull_request_url ?? found.issue_url ?? '';
    return /\/(?:pulls|issues)\/(\d+)$/.exec(place)?.[1] === String(ref.number) ? found : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function commentMissing(ref: PullRequestRef, comment: CommentRef): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `There is no such comment on pull request ${ref.number}; it may have been deleted.`,
    details: { number: ref.number, commentId: comment.id },
  });
}

export function isNotFound(error: unknown): boolean {
  return isAppError(error, 'permanent') && error.code === 'not_found';
}

function toComment(comment: Comment): ProviderThreadComment {
  const isEdited = comment.updated_at !== undefined && comment.updated_at !== comment.created_at;
  return {
    id: String(comment.id),
    author: toAccount(comment.user),
    body: comment.body ?? '',
    createdAt: Date.parse(comment.created_at),
    url: comment.html_url,
    ...(isEdited ? { editedAt: Date.parse(comment.updated_at ?? '') } : {}),
  };
}

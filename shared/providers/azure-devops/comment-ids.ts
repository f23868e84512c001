import type { CommentRef } from '../write-ports.ts';

/** Where a comment stands: comment ids start again at 1 in every thread. */
export interface CommentPlace {
  readonly threadId: number;
  readonly commentId: number;
}

/** `<thread>-<comment>`: unique within the pull request. */
export function formatCommentId({ threadId, commentId }: CommentPlace): string {
  return `${threadId}-${commentId}`;
}

/** Reads a comment's own id, or a bare number together with `threadId`; undefined when it names no comment. */
export function parseCommentRef(comment: Pick<CommentRef, 'id' | 'threadId'>): CommentPlace | undefined {
  const match = /^(?:(\d{1,15})-)?(\d{1,15})$/.exec(comment.id);
  const threadId = parseThreadId(match?.[1] ?? comment.threadId ?? '');
  const commentId = Number(match?.[2] ?? 0);
  return threadId === undefined || commentId === 0 ? undefined : { threadId, commentId };
}

export function parseThreadId(threadId: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(threadId) ? Number(threadId) : undefined;
}

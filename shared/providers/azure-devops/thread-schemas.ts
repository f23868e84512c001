import { z } from 'zod';
import type { ProviderThread, ProviderThreadComment } from '../ports.ts';
import type { RepositorySession } from './azure-devops-client.ts';
import { formatCommentId } from './comment-ids.ts';
import { Identity, toAccount } from './identities.ts';
import { KEY_PROPERTY, readBody } from './marker-lines.ts';

const Position = z.object({ line: z.int(), offset: z.int().nullish() }).nullish();

export const Comment = z.object({
  id: z.int(),
  parentCommentId: z.int().nullish(),
  author: Identity,
  content: z.string().nullish(),
  publishedDate: z.string().nullish(),
  lastContentUpdatedDate: z.string().nullish(),
  isDeleted: z.boolean().nullish(),
  commentType: z.string().nullish(),
  usersLiked: z.array(z.unknown()).nullish(),
});
export type Comment = z.output<typeof Comment>;

export const Thread = z.object({
  id: z.int(),
  status: z.string().nullish(),
  isDeleted: z.boolean().nullish(),
  comments: z.array(Comment).nullish(),
  threadContext: z
    .object({
      filePath: z.string().nullish(),
      leftFileStart: Position,
      leftFileEnd: Position,
      rightFileStart: Position,
      rightFileEnd: Position,
    })
    .nullish(),
  pullRequestThreadContext: z
    .object({
      trackingCriteria: z.object({ origLeftFileStart: Position, origRightFileStart: Position }).nullish(),
    })
    .nullish(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});
export type Thread = z.output<typeof Thread>;

export const Threads = z.object({ value: z.array(Thread) });

const RESOLVED: ReadonlySet<string> = new Set(['fixed', 'wontFix', 'closed', 'byDesign']);

export function isResolved(thread: Pick<Thread, 'status'>): boolean {
  return RESOLVED.has(thread.status ?? '');
}

/** Votes, pushes and the like are threads of the system. */
export function isSystemThread(thread: Thread): boolean {
  const comments = thread.comments ?? [];
  return (
    thread.properties?.['CodeReviewThreadType'] !== undefined ||
    (comments.length > 0 && comments.every((comment) => comment.commentType === 'system'))
  );
}

/** Comments that people see; deleted ones are still listed, without their text. */
export function visibleComments(thread: Thread): Comment[] {
  return (thread.comments ?? []).filter(
    (comment) => comment.isDeleted !== true && (comment.commentType ?? 'text') === 'text',
  );
}

/** Path without its slash; undefined for threads on the pull request itself. */
export function pathOf(thread: Thread): string | undefined {
  const path = thread.threadContext?.filePath ?? '';
  return path === '' ? undefined : path.replace(/^\//, '');
}

export function toThread(session: RepositorySession, number: number, thread: Thread): ProviderThread {
  const path = pathOf(thread);
  return {
    id: String(thread.id),
    isResolved: isResolved(thread),
    isOutdated: isOutdated(thread),
    comments: visibleComments(thread).map((comment) => toComment(session, number, thread, comment)),
    url: session.webUrlOf(number, thread.id),
    ...(path === undefined ? {} : { path }),
    ...placeOf(thread),
  };
}

/** `id` is unique within the pull request; see formatCommentId. */
export function toComment(
  session: RepositorySession,
  number: number,
  thread: Thread,
  comment: Comment,
): ProviderThreadComment {
  const createdAt = Date.parse(comment.publishedDate ?? '') || 0;
  const editedAt = Date.parse(comment.lastContentUpdatedDate ?? '') || 0;
  const likes = comment.usersLiked?.length ?? 0;
  const isOpening = comment.id === thread.comments?.[0]?.id;
  return {
    id: formatCommentId({ threadId: thread.id, commentId: comment.id }),
    author: toAccount(comment.author),
    body: readBody(comment.content ?? '', isOpening ? keyOf(thread) : undefined),
    createdAt,
    url: session.webUrlOf(number, thread.id),
    ...(editedAt > createdAt ? { editedAt } : {}),
    ...(likes === 0 ? {} : { reactions: [{ name: 'thumbs_up', count: likes }] }),
  };
}

/** Properties come as `{$type, $value}`. */
function keyOf(thread: Thread): string | undefined {
  const property = thread.properties?.[KEY_PROPERTY];
  const value: unknown =
    typeof property === 'object' && property !== null ? Reflect.get(property, '$value') : property;
  return typeof value === 'string' ? value : undefined;
}

/** Where it stands now; nothing for whole files and for threads whose lines are gone. */
function placeOf(thread: Thread): Pick<ProviderThread, 'line' | 'startLine' | 'side'> {
  const { leftFileStart, leftFileEnd, rightFileStart, rightFileEnd } = thread.threadContext ?? {};
  const isOld = (rightFileStart ?? undefined) === undefined;
  const start = isOld ? leftFileStart : rightFileStart;
  const end = (isOld ? leftFileEnd : rightFileEnd) ?? start;
  if (start === null || start === undefined || end === null || end === undefined) return {};
  return {
    line: end.line,
    side: isOld ? 'old' : 'new',
    ...(start.line < end.line ? { startLine: start.line } : {}),
  };
}

/** It was posted on lines and stands on none any more. */
function isOutdated(thread: Thread): boolean {
  const criteria = thread.pullRequestThreadContext?.trackingCriteria;
  const stoodOnLines =
    (criteria?.origLeftFileStart ?? criteria?.origRightFileStart ?? undefined) !== undefined;
  return stoodOnLines && placeOf(thread).line === undefined;
}

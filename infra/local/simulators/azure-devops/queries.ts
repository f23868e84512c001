import type { SimPull, SimStatus } from './state.ts';
import { latestIteration } from './state.ts';
import { pullUrl } from './render.ts';
import { isBroken, isOrphaned, placeOf } from './tracking.ts';

/** A comment on a file as it was posted. */
export interface PostedComment {
  readonly threadId: number;
  readonly id: number;
  readonly path: string;
  /** As posted; null for a comment on a whole file. */
  readonly line: number | null;
  readonly startLine: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly body: string;
  /** `ghost` for a deleted account. */
  readonly author: string;
  readonly url: string;
  readonly inReplyTo: number | null;
  readonly isResolved: boolean;
  readonly status: string;
  /** Where it stands at the latest iteration; null when its line is gone. */
  readonly currentLine: number | null;
  /** Its path is none of the pull request's files: nobody sees it among them. */
  readonly isOrphaned: boolean;
  /** Its position is one that the web page cannot show. */
  readonly isBroken: boolean;
  readonly likes: readonly string[];
}

export interface PostedGeneralComment {
  readonly threadId: number;
  readonly id: number;
  readonly body: string;
  readonly author: string;
  readonly status: string;
  readonly url: string;
}

/** The end state, for tests and the demo; without system threads and deleted comments. */
export interface PostedQueries {
  comments(number: number, repository?: string): Promise<PostedComment[]>;
  /** Comments on the pull request itself. */
  generalComments(number: number, repository?: string): PostedGeneralComment[];
  statuses(number: number, repository?: string): readonly SimStatus[];
}

export function createQueries(
  findPull: (number: number, repository?: string) => SimPull,
  base: () => string,
): PostedQueries {
  return {
    async comments(number, repository) {
      const pull = findPull(number, repository);
      const posted = await Promise.all(pull.threads.map((thread) => describe(pull, thread, base())));
      return posted.flat();
    },
    generalComments(number, repository) {
      const pull = findPull(number, repository);
      return pull.threads
        .filter((thread) => thread.context === undefined)
        .flatMap((thread) =>
          thread.comments
            .filter((comment) => !comment.isDeleted && comment.commentType === 'text')
            .map((comment) => ({
              threadId: thread.id,
              id: comment.id,
              body: comment.content,
              author: comment.author?.displayName ?? 'ghost',
              status: thread.status,
              url: `${pullUrl(pull, base())}?discussionId=${thread.id}`,
            })),
        );
    },
    statuses: (number, repository) => findPull(number, repository).statuses,
  };
}

async function describe(
  pull: SimPull,
  thread: SimPull['threads'][number],
  base: string,
): Promise<PostedComment[]> {
  const { context } = thread;
  if (context === undefined) return [];
  const start = context.rightFileStart ?? context.leftFileStart;
  const end = context.rightFileEnd ?? context.leftFileEnd;
  const now = await placeOf(pull, thread, latestIteration(pull));
  const current = now.context?.rightFileEnd ?? now.context?.leftFileEnd;
  const place = {
    threadId: thread.id,
    path: context.filePath.replace(/^\//, ''),
    line: end?.line ?? null,
    startLine: start === null || start === undefined || start.line === end?.line ? null : start.line,
    side: context.leftFileStart === undefined ? ('RIGHT' as const) : ('LEFT' as const),
    url: `${pullUrl(pull, base)}?discussionId=${thread.id}`,
    isResolved: ['fixed', 'wontFix', 'closed', 'byDesign'].includes(thread.status),
    status: thread.status,
    currentLine: current?.line ?? null,
    isOrphaned: await isOrphaned(pull, thread),
    isBroken: isBroken(thread),
  };
  return thread.comments
    .filter((comment) => !comment.isDeleted && comment.commentType === 'text')
    .map((comment) => ({
      ...place,
      id: comment.id,
      body: comment.content,
      author: comment.author?.displayName ?? 'ghost',
      inReplyTo: comment.parentCommentId === 0 ? null : comment.parentCommentId,
      likes: comment.likes.map((identity) => identity.displayName),
    }));
}

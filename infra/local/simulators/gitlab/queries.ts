import { pullUrl } from './render.ts';
import type { SimPull, SimStatus } from './state.ts';
import { latestVersion } from './state.ts';

/** A note on a file as it was posted. */
export interface PostedComment {
  readonly threadId: string;
  readonly id: number;
  readonly path: string;
  /** As posted; null for a note on a whole file. */
  readonly line: number | null;
  readonly startLine: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly body: string;
  /** `ghost` for a deleted account. */
  readonly author: string;
  readonly url: string;
  readonly inReplyTo: number | null;
  readonly isResolved: boolean;
  /** Its line is gone from the present head. */
  readonly isOutdated: boolean;
  readonly reactions: readonly string[];
}

export interface PostedGeneralComment {
  readonly threadId: string;
  readonly id: number;
  readonly body: string;
  readonly author: string;
  readonly url: string;
}

/** The end state, for tests and the demo; without system and internal notes. */
export interface PostedQueries {
  comments(number: number, repository?: string): PostedComment[];
  /** Notes on the merge request itself. */
  generalComments(number: number, repository?: string): PostedGeneralComment[];
  /** Statuses of its commits, wherever they stand. */
  statuses(number: number, repository?: string): readonly SimStatus[];
}

export function createQueries(
  findPull: (number: number, repository?: string) => SimPull,
  webUrl: () => string,
): PostedQueries {
  return {
    comments(number, repository) {
      const pull = findPull(number, repository);
      return pull.discussions.flatMap((discussion) => describe(pull, discussion, webUrl()));
    },
    generalComments(number, repository) {
      const pull = findPull(number, repository);
      return pull.discussions.flatMap(({ id: threadId, notes }) =>
        notes
          .filter((note) => note.posted === undefined && !note.system && !note.internal)
          .map((note) => ({
            threadId,
            id: note.id,
            body: note.body,
            author: note.author?.username ?? 'ghost',
            url: `${pullUrl(pull, webUrl())}#note_${note.id}`,
          })),
      );
    },
    statuses(number, repository) {
      const pull = findPull(number, repository);
      const projects = pull.source === undefined ? [pull.project] : [...new Set([pull.project, pull.source])];
      return projects.flatMap((project) => project.statuses);
    },
  };
}

function describe(pull: SimPull, discussion: SimPull['discussions'][number], web: string): PostedComment[] {
  const [first] = discussion.notes;
  return discussion.notes.flatMap((note) => {
    const { posted } = note;
    if (posted === undefined || note.system || note.internal) return [];
    const line = posted.new_line ?? posted.old_line ?? null;
    const start = posted.line_range?.start;
    const startLine = start?.new_line ?? start?.old_line ?? null;
    return [
      {
        threadId: discussion.id,
        id: note.id,
        path: posted.new_path ?? '',
        line,
        startLine: startLine === line ? null : startLine,
        side: posted.new_line === undefined && posted.old_line !== undefined ? 'LEFT' : 'RIGHT',
        body: note.body,
        author: note.author?.username ?? 'ghost',
        url: `${pullUrl(pull, web)}#note_${note.id}`,
        inReplyTo: first === undefined || first === note ? null : first.id,
        isResolved: discussion.notes.every(({ resolvable, resolved }) => !resolvable || resolved),
        isOutdated: note.position?.head_sha !== latestVersion(pull).head,
        reactions: note.awards.map(({ name }) => name),
      } as const,
    ];
  });
}

import type { GitChangedFile } from '../../git/changed-files.ts';
import type { DiffLine, Hunk } from '../../git/hunks.ts';
import { diffLines, parseHunks } from '../../git/hunks.ts';
import type { DiffSide, SimAnchor, SimPull } from './model.ts';

/** Where a comment wants to stand. */
export interface AnchorInput {
  readonly path: string;
  readonly subjectType?: 'line' | 'file' | undefined;
  readonly line?: number | undefined;
  readonly side?: DiffSide | undefined;
  readonly startLine?: number | undefined;
  readonly startSide?: DiffSide | undefined;
  /** The deprecated count of lines below the first hunk header, instead of a line. */
  readonly position?: number | undefined;
}

export const ANCHOR_PROBLEMS = [
  'path_not_in_diff',
  'line_missing',
  'line_not_in_diff',
  'start_line_not_before_line',
  'start_line_in_other_hunk',
] as const;
export type AnchorProblem = (typeof ANCHOR_PROBLEMS)[number];

export type AnchorResult =
  { readonly ok: true; readonly anchor: SimAnchor } | { readonly ok: false; readonly problem: AnchorProblem };

export interface FileDiff {
  readonly file: GitChangedFile;
  readonly hunks: readonly Hunk[];
  readonly lines: ReturnType<typeof diffLines>;
}

/** The diff of one path between two commits; undefined when the path is not in it. */
export async function readFileDiff(
  pull: SimPull,
  from: string,
  to: string,
  path: string,
): Promise<FileDiff | undefined> {
  const files = await pull.repository.git.changedFiles(from, to);
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) return undefined;
  const hunks = parseHunks(file.patch ?? '');
  return { file, hunks, lines: diffLines(hunks) };
}

export function findLine(diff: FileDiff, side: DiffSide, line: number): DiffLine | undefined {
  return (side === 'LEFT' ? diff.lines.old : diff.lines.new).get(line);
}

/** The line at a `position`: the new side where the row has one, else the old side. */
function lineAtPosition(diff: FileDiff, position: number): { side: DiffSide; line: number } | undefined {
  for (const [line, entry] of diff.lines.new) if (entry.position === position) return { side: 'RIGHT', line };
  for (const [line, entry] of diff.lines.old) if (entry.position === position) return { side: 'LEFT', line };
  return undefined;
}

/** Checks an anchor against the real diff of a commit of the pull request, as GitHub does before it stores one. */
export async function resolveAnchor(
  pull: SimPull,
  commitId: string,
  input: AnchorInput,
): Promise<AnchorResult> {
  const baseCommitId = await pull.repository.git.mergeBase(pull.baseSha, commitId);
  const diff = await readFileDiff(pull, baseCommitId, commitId, input.path);
  if (diff === undefined) return { ok: false, problem: 'path_not_in_diff' };
  const common = { path: input.path, commitId, baseCommitId };
  if (input.subjectType === 'file') {
    return {
      ok: true,
      anchor: {
        ...common,
        subjectType: 'file',
        side: 'RIGHT',
        startSide: undefined,
        line: undefined,
        startLine: undefined,
        position: undefined,
        diffHunk: '',
      },
    };
  }
  const asked =
    input.line !== undefined
      ? { side: input.side ?? 'RIGHT', line: input.line }
      : input.position === undefined
        ? undefined
        : lineAtPosition(diff, input.position);
  if (asked === undefined) {
    return { ok: false, problem: input.position === undefined ? 'line_missing' : 'line_not_in_diff' };
  }
  const end = findLine(diff, asked.side, asked.line);
  if (end === undefined) return { ok: false, problem: 'line_not_in_diff' };
  const startSide = input.startSide ?? asked.side;
  if (input.startLine !== undefined) {
    if (startSide === asked.side && input.startLine >= asked.line) {
      return { ok: false, problem: 'start_line_not_before_line' };
    }
    const start = findLine(diff, startSide, input.startLine);
    if (start === undefined || start.hunk !== end.hunk) {
      return { ok: false, problem: 'start_line_in_other_hunk' };
    }
    // A range may begin among removed lines and end among added ones, but only downwards.
    if (start.position >= end.position) return { ok: false, problem: 'start_line_not_before_line' };
  }
  const hunk = diff.hunks[end.hunk];
  return {
    ok: true,
    anchor: {
      ...common,
      subjectType: 'line',
      side: asked.side,
      line: asked.line,
      startLine: input.startLine,
      startSide: input.startLine === undefined ? undefined : startSide,
      position: end.position,
      diffHunk: [hunk?.header ?? '', ...(hunk?.lines.slice(0, end.index + 1) ?? [])].join('\n'),
    },
  };
}

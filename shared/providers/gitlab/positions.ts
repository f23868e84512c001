import { createHash } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { DiffLine, Hunk } from '../../diff/file-diff.ts';
import { createLineMap } from '../../diff/line-map.ts';
import { parseHunks } from '../../diff/parse-patch.ts';
import type { NewInlineComment, NewThread } from '../write-ports.ts';
import type { ProjectSession } from './gitlab-client.ts';
import { headMoved } from './gitlab-errors.ts';
import { patchOf } from './pull-request-reader.ts';
import type { Diff, DiffReader } from './versions.ts';

interface LineNumbers {
  readonly old_line?: number;
  readonly new_line?: number;
}

interface RangeEnd extends LineNumbers {
  readonly line_code: string;
  readonly type: 'new' | 'old';
}

/** The `position` of a new discussion (REST documentation, "Create a new thread in the merge request diff"). */
export interface Position extends LineNumbers {
  readonly position_type: 'text' | 'file';
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
  readonly old_path: string;
  readonly new_path: string;
  readonly line_range?: { readonly start: RangeEnd; readonly end: RangeEnd };
}

/**
 * Where a thread is to stand, in the commits of the latest version and with both paths of the file.
 * @throws AppError `rejected` anchor_refused; `stale` head_moved when that version has another head.
 */
export async function positionOf(
  diffs: DiffReader,
  session: ProjectSession,
  ref: PullRequestRef,
  thread: NewThread,
): Promise<Position> {
  const version = await diffs.latestVersion(session, ref);
  if (version.head_commit_sha !== thread.commit) throw headMoved();
  const path = thread.kind === 'file' ? thread.path : thread.comment.path;
  const listed = await diffs.listDiffs(session, ref, version);
  const diff = listed.find((candidate) => candidate.new_path === path);
  if (diff === undefined) throw refused('The merge request does not change this file.', path);
  return {
    position_type: thread.kind === 'file' ? 'file' : 'text',
    base_sha: version.base_commit_sha,
    start_sha: version.start_commit_sha,
    head_sha: version.head_commit_sha,
    old_path: diff.old_path,
    new_path: diff.new_path,
    ...(thread.kind === 'file' ? {} : linesOf(diff, thread.comment)),
  };
}

/** Numbers of the last line, and both ends of a range. */
export function linesOf(
  diff: Pick<Diff, 'diff' | 'new_path' | 'new_file' | 'deleted_file'>,
  comment: NewInlineComment,
): LineNumbers & Pick<Position, 'line_range'> {
  const { side, line } = comment;
  const first = comment.startLine ?? line;
  const patch = patchOf(diff);
  if (patch === undefined)
    throw refused('GitLab shows no diff of this file; comment on the file.', diff.new_path);
  const hunks = parseHunks(patch);
  const map = createLineMap(hunks);
  const shown = map.lineAt(side, line);
  const numbers = shown === undefined ? unfolded(diff, map, comment) : numbersOf(shown);
  if (first === line) return numbers;
  const codes = lineCodes(hunks, diff.new_path);
  const from = map.lineAt(side, first);
  const start = from === undefined ? undefined : codes.get(from);
  const end = shown === undefined ? undefined : codes.get(shown);
  // Without codes for both ends the note still stands on the last line.
  return start === undefined || end === undefined ? numbers : { ...numbers, line_range: { start, end } };
}

/** An added line has a new number only, a removed one an old number only, an unchanged one both. */
function numbersOf({ oldLine, newLine }: DiffLine): LineNumbers {
  return {
    ...(oldLine === undefined ? {} : { old_line: oldLine }),
    ...(newLine === undefined ? {} : { new_line: newLine }),
  };
}

/** GitLab unfolds lines outside the hunks when both numbers are right, in changed text files alone. */
function unfolded(
  diff: Pick<Diff, 'new_path' | 'new_file' | 'deleted_file'>,
  map: ReturnType<typeof createLineMap>,
  { side, line }: NewInlineComment,
): LineNumbers {
  const other = side === 'new' ? map.toOld(line) : map.toNew(line);
  if (diff.new_file || diff.deleted_file || other === undefined || line < 1 || other < 1)
    throw refused(`The file has no line ${line} on the ${side} side.`, diff.new_path);
  return side === 'new' ? { old_line: other, new_line: line } : { old_line: line, new_line: other };
}

/** `sha1(path)_old_new` with the running numbers of GitLab's own parser, which start at those of the hunk's header. */
function lineCodes(hunks: readonly Hunk[], path: string): Map<DiffLine, RangeEnd> {
  const hash = createHash('sha1').update(path).digest('hex');
  const codes = new Map<DiffLine, RangeEnd>();
  for (const hunk of hunks) {
    // The header of a side without lines says one less.
    let oldAt = hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart;
    let newAt = hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart;
    for (const line of hunk.lines) {
      const type = line.kind === 'added' ? 'new' : 'old';
      codes.set(line, { line_code: `${hash}_${oldAt}_${newAt}`, type, ...numbersOf(line) });
      if (line.kind !== 'added') oldAt += 1;
      if (line.kind !== 'removed') newAt += 1;
    }
  }
  return codes;
}

function refused(message: string, path: string): AppError {
  return new AppError({ kind: 'rejected', code: 'anchor_refused', message, details: { path } });
}

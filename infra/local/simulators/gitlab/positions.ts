import type { GitChangedFile } from '../git/changed-files.ts';
import { followLine, parseHunks } from '../git/hunks.ts';
import { codedLines, filesOf, lineCode, renderDiff } from './diffs.ts';
import { badLineCode, badNote, refuse } from './errors.ts';
import type { SentPosition } from './request-bodies.ts';
import type { GitLabState, SimPull, SimVersion } from './state.ts';

const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/** Refuses what the real service refuses. */
export async function checkPosition(
  state: GitLabState,
  pull: SimPull,
  position: SentPosition,
): Promise<void> {
  const { old_path: oldPath, new_path: newPath } = position;
  if (oldPath === undefined || newPath === undefined)
    return refuse(400, 'position[old_path], position[new_path] are missing');
  const version = pull.versions.find(
    ({ head, base, start }) =>
      head === position.head_sha && base === position.base_sha && start === position.start_sha,
  );
  if (version === undefined) return badNote(':position=>["is incomplete"]');
  const { files } = await filesOf(state, pull, version);
  const file = files.find(
    (candidate) => candidate.path === newPath && (candidate.previousPath ?? candidate.path) === oldPath,
  );
  if (file === undefined) return badLineCode();
  if (position.position_type === 'file') return;
  if (!(await isOnLine(state, pull, version, file, position))) return badLineCode();
  checkRange(file, position);
}

async function isOnLine(
  state: GitLabState,
  pull: SimPull,
  version: SimVersion,
  file: GitChangedFile,
  position: SentPosition,
): Promise<boolean> {
  const { old_line: oldLine, new_line: newLine } = position;
  const shown = codedLines(String(renderDiff(state, file)['diff']));
  if (oldLine === undefined || newLine === undefined)
    return shown.some(
      ({ kind, oldPos, newPos }) =>
        (kind === 'added' && oldLine === undefined && newPos === newLine) ||
        (kind === 'removed' && newLine === undefined && oldPos === oldLine),
    );
  if (
    shown.some(({ kind, oldPos, newPos }) => kind === 'context' && oldPos === oldLine && newPos === newLine)
  )
    return true;
  // Lines outside the hunks are unfolded, in changed text files alone and with both numbers right.
  if (shown.length === 0 || file.change === 'added' || file.change === 'removed') return false;
  if (shown.some(({ newPos, kind }) => kind !== 'removed' && newPos === newLine)) return false;
  const hunks = parseHunks(file.patch ?? '');
  const text = (await pull.project.git.readBlob(file.newSha, MAX_BLOB_BYTES)).toString('utf8');
  return followLine(hunks, oldLine) === newLine && newLine <= text.split('\n').length;
}

function checkRange(file: GitChangedFile, position: SentPosition): void {
  if (position.line_range === undefined) return;
  const lines = codedLines(file.patch ?? '');
  const codes = new Map(lines.map((line) => [lineCode(file.path, line), line]));
  const { start, end } = position.line_range;
  for (const { line_code: code, type } of [start, end]) {
    const line = codes.get(code);
    if (line === undefined || (line.kind === 'added') !== (type === 'new'))
      badNote(':position=>["line_range is invalid"]');
  }
}

/** Moves a position to a newer version where its line is still there, as the real service does after a push. */
export async function followPosition(
  pull: SimPull,
  position: SentPosition,
  version: SimVersion,
): Promise<SentPosition> {
  const shas = { base_sha: version.base, start_sha: version.start, head_sha: version.head };
  const { git } = pull.project;
  const path = position.new_path ?? '';
  const isOldSide = position.new_line === undefined;
  const [before, after] = isOldSide ? [position.base_sha, version.base] : [position.head_sha, version.head];
  const line = position.new_line ?? position.old_line;
  const from = await git.findEntry(before, isOldSide ? (position.old_path ?? path) : path);
  const to = await git.findEntry(after, isOldSide ? (position.old_path ?? path) : path);
  if (from === undefined || to === undefined) return position;
  if (line === undefined) return { ...position, ...shas };
  const followed = followLine(await git.blobHunks(from.sha, to.sha), line);
  if (followed === undefined) return position;
  return { ...position, ...shas, ...(isOldSide ? { old_line: followed } : { new_line: followed }) };
}

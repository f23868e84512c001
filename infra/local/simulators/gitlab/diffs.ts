import { createHash } from 'node:crypto';
import type { GitChangedFile } from '../git/changed-files.ts';
import { parseHunks } from '../git/hunks.ts';
import type { GitLabState, SimPull, SimVersion } from './state.ts';

/** Files of a version, as many as it keeps. */
export async function filesOf(
  state: GitLabState,
  pull: SimPull,
  version: SimVersion,
): Promise<{ readonly files: readonly GitChangedFile[]; readonly isOverflow: boolean }> {
  const files = await pull.project.git.changedFiles(version.base, version.head);
  const { maxFiles } = state.limits;
  return { files: files.slice(0, maxFiles), isOverflow: files.length > maxFiles };
}

export function renderDiff(state: GitLabState, file: GitChangedFile): Record<string, unknown> {
  const { maxPatchBytes } = state.limits;
  const patch = file.patch ?? '';
  const isTooLarge = file.isPatchTooLarge || patch.length > maxPatchBytes;
  const isCollapsed = !isTooLarge && patch.length > maxPatchBytes / 10;
  const oldPath = file.previousPath ?? file.path;
  return {
    old_path: oldPath,
    new_path: file.path,
    a_mode: file.change === 'added' ? '0' : file.oldMode,
    b_mode: file.change === 'removed' ? '0' : file.newMode,
    diff: diffText(file, patch, isTooLarge || isCollapsed),
    new_file: file.change === 'added',
    renamed_file: file.change === 'renamed',
    deleted_file: file.change === 'removed',
    generated_file: false,
    collapsed: isCollapsed,
    too_large: isTooLarge,
  };
}

function diffText(file: GitChangedFile, patch: string, isLeftOut: boolean): string {
  if (isLeftOut) return '';
  if (file.isBinary) return `Binary files a/${file.previousPath ?? file.path} and b/${file.path} differ\n`;
  return patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`;
}

/** A line that the diff shows, with both running numbers as they stand in its line code. */
export interface CodedLine {
  readonly kind: 'added' | 'removed' | 'context';
  readonly oldPos: number;
  readonly newPos: number;
}

/** Lines of a diff with the numbers GitLab's parser gives them: those of a hunk's header, counted on. */
export function codedLines(patch: string): CodedLine[] {
  return parseHunks(patch).flatMap((hunk) => {
    let oldPos = hunk.oldStart;
    let newPos = hunk.newStart;
    return hunk.lines.map((line): CodedLine => {
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
      const coded = { kind, oldPos, newPos } as const;
      if (kind !== 'added') oldPos += 1;
      if (kind !== 'removed') newPos += 1;
      return coded;
    });
  });
}

export function lineCode(path: string, line: Pick<CodedLine, 'oldPos' | 'newPos'>): string {
  return `${createHash('sha1').update(path).digest('hex')}_${line.oldPos}_${line.newPos}`;
}

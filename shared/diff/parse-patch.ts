import { parsePatch } from 'diff';
import type { StructuredPatchHunk } from 'diff';
import { AppError } from '../domain/app-error.ts';
import type { DiffLine, FileDiff, Hunk } from './file-diff.ts';
import { readGitHeader } from './read-git-header.ts';

// A content line starts with a sign, so at the start of a line these can only be headers. The line feed is
// spelled out because `^` with the m flag also matches after CR and U+2028, which are content here.
const COMBINED_DIFF = /(?:^|\n)(?:diff --(?:cc|combined) |@@@+ -)/;
const FILE_START = 'diff --git ';
// GitLab gives this text in the place of hunks.
const BINARY_NOTICE = /^Binary files [^\n]* differ\n?$/;

/**
 * Hunks of one file from a provider's patch: with or without `---`/`+++` lines, omitted counts, `-0,0`, adjacent
 * hunks, no-newline markers anywhere. An empty patch and a binary notice have no hunks. Linear in the length of the patch.
 * @throws AppError `rejected` combined_diff for the diff of a merge commit against several parents, or
 *   malformed_patch when counts, order or signs do not add up.
 */
export function parseHunks(patch: string): Hunk[] {
  refuseCombined(patch);
  return parseFileHunks(patch);
}

/**
 * Every file of a whole `git diff` (or GitLab raw diff) in its order. Text before the first `diff --git` line is
 * ignored.
 * @throws AppError as `parseHunks`.
 */
export function parseGitDiff(diff: string): FileDiff[] {
  refuseCombined(diff);
  return splitFiles(diff).map(parseFile);
}

function refuseCombined(diff: string): void {
  if (COMBINED_DIFF.test(diff)) {
    throw new AppError({
      kind: 'rejected',
      code: 'combined_diff',
      message: 'This is a combined diff of a merge commit. Give the diff against one parent.',
    });
  }
}

function splitFiles(diff: string): string[] {
  const starts: number[] = [];
  if (diff.startsWith(FILE_START)) starts.push(0);
  for (let at = diff.indexOf(`\n${FILE_START}`); at >= 0; at = diff.indexOf(`\n${FILE_START}`, at + 1)) {
    starts.push(at + 1);
  }
  return starts.map((start, index) => diff.slice(start, starts[index + 1]));
}

function parseFile(section: string): FileDiff {
  const firstHunk = section.indexOf('\n@@ ');
  const header = firstHunk < 0 ? section : section.slice(0, firstHunk);
  const hunks = firstHunk < 0 ? [] : parseFileHunks(section.slice(firstHunk + 1));
  return { ...readGitHeader(header), hunks };
}

function parseFileHunks(patch: string): Hunk[] {
  if (patch === '' || BINARY_NOTICE.test(patch)) return [];
  const hunks = readWithJsdiff(patch).map(numberLines);
  hunks.forEach((hunk, index) => {
    const previous = hunks[index - 1];
    if (previous === undefined) return;
    const oldEnd = previous.oldStart + previous.oldLines;
    const newEnd = previous.newStart + previous.newLines;
    if (hunk.oldStart < oldEnd || hunk.newStart < newEnd)
      throw malformed('its hunks overlap or go backwards');
  });
  return hunks;
}

function readWithJsdiff(patch: string): StructuredPatchHunk[] {
  let files;
  try {
    files = parsePatch(patch);
  } catch (cause) {
    throw malformed('its line counts and lines disagree', cause);
  }
  const [file] = files;
  if (file === undefined || files.length !== 1) throw malformed('it speaks of several files');
  if (file.hunks.length === 0) throw malformed('it has no hunk header');
  refuseLeftOut(patch, file.hunks);
  return file.hunks;
}

/**
 * jsdiff forgives a hunk that lacks its only line on a side, and skips lines between hunks that it does not know.
 * Both are signs of a patch that was cut, and what is missing must not pass for unchanged.
 */
function refuseLeftOut(patch: string, hunks: readonly StructuredPatchHunk[]): void {
  const start = patch.startsWith('@@ ') ? 0 : patch.indexOf('\n@@ ') + 1;
  const expected = hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, 0);
  let lines = 1;
  const end = patch.length - (/\n*$/.exec(patch.slice(-3))?.[0].length ?? 0);
  for (let at = patch.indexOf('\n', start); at >= 0 && at < end; at = patch.indexOf('\n', at + 1)) lines += 1;
  if (lines > expected) throw malformed('there is something between or after its hunks');

  if (hunks.every((hunk) => hunk.oldLines > 0 && hunk.newLines > 0)) return;
  const headers = [...patch.matchAll(/(?:^|\n)@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/g)];
  const agrees = hunks.every(({ oldLines, newLines }, index) => {
    const [, old = '1', fresh = '1'] = headers[index] ?? [undefined, '', ''];
    return old === String(oldLines) && fresh === String(newLines);
  });
  if (!agrees) throw malformed('its line counts and lines disagree');
}

// jsdiff already moves the start of an empty side to the following line, which is what Hunk promises.
function numberLines(hunk: StructuredPatchHunk): Hunk {
  const { oldStart, oldLines, newStart, newLines } = hunk;
  const lines: DiffLine[] = [];
  let oldLine = oldStart;
  let newLine = newStart;
  for (const raw of hunk.lines) {
    const text = raw.slice(1);
    switch (raw[0]) {
      case '+':
        lines.push({ kind: 'added', text, newLine: newLine++ });
        break;
      case '-':
        lines.push({ kind: 'removed', text, oldLine: oldLine++ });
        break;
      case '\\':
        markNoNewline(lines);
        break;
      default:
        lines.push({ kind: 'context', text, oldLine: oldLine++, newLine: newLine++ });
    }
  }
  return { oldStart, oldLines, newStart, newLines, lines };
}

function markNoNewline(lines: DiffLine[]): void {
  const last = lines.pop();
  if (last === undefined) throw malformed('a no-newline marker follows no line');
  lines.push({ ...last, noNewline: true });
}

function malformed(why: string, cause?: unknown): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'malformed_patch',
    message: `This is not a unified diff of one file: ${why}.`,
    cause,
  });
}

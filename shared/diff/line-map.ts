import type { Side } from '../domain/finding.ts';
import type { DiffLine, Hunk } from './file-diff.ts';

/** Lines `startLine` to `line`, both included, 1-based. */
export interface LineRange {
  readonly startLine: number;
  readonly line: number;
}

/**
 * What a diff says about the lines of one file. On side `new` added and context lines can be commented, on side
 * `old` removed and context lines; each side of a hunk is one unbroken run of lines. Look-ups take O(log hunks).
 */
export interface LineMap {
  readonly hunks: readonly Hunk[];
  /** The line of a hunk with this number; undefined outside the hunks. */
  lineAt(side: Side, line: number): DiffLine | undefined;
  /** Index in `hunks` of the hunk that shows this line on this side. */
  hunkAt(side: Side, line: number): number | undefined;
  /** True when every line of the range can be commented and one hunk holds them all. */
  isCommentable(side: Side, range: LineRange): boolean;
  /** Old number of a line of the new file; undefined for an added line. Lines past the end are not noticed. */
  toOld(newLine: number): number | undefined;
  /** New number of a line of the old file; undefined for a removed line. Lines past the end are not noticed. */
  toNew(oldLine: number): number | undefined;
  /** The ranges a comment may stand in, ascending, one per hunk that has lines on this side. */
  validRanges(side: Side): LineRange[];
}

interface SideOfHunk {
  readonly start: number;
  readonly lines: readonly DiffLine[];
}

/** Builds the map in time and memory linear in the lines of the hunks (as parseHunks or diffTexts give them). */
export function createLineMap(hunks: readonly Hunk[]): LineMap {
  const sides: Readonly<Record<Side, readonly SideOfHunk[]>> = {
    old: hunks.map((hunk) => ({
      start: hunk.oldStart,
      lines: hunk.lines.filter((line) => line.oldLine !== undefined),
    })),
    new: hunks.map((hunk) => ({
      start: hunk.newStart,
      lines: hunk.lines.filter((line) => line.newLine !== undefined),
    })),
  };

  function hunkAt(side: Side, line: number): number | undefined {
    const index = lastStartingAtOrBefore(sides[side], line);
    const hunk = sides[side][index];
    return hunk !== undefined && line < hunk.start + hunk.lines.length ? index : undefined;
  }

  function lineAt(side: Side, line: number): DiffLine | undefined {
    const index = hunkAt(side, line);
    const hunk = index === undefined ? undefined : sides[side][index];
    return hunk?.lines[line - hunk.start];
  }

  // Outside the hunks both files are equal, so the distance between the numbers is that after the hunk before.
  function shiftBefore(side: Side, line: number): number {
    const hunk = hunks[lastStartingAtOrBefore(sides[side], line)];
    if (hunk === undefined) return 0;
    return hunk.newStart + hunk.newLines - (hunk.oldStart + hunk.oldLines);
  }

  return {
    hunks,
    lineAt,
    hunkAt,
    isCommentable(side, range) {
      const first = hunkAt(side, range.startLine);
      return first !== undefined && range.startLine <= range.line && first === hunkAt(side, range.line);
    },
    toOld(newLine) {
      const shown = lineAt('new', newLine);
      return shown === undefined ? newLine - shiftBefore('new', newLine) : shown.oldLine;
    },
    toNew(oldLine) {
      const shown = lineAt('old', oldLine);
      return shown === undefined ? oldLine + shiftBefore('old', oldLine) : shown.newLine;
    },
    validRanges(side) {
      return sides[side]
        .filter((hunk) => hunk.lines.length > 0)
        .map((hunk) => ({ startLine: hunk.start, line: hunk.start + hunk.lines.length - 1 }));
    },
  };
}

function lastStartingAtOrBefore(sides: readonly SideOfHunk[], line: number): number {
  let low = 0;
  let high = sides.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sides[middle]?.start ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

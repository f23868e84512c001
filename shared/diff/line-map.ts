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

/** Builds the map in time and memory linear in the lines of the hunks (as parseHunks or diffTexts give them). */
export function createLineMap(hunks: readonly Hunk[]): LineMap {
  const sides: Readonly<Record<Side, SideIndex>> = {
    old: indexSide(hunks, 'old'),
    new: indexSide(hunks, 'new'),
  };

  function hunkAt(side: Side, line: number): number | undefined {
    const index = lastStartingAtOrBefore(sides[side], line);
    const hunk = sides[side].hunks[index];
    return hunk !== undefined && line < hunk.start + hunk.count ? index : undefined;
  }

  function lineAt(side: Side, line: number): DiffLine | undefined {
    const index = hunkAt(side, line);
    if (index === undefined) return undefined;
    const { hunks: ranges, positions } = sides[side];
    const { start = 0, offset = 0 } = ranges[index] ?? {};
    return hunks[index]?.lines[positions[offset + line - start] ?? -1];
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
      return sides[side].hunks
        .filter((hunk) => hunk.count > 0)
        .map((hunk) => ({ startLine: hunk.start, line: hunk.start + hunk.count - 1 }));
    },
  };
}

/** One side of all hunks. A number per line instead of an array per hunk keeps huge diffs small. */
interface SideIndex {
  /** First line, number of lines and first entry in `positions` of each hunk. */
  readonly hunks: readonly { readonly start: number; readonly count: number; readonly offset: number }[];
  /** Position in `Hunk.lines` of each line of this side, hunk after hunk. */
  readonly positions: Uint32Array;
}

function indexSide(hunks: readonly Hunk[], side: Side): SideIndex {
  const other = side === 'old' ? 'added' : 'removed';
  const total = hunks.reduce((sum, hunk) => sum + (side === 'old' ? hunk.oldLines : hunk.newLines), 0);
  const positions = new Uint32Array(total);
  let offset = 0;
  const ranges = hunks.map((hunk) => {
    const first = offset;
    for (let at = 0; at < hunk.lines.length; at += 1) {
      if (hunk.lines[at]?.kind !== other) positions[offset++] = at;
    }
    return { start: side === 'old' ? hunk.oldStart : hunk.newStart, count: offset - first, offset: first };
  });
  return { hunks: ranges, positions };
}

function lastStartingAtOrBefore({ hunks }: SideIndex, line: number): number {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hunks[middle]?.start ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

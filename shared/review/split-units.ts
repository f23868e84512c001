import type { DiffLine, Hunk } from '../diff/file-diff.ts';
import type { FilePart, ReviewFile } from './review-file.ts';

/** What one request shows: parts of files that together fit its budget. */
export interface ReviewUnit {
  /** `unit-1`, `unit-2`, ... */
  readonly id: string;
  readonly parts: readonly FilePart[];
}

export interface UnitLimits {
  /** Characters of diff in one unit. */
  readonly unitCharacters: number;
  /** Units of one run; what does not fit is named as not reviewed. */
  readonly maxUnits: number;
}

export interface SplitUnits {
  readonly units: readonly ReviewUnit[];
  /** Paths of which a part or all did not fit, in order. */
  readonly left: readonly string[];
}

/** Longest line that is shown whole; the rendering cuts at the same length. */
export const MAX_LINE_CHARACTERS = 5_000;

/** What a rendered line has besides its text: sign, two numbers, separators, line feed. */
const LINE_OVERHEAD = 20;
const HEADER_OVERHEAD = 120;

/**
 * Spreads the diff over units so that every hunk is shown once. Files stay whole and in order where they fit; a
 * file larger than a unit is cut between hunks, a hunk larger than a unit between lines.
 */
export function splitUnits(files: readonly ReviewFile[], limits: UnitLimits): SplitUnits {
  const units: FilePart[][] = [];
  let room = 0;
  for (const { file, hunks } of files) {
    const size = fileSize(hunks);
    const pieces = size <= limits.unitCharacters ? [{ hunks, size }] : cutFile(hunks, limits.unitCharacters);
    for (const piece of pieces) {
      if (piece.size > room) {
        units.push([]);
        room = limits.unitCharacters;
      }
      room -= piece.size;
      units.at(-1)?.push({ file, hunks: piece.hunks });
    }
  }
  const left = units.slice(limits.maxUnits).flatMap((parts) => parts.map(({ file }) => file.path));
  return {
    units: units.slice(0, limits.maxUnits).map((parts, index) => ({ id: `unit-${index + 1}`, parts })),
    left: [...new Set(left)],
  };
}

interface Piece {
  readonly hunks: readonly Hunk[];
  readonly size: number;
}

function cutFile(hunks: readonly Hunk[], budget: number): Piece[] {
  const pieces: Piece[] = [];
  let open: Hunk[] = [];
  let size = HEADER_OVERHEAD;
  for (const hunk of hunks.flatMap((whole) => cutHunk(whole, budget - HEADER_OVERHEAD))) {
    const added = hunkSize(hunk);
    if (open.length > 0 && size + added > budget) {
      pieces.push({ hunks: open, size });
      open = [];
      size = HEADER_OVERHEAD;
    }
    open.push(hunk);
    size += added;
  }
  if (open.length > 0) pieces.push({ hunks: open, size });
  return pieces;
}

/** Pieces of one hunk, each a hunk of its own with the right numbers, each at most `budget` or one line. */
function cutHunk(hunk: Hunk, budget: number): Hunk[] {
  if (hunkSize(hunk) <= budget) return [hunk];
  const pieces: Hunk[] = [];
  let { oldStart, newStart } = hunk;
  let lines: DiffLine[] = [];
  let size = HEADER_OVERHEAD;
  const close = () => {
    const oldLines = lines.filter((line) => line.oldLine !== undefined).length;
    const newLines = lines.filter((line) => line.newLine !== undefined).length;
    pieces.push({ oldStart, oldLines, newStart, newLines, lines });
    oldStart += oldLines;
    newStart += newLines;
    lines = [];
    size = HEADER_OVERHEAD;
  };
  for (const line of hunk.lines) {
    if (lines.length > 0 && size + lineSize(line) > budget) close();
    lines.push(line);
    size += lineSize(line);
  }
  if (lines.length > 0) close();
  return pieces;
}

function fileSize(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, hunk) => sum + hunkSize(hunk), HEADER_OVERHEAD);
}

function hunkSize(hunk: Hunk): number {
  return hunk.lines.reduce((sum, line) => sum + lineSize(line), HEADER_OVERHEAD);
}

function lineSize(line: DiffLine): number {
  return Math.min(line.text.length, MAX_LINE_CHARACTERS) + LINE_OVERHEAD;
}

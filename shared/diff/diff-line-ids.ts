import { diffArrays } from 'diff';
import { uniqueAnchors } from './unique-anchors.ts';

/** Old lines `oldStart` to `oldEnd` became new lines `newStart` to `newEnd`; 0-based, ends not included. */
export interface Edit {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface LineEdits {
  /** Ascending, never touching. */
  readonly edits: readonly Edit[];
  /** False when the search was given up somewhere and whole stretches were replaced. */
  readonly isMinimal: boolean;
}

// One search for a shortest edit of d lines costs up to d * d steps and as much memory, so d is bounded, and the
// squares of all searches together are. Lines that stand on one side only are free.
const MAX_EDIT_LENGTH = 1500;
const MAX_TOTAL_STEPS = 12_000_000;

interface Range {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * A shortest edit between two lists of line numbers (equal number, equal line), by jsdiff's Myers algorithm with
 * the common start and end and the lines of one side only taken out beforehand.
 *
 * Where that edit is longer than the bound, the stretch is divided at the lines that occur exactly once on each
 * side, in the longest chain that keeps their order (patience diff), and each part is tried again; a part without
 * such lines is replaced as a whole.
 */
export function diffLineIds(oldIds: Int32Array, newIds: Int32Array): LineEdits {
  const matches = new Matches();
  let steps = 0;
  let isMinimal = true;

  function solve(range: Range, mayDivide: boolean): void {
    const { start, end, inner } = trimCommon(oldIds, newIds, range);
    matches.add(range.oldStart, range.newStart, start);
    if (inner.oldStart < inner.oldEnd && inner.newStart < inner.newEnd) solveInner(inner, mayDivide);
    matches.add(range.oldEnd - end, range.newEnd - end, end);
  }

  function solveInner(range: Range, mayDivide: boolean): void {
    const limit = Math.min(MAX_EDIT_LENGTH, Math.floor(Math.sqrt(Math.max(0, MAX_TOTAL_STEPS - steps))));
    const found = shortestEdit(oldIds, newIds, range, limit);
    steps += found.editLength ** 2;
    if (found.pairs !== undefined) {
      for (const [oldAt, newAt] of found.pairs) matches.add(oldAt, newAt, 1);
      return;
    }
    isMinimal = false;
    if (!mayDivide) return;
    let { oldStart, newStart } = range;
    for (const [oldAt, newAt] of uniqueAnchors(oldIds, newIds, range)) {
      solve({ oldStart, oldEnd: oldAt, newStart, newEnd: newAt }, false);
      matches.add(oldAt, newAt, 1);
      oldStart = oldAt + 1;
      newStart = newAt + 1;
    }
    solve({ oldStart, oldEnd: range.oldEnd, newStart, newEnd: range.newEnd }, false);
  }

  solve({ oldStart: 0, oldEnd: oldIds.length, newStart: 0, newEnd: newIds.length }, true);
  return { edits: matches.gaps(oldIds.length, newIds.length), isMinimal };
}

/** Matched lines in ascending order, kept as the gaps between them, so that equal files cost nothing. */
class Matches {
  readonly #gaps: Edit[] = [];
  #oldEnd = 0;
  #newEnd = 0;

  add(oldAt: number, newAt: number, count: number): void {
    if (count === 0) return;
    this.#close(oldAt, newAt);
    this.#oldEnd = oldAt + count;
    this.#newEnd = newAt + count;
  }

  gaps(oldCount: number, newCount: number): Edit[] {
    this.#close(oldCount, newCount);
    return this.#gaps;
  }

  #close(oldEnd: number, newEnd: number): void {
    const [oldStart, newStart] = [this.#oldEnd, this.#newEnd];
    if (oldStart < oldEnd || newStart < newEnd) this.#gaps.push({ oldStart, oldEnd, newStart, newEnd });
  }
}

function trimCommon(
  oldIds: Int32Array,
  newIds: Int32Array,
  range: Range,
): { start: number; end: number; inner: Range } {
  const most = Math.min(range.oldEnd - range.oldStart, range.newEnd - range.newStart);
  let start = 0;
  while (start < most && oldIds[range.oldStart + start] === newIds[range.newStart + start]) start += 1;
  let end = 0;
  while (end < most - start && oldIds[range.oldEnd - 1 - end] === newIds[range.newEnd - 1 - end]) end += 1;
  return {
    start,
    end,
    inner: {
      oldStart: range.oldStart + start,
      oldEnd: range.oldEnd - end,
      newStart: range.newStart + start,
      newEnd: range.newEnd - end,
    },
  };
}

/** Matched pairs of a shortest edit; without `pairs` when it is longer than `limit`. */
function shortestEdit(
  oldIds: Int32Array,
  newIds: Int32Array,
  range: Range,
  limit: number,
): { pairs?: [number, number][]; editLength: number } {
  const oldLines = shared(
    oldIds,
    range.oldStart,
    range.oldEnd,
    new Set(newIds.subarray(range.newStart, range.newEnd)),
  );
  const newLines = shared(
    newIds,
    range.newStart,
    range.newEnd,
    new Set(oldIds.subarray(range.oldStart, range.oldEnd)),
  );
  const changes = diffArrays(
    oldLines.map((at) => oldIds[at]),
    newLines.map((at) => newIds[at]),
    { maxEditLength: limit },
  );
  if (changes === undefined) return { editLength: limit };
  const pairs: [number, number][] = [];
  let oldAt = 0;
  let newAt = 0;
  let editLength = 0;
  for (const { added, removed, count } of changes) {
    if (added) newAt += count;
    else if (removed) oldAt += count;
    else {
      for (let at = 0; at < count; at += 1)
        pairs.push([oldLines[oldAt + at] ?? 0, newLines[newAt + at] ?? 0]);
      oldAt += count;
      newAt += count;
    }
    if (added || removed) editLength += count;
  }
  return { pairs, editLength };
}

/** Positions from `start` to `end` whose line also stands on the other side; no others can be matched. */
function shared(ids: Int32Array, start: number, end: number, other: ReadonlySet<number>): number[] {
  const positions: number[] = [];
  for (let at = start; at < end; at += 1) if (other.has(ids[at] ?? -1)) positions.push(at);
  return positions;
}

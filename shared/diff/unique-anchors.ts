interface Range {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Positions of lines that occur exactly once on each side of the range, the longest chain of them that ascends on
 * both sides. O(n log n) by patience sorting.
 */
export function uniqueAnchors(oldIds: Int32Array, newIds: Int32Array, range: Range): [number, number][] {
  const oldPositions = uniquePositions(oldIds, range.oldStart, range.oldEnd);
  const newPositions = uniquePositions(newIds, range.newStart, range.newEnd);
  const pairs: [number, number][] = [];
  for (const [id, oldAt] of oldPositions) {
    const newAt = newPositions.get(id);
    if (oldAt !== undefined && newAt !== undefined) pairs.push([oldAt, newAt]);
  }
  return longestAscending(pairs.toSorted((left, right) => left[0] - right[0]));
}

/** Undefined stands for a line that occurs more than once. */
function uniquePositions(ids: Int32Array, start: number, end: number): Map<number, number | undefined> {
  const positions = new Map<number, number | undefined>();
  for (let at = start; at < end; at += 1) {
    const id = ids[at] ?? -1;
    positions.set(id, positions.has(id) ? undefined : at);
  }
  return positions;
}

/** The longest subsequence whose second numbers ascend. */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  // piles[k] is the index of the pair with the smallest end among the chains of k + 1 pairs.
  const piles: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, [, newAt]] of pairs.entries()) {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[piles[middle] ?? 0]?.[1] ?? 0) < newAt) low = middle + 1;
      else high = middle;
    }
    previous.push(piles[low - 1]);
    piles[low] = index;
  }
  const chain: [number, number][] = [];
  for (let index = piles[piles.length - 1]; index !== undefined; index = previous[index]) {
    const pair = pairs[index];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.toReversed();
}

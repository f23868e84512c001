/** Cuts a line so that one minified file cannot fill an answer; says how much is missing. */
export function cutLine(line: string, maxLength: number): string {
  return line.length <= maxLength
    ? line
    : `${line.slice(0, maxLength)} [${line.length - maxLength} more characters]`;
}

export interface KeptItems<Item> {
  readonly kept: readonly Item[];
  /** How many items were left off at the end. */
  readonly left: number;
}

/** The leading items whose sizes sum up to `budget` at most; at least one, so that paging always advances. */
export function keepWithin<Item>(
  items: readonly Item[],
  budget: number,
  size: (item: Item) => number,
): KeptItems<Item> {
  let used = 0;
  let count = 0;
  for (const item of items) {
    used += size(item);
    if (count > 0 && used > budget) break;
    count += 1;
  }
  return { kept: items.slice(0, count), left: items.length - count };
}

/** A text ready to be compared: its words longer than three characters, case folded. */
export interface ComparableText {
  readonly words: ReadonlySet<string>;
  readonly text: string;
}

const SHORTEST_WORD = 4;

export function comparable(text: string): ComparableText {
  const folded = text.toLowerCase();
  const words = folded.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return { words: new Set(words.filter((word) => word.length >= SHORTEST_WORD)), text: folded.trim() };
}

/** Shared words over all words, 0 to 1. Two texts without such words are alike only when they are equal. */
export function jaccard(left: ComparableText, right: ComparableText): number {
  if (left.words.size === 0 && right.words.size === 0) return left.text === right.text ? 1 : 0;
  const [small, large] =
    left.words.size <= right.words.size ? [left.words, right.words] : [right.words, left.words];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / (left.words.size + right.words.size - shared);
}

import type { HiddenTextKind } from './hidden-text-kind.ts';
import { stripHiddenCharacters } from './strip-hidden-characters.ts';
import { stripHiddenMarkup } from './strip-hidden-markup.ts';

export interface HiddenTextRemoval {
  readonly kind: HiddenTextKind;
  readonly count: number;
}

export interface StrippedText {
  readonly text: string;
  /** One entry per kind that was found; empty when nothing was removed. */
  readonly removed: readonly HiddenTextRemoval[];
}

/**
 * `markdown` is text that people read rendered (titles, descriptions, comments). `code` is text that people read
 * as it is (files, diffs, names): there markup is visible and stays, and no line feed is ever removed.
 */
export type TextForm = 'markdown' | 'code';

/**
 * Removes what a person who looks at the text cannot see. Letters of every script stay, also CJK and right-to-left
 * ones; emoji sequences may fall apart into their parts. Idempotent, linear in the length of the text.
 */
export function stripHiddenText(text: string, form: TextForm): StrippedText {
  const counts = new Map<HiddenTextKind, number>();
  const count = (kind: HiddenTextKind): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  const visible = stripHiddenCharacters(text, count);
  return {
    text: form === 'markdown' ? stripHiddenMarkup(visible, count) : visible,
    removed: [...counts].map(([kind, found]) => ({ kind, count: found })),
  };
}

/** `2 zero-width, 1 html-comment`, for a note next to the text; empty when nothing was removed. */
export function describeRemovals(removed: readonly HiddenTextRemoval[]): string {
  return removed.map(({ kind, count }) => `${count} ${kind}`).join(', ');
}

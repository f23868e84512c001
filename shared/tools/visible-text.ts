import { describeRemovals, stripHiddenText, type TextForm } from '../text-safety/strip-hidden-text.ts';

/** Text of others as a person would see it, and what had to be removed for that. */
export interface VisibleText {
  readonly text: string;
  /** Empty, or one note. */
  readonly notes: readonly string[];
}

/** Strips hidden text before it reaches a model: what a person reviewing the pull request cannot see must not speak to it. */
export function visibleText(text: string, form: TextForm): VisibleText {
  const { text: visible, removed } = stripHiddenText(text, form);
  const notes = removed.length === 0 ? [] : [`Hidden text was removed: ${describeRemovals(removed)}.`];
  return { text: visible, notes };
}

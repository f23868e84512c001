import type { PullRequestState } from './ports.ts';

/** What one turn of a drain's loop came to. */
export type StepEnd =
  /** Query again; `state` is row `s` as it is now. */
  | { readonly kind: 'next'; readonly state: PullRequestState; readonly isSettled?: boolean }
  /** Jobs wait, for at least this long: R2. */
  | { readonly kind: 'later'; readonly delayMs: number }
  | { readonly kind: 'end'; readonly end: 'idle' | 'lost' };

export const LOST: StepEnd = { kind: 'end', end: 'lost' };

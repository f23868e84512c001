import type { Grant } from '../tool.ts';

export const DEFAULT_DISCLAIMER =
  'This review was written by an automated reviewer. It can be wrong: a person decides what to do with it.';

const CANNOT_APPROVE = 'It can not approve this pull request.';

/**
 * What every submitted review says first. It is ours: the setting may change its words, nothing a caller says can.
 */
export function disclaimerFor(grant: Grant, setting: string | undefined): string {
  const words = (setting ?? '').trim() === '' ? DEFAULT_DISCLAIMER : (setting ?? '').trim();
  return grant.submitActions.includes('approve') ? words : `${words} ${CANNOT_APPROVE}`;
}

export interface ReviewText {
  readonly disclaimer: string;
  /** Facts about this submission that readers must know, one line each. */
  readonly notes: readonly string[];
  readonly summary: string;
  /** Comments that found no place of their own: where they belong, and their text. */
  readonly folded: readonly { readonly place: string; readonly body: string }[];
}

/** The visible text of a review, in the order it is read. */
export function reviewText({ disclaimer, notes, summary, folded }: ReviewText): string {
  const comments = folded.map(({ place, body }) => `**${place}**\n\n${body}`);
  return [disclaimer, ...notes, summary, ...comments].join('\n\n');
}

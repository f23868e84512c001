import type { AnchorProblem } from './anchors.ts';

export type RefusalReason =
  | AnchorProblem
  | 'body_blank'
  | 'body_too_long'
  | 'review_body_blank'
  | 'one_pending_review'
  | 'own_approval'
  | 'own_change_request'
  | 'commit_not_in_pull'
  | 'review_not_pending'
  | 'not_permitted';

/** A write that GitHub refuses; REST and GraphQL say it in their own words. Nothing was changed. */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`refused: ${reason}`);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

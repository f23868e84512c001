/**
 * True when GitHub refused because our account already has a pending review on the pull request. There is no code
 * for it, only this sentence, in REST (422) and GraphQL (UNPROCESSABLE) alike.
 */
export function isPendingReviewConflict(texts: readonly string[]): boolean {
  return texts.some((text) => /one pending review per pull request/i.test(text));
}

/** What a refusal is about, where it matters and only its text tells; goes into the details of the error. */
export function refusalReason(texts: readonly string[]): { readonly reason?: 'pending_review_exists' } {
  return isPendingReviewConflict(texts) ? { reason: 'pending_review_exists' } : {};
}

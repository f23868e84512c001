/** The parts of a refusal that tell a limit from a missing permission. */
export interface RefusalFacts {
  readonly status: number;
  readonly headers: Headers;
  /** GitHub's own message. */
  readonly message: string;
  readonly documentationUrl: string;
}

/** True when the hourly allowance is used up: 403 or 429 with `x-ratelimit-remaining: 0` (REST documentation, "Rate limits"). */
export function isPrimaryLimit(facts: RefusalFacts): boolean {
  return isLimitStatus(facts.status) && facts.headers.get('x-ratelimit-remaining') === '0';
}

/**
 * True for a secondary ("abuse") limit. GitHub answers it with the same 403 as a missing permission, and tells
 * them apart only by Retry-After, the documentation link, or the text; no status or code does.
 */
export function isSecondaryLimit(facts: RefusalFacts): boolean {
  if (!isLimitStatus(facts.status)) return false;
  return (
    facts.headers.has('retry-after') ||
    /secondary-rate-limits|abuse-rate-limits/i.test(facts.documentationUrl) ||
    /\bsecondary rate limit\b|\babuse detection\b/i.test(facts.message)
  );
}

function isLimitStatus(status: number): boolean {
  return status === 403 || status === 429;
}

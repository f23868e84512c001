/** The longest wait taken over from a provider: the session caps a Retry-After at one hour. */
const MAX_WAIT_MS = 3_600_000;

/**
 * How long a provider asks to wait, in ms: Retry-After (seconds or a date), else until the reset when a rate limit
 * is used up (`*-remaining: 0`, reset in epoch seconds). Undefined when it does not say.
 */
export function readWait(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after');
  if (value !== null && value.trim() !== '') {
    const seconds = Number(value);
    const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
    if (!Number.isNaN(wait)) return bounded(wait);
  }
  for (const name of ['x-ratelimit', 'ratelimit']) {
    const reset = Number(headers.get(`${name}-reset`) ?? Number.NaN);
    // One second more: the window opens after that second, not in it.
    if (headers.get(`${name}-remaining`) === '0' && reset > 0) return bounded(reset * 1000 + 1000 - now);
  }
  return undefined;
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), MAX_WAIT_MS);
}

import type { SessionTimings } from './timings.ts';

/** A retry is spread over this share of its delay, so that many pull requests do not come back at once. */
const JITTER = 0.25;

/**
 * Milliseconds to wait after transient failure number `failures` (from 1): what the other side asked for, at most
 * 1 h, or 30 s doubling up to 15 min; plus up to a quarter of it. `random` in [0, 1).
 */
export function retryDelay(
  timings: SessionTimings,
  failures: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const delay =
    retryAfterMs === undefined
      ? Math.min(timings.backoffCapMs, timings.backoffMs * 2 ** Math.min(failures - 1, 30))
      : Math.min(timings.retryAfterCapMs, Math.max(0, retryAfterMs));
  return Math.round(delay * (1 + JITTER * random));
}

/** Milliseconds until a message that was poisoned `times` times before is tried again: 5 min doubling up to 60. */
export function poisonDelay(timings: SessionTimings, times: number): number {
  return Math.min(timings.poisonCapMs, timings.poisonMs * 2 ** Math.min(times, 30));
}

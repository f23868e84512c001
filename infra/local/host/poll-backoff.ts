/** The host's shortest pause between two polls (azure-sdk-for-net, QueuePollingIntervals). */
export const MIN_POLL_MS = 100;
const SPREAD = 0.2;

/** Milliseconds to wait before the next poll. */
export interface PollBackoff {
  /** `found`: a message was received since the last pause. */
  next(found: boolean): number;
}

/**
 * Randomised exponential backoff from 100 ms to `maxMs`, reset when a message was found
 * (azure-sdk-for-net, RandomizedExponentialBackoffStrategy).
 * @param random returns a number in [0, 1)
 */
export function createPollBackoff(maxMs: number, random: () => number): PollBackoff {
  let exponent = 0;
  let current = 0;
  return {
    next: (found) => {
      if (found) {
        current = MIN_POLL_MS;
        exponent = 1;
      } else if (current !== maxMs) {
        const spread = 1 - SPREAD + random() * 2 * SPREAD;
        const step = exponent === 0 ? 0 : spread * 2 ** (exponent - 1) * MIN_POLL_MS;
        const interval = MIN_POLL_MS + step;
        if (interval < maxMs) {
          current = interval;
          exponent += 1;
        } else {
          current = maxMs;
        }
      }
      return current;
    },
  };
}

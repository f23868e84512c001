import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, RandomSource } from '../domain/clock.ts';

/** The real time. Sleeping does not keep an idle process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // Timers reject with their own AbortError; callers were promised the signal's reason.
      throw signal?.aborted === true ? signal.reason : error;
    }
  },
};

/** Cryptographic randomness: tokens and fence delimiters must not be guessable. */
export const systemRandom: RandomSource = {
  number: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};

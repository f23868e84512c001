import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../../shared/domain/clock.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};

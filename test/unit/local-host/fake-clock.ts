import type { Clock } from '../../../shared/domain/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until `advance`. */
export interface FakeClock extends Clock {
  /** Moves on by `ms`, waking sleepers one after the other at their own time. */
  advance(ms: number): Promise<void>;
  /** How many sleep right now. */
  sleeping(): number;
}

/** Lets everything that can run without time passing run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function createFakeClock(start: string): FakeClock {
  let now = Date.parse(start);
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    sleeping: () => sleepers.size,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        // A real timer would overflow and fire at once.
        if (ms > 2_147_483_647) throw new RangeError(`a timer cannot hold ${ms} ms`);
        if (signal?.aborted === true) reject(signal.reason);
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > end) break;
        now = next.at;
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

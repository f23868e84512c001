import type { Clock } from '../../../shared/domain/clock.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Time that moves only when nothing else is left to do. */
export interface VirtualClock extends Clock {
  /** Counts work outside of promises (requests under way) that time must wait for. */
  busy: number;
  advance(ms: number): void;
  /** Runs until `work` settles, jumping to the next timer whenever everything waits. */
  drive<Result>(work: Promise<Result>): Promise<Result>;
}

export function createVirtualClock(start = 1_800_000_000_000): VirtualClock {
  let time = start;
  const timers = new Set<Timer>();

  const fireNext = (): boolean => {
    const next = [...timers].toSorted((left, right) => left.at - right.at)[0];
    if (next === undefined) return false;
    time = Math.max(time, next.at);
    timers.delete(next);
    next.fire();
    return true;
  };

  return {
    busy: 0,
    now: () => time,
    advance(ms) {
      const until = time + ms;
      while ([...timers].some((timer) => timer.at <= until)) fireNext();
      time = until;
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const timer: Timer = { at: time + ms, fire: resolve };
        timers.add(timer);
        signal?.addEventListener('abort', () => {
          timers.delete(timer);
          reject(signal.reason);
        });
      });
    },
    async drive(work) {
      const progress = { isSettled: false };
      const settle = (): void => {
        progress.isSettled = true;
      };
      work.then(settle, settle);
      let idle = 0;
      while (!progress.isSettled) {
        await new Promise((resolve) => setImmediate(resolve));
        idle = this.busy > 0 ? 0 : idle + 1;
        // A few rounds, because a socket that closed needs some to be noticed.
        if (!progress.isSettled && idle > 3) {
          idle = 0;
          if (!fireNext()) throw new Error('everything waits, and no timer is set');
        }
      }
      return work;
    },
  };
}

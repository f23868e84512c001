import type { PullRequestRef } from '../../shared/domain/pull-request.ts';
import type { SessionStore } from '../../shared/sessions/store.ts';
import { SESSION_TIMINGS } from '../../shared/sessions/timings.ts';
import {
  createInMemoryQueue,
  createQueueMemory,
  type QueueMemory,
} from '../../shared/state/in-memory-queue.ts';
import { createInMemoryTable } from '../../shared/state/in-memory-table.ts';
import type { TablePort, TableScanPort } from '../../shared/state/ports.ts';
import { seededSource } from './sim/random.ts';

/** A store over the in-memory twins, with a clock that a test moves. */
export interface MemoryStore extends SessionStore {
  readonly table: TablePort & TableScanPort;
  readonly messages: QueueMemory;
  /** Moves the clock; nothing sleeps in these tests but what the test itself waits for. */
  readonly advance: (ms: number) => void;
  /** Calls of the table and the queue so far. */
  readonly calls: () => number;
}

export const PULL_REQUEST: PullRequestRef = {
  provider: 'github',
  instance: 'main',
  repositoryId: '4711',
  number: 7,
  repository: 'octo/hello',
};

export function createMemoryStore(startAt = 1_796_000_000_000): MemoryStore {
  let now = startAt;
  let calls = 0;
  const messages = createQueueMemory(() => now);
  const counted = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          calls += 1;
          return Reflect.apply(value, target, args);
        };
      },
    });
  return {
    table: counted(createInMemoryTable(() => now)),
    queue: counted(createInMemoryQueue(messages)),
    messages,
    clock: {
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          // Short pauses pass at once; renewals and deadlines never come in a test that does not run that long.
          if (ms < 1_000) resolve();
        }),
    },
    random: seededSource(1),
    timings: SESSION_TIMINGS,
    advance: (ms) => {
      now += ms;
    },
    calls: () => calls,
  };
}

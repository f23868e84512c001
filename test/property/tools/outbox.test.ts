import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError, isAppError } from '../../../shared/domain/app-error.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { hasMarkerLine, readMarker } from '../../../shared/tools/markers.ts';
import type { Outbox, OutboxOperation, WriteAuthority } from '../../../shared/tools/outbox-ports.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { REF } from '../../unit/tools/fake-provider.ts';
import {
  createCountingRandom,
  createMemoryLog,
  FULL_GRANT,
  MARKER_KEYS,
  TIMINGS,
} from '../../unit/tools/fixture.ts';
import { createVirtualClock } from '../../unit/tools/virtual-clock.ts';
import { createFragileProcess, TABLE_FAULTS, type TableFault } from './fragile-process.ts';
import { PROVIDER_FAULTS, startLoopbackProvider, type LoopbackProvider } from './loopback-provider.ts';

const PARTITION = 'p';
const KEYS = ['first', 'second', 'third'];

const clock = createVirtualClock();
let provider: LoopbackProvider;
beforeAll(async () => {
  provider = await startLoopbackProvider(clock);
});
afterAll(() => provider.close());

const AUTHORITY: WriteAuthority = {
  grant: { ...FULL_GRANT, budgets: { writesPerRun: 1_000 } },
  pullRequest: REF,
  callerId: 'run-1',
  writesStopped: false,
};

/** Milliseconds each confirmation takes; -1 for one that refuses. */
let confirmations: number[] = [];

async function confirm(): Promise<void> {
  const ms = confirmations.shift() ?? 0;
  if (ms < 0) throw new AppError({ kind: 'stale', code: 'stale_head', message: 'The head moved.' });
  if (ms > 0) await clock.sleep(ms);
}

function operation(key: string): OutboxOperation<string> {
  return {
    key,
    kind: 'thread',
    authority: AUTHORITY,
    confirm,
    write: async (marker) => (await provider.post(`${marker}\ncomment ${key}`)).id,
    readBack: async (marker) => (await provider.list()).find(({ body }) => hasMarkerLine(body, marker))?.id,
    encode: (id) => id,
    decode: (stored) => stored,
  };
}

/** Writes every key, in its own order, and keeps trying until each is done or the process is gone. */
async function runInstance(outbox: Outbox, keys: readonly string[]): Promise<Map<string, string>> {
  const results = new Map<string, string>();
  for (let round = 0; round < 20 && results.size < keys.length; round += 1)
    for (const key of keys) {
      if (results.has(key)) continue;
      try {
        results.set(key, await outbox.run(PARTITION, operation(key)));
      } catch (error) {
        if (!isAppError(error)) throw error;
      }
    }
  return results;
}

const tableFaults = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<TableFault>('ok') },
    { weight: 1, arbitrary: fc.constantFrom(...TABLE_FAULTS) },
  ),
  { maxLength: 60 },
);
const scenario = fc.record({
  provider: fc.array(fc.constantFrom(...PROVIDER_FAULTS), { maxLength: 12 }),
  /** One entry per process; those that crash are followed by the next. */
  processes: fc.array(tableFaults, { minLength: 1, maxLength: 4 }),
  confirmations: fc.array(fc.constantFrom(0, 0, 20_000, 59_000, 90_000, -1), { maxLength: 8 }),
  keys: fc.subarray(KEYS, { minLength: 1 }),
  atOnce: fc.boolean(),
});

describe('outbox', () => {
  it('makes each write exactly once, whatever is lost, crashes, repeats or runs at the same time', async () => {
    let lost = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ provider: faults, processes, keys, atOnce, ...rest }) => {
        confirmations = [...rest.confirmations];
        provider.comments.length = 0;
        provider.faults = [...faults];
        const shared = createInMemoryTable(() => clock.now());
        const random = createCountingRandom();
        const start = async (
          tableFaultsOfIt: TableFault[],
          order: readonly string[],
        ): Promise<Map<string, string> | 'crashed'> => {
          const process = createFragileProcess(shared, clock, [...tableFaultsOfIt]);
          const outbox = createOutbox({
            table: process.table,
            clock,
            timings: TIMINGS,
            markerKeys: MARKER_KEYS,
            random,
            log: createMemoryLog(),
          });
          return Promise.race([runInstance(outbox, order), process.gone]);
        };
        const runs = processes.map((own, index) => {
          const order = index % 2 === 0 ? keys : keys.toReversed();
          return () => start(own, order);
        });
        if (atOnce) await clock.drive(Promise.all(runs.map((run) => run())));
        else for (const run of runs) await clock.drive(run());
        lost += provider.comments.length;
        // A last process that nothing happens to finishes what is left; late effects have arrived by then.
        provider.faults = [];
        confirmations = [];
        clock.advance(61_000);
        const results = await clock.drive(start([], keys));
        if (results === 'crashed') throw new Error('the last process must not crash');
        const markers = provider.comments.map(({ body }) => readMarker(body));
        expect(markers).toHaveLength(keys.length);
        expect(new Set(markers).size).toBe(keys.length);
        for (const key of keys) {
          const posted = provider.comments.find(({ body }) => body.endsWith(`comment ${key}`));
          expect(results.get(key)).toBe(posted?.id);
        }
      }),
      { numRuns: 250 },
    );
    expect(lost).toBeGreaterThan(100);
  }, 60_000);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainWake } from '../../../shared/sessions/message.ts';
import { jobKey, sessionPartition } from '../../../shared/state/keys.ts';
import { createMemoryStore, PULL_REQUEST, type MemoryStore } from '../../sessions/memory-store.ts';
import { loadPatched, type PatchedProtocol } from '../../sessions/mutants/patched-protocol.ts';
import { CLEAN_REPORT } from '../../sessions/sim/job.ts';
import { product } from '../../sessions/sim/product.ts';
import type { Protocol } from '../../sessions/sim/protocol.ts';
import { recorder } from '../../sessions/simulate.ts';

/** Tomorrow's build writes job rows in version 2, and reads those of version 1 through an upgrade. */
let tomorrow: PatchedProtocol;

beforeAll(async () => {
  tomorrow = await loadPatched({
    name: 'the next version of job rows',
    file: '../state/row-types.ts',
    patches: [
      [
        "  name: 'job',\n  version: 1,\n  upgrades: [],",
        "  name: 'job',\n  version: 2,\n  upgrades: [(values) => ({ ...values, attempts: 0 })],",
      ],
    ],
  });
});
afterAll(() => tomorrow.dispose());

async function append(protocol: Protocol, store: MemoryStore, deliveryKey: string): Promise<void> {
  const job = { kind: 'comment', class: 'command', cause: 'commented', ids: {} } as const;
  await protocol.appendJob(store, { pr: PULL_REQUEST, deliveryKey, job });
}

async function drain(protocol: Protocol, store: MemoryStore): Promise<{ end: string; ran: number[] }> {
  const ran: number[] = [];
  const end = await protocol.drainMessage(store, plainWake(PULL_REQUEST), {
    runJob: async (job, { state }) => {
      ran.push(job.ticket);
      return { kind: 'settled', report: CLEAN_REPORT, state };
    },
    applyControl: async () => ({ kind: 'ignored', reason: 'none' }),
    log: recorder([]),
  });
  return { end, ran };
}

const version = async (store: MemoryStore, ticket: number) =>
  (await store.table.get(sessionPartition(PULL_REQUEST), jobKey(ticket)))?.values['v'];

it('a job of the newer build waits for it after a roll-back, and runs when it is back', async () => {
  const store = createMemoryStore();
  await append(tomorrow.protocol, store, 'a');
  expect(await version(store, 1)).toBe(2);
  expect(await drain(product, store)).toEqual({ end: 'newer_build', ran: [] });
  expect(await version(store, 1)).toBe(2);
  expect(await drain(tomorrow.protocol, store)).toEqual({ end: 'idle', ran: [1] });
});

it('a job of the older build is upgraded when the newer one reads it', async () => {
  const store = createMemoryStore();
  await append(product, store, 'a');
  expect(await version(store, 1)).toBe(1);
  expect(await drain(tomorrow.protocol, store)).toEqual({ end: 'idle', ran: [1] });
});

it('both builds append to one session while the new one is rolled out', async () => {
  const store = createMemoryStore();
  await append(product, store, 'a');
  await append(tomorrow.protocol, store, 'b');
  await append(product, store, 'c');
  expect(await drain(product, store)).toEqual({ end: 'newer_build', ran: [] });
  expect(await drain(tomorrow.protocol, store)).toEqual({ end: 'idle', ran: [1, 2, 3] });
});

import { describe, expect, it } from 'vitest';
import { appendJob } from '../../../shared/sessions/append.ts';
import type { SessionStore } from '../../../shared/sessions/store.ts';
import { deadLetterKey, deliveryKey, sessionPartition } from '../../../shared/state/keys.ts';
import type { TableAction, WriteResult } from '../../../shared/state/ports.ts';
import { deadLetterRow, headRow, jobRow } from '../../../shared/state/row-types.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createMemoryStore, PULL_REQUEST, type MemoryStore } from '../../sessions/memory-store.ts';

const PARTITION = sessionPartition(PULL_REQUEST);
const job = {
  kind: 'review.full',
  class: 'push',
  cause: 'pull_request.opened',
  ids: { head: 'abc' },
} as const;
const accepted = { pr: PULL_REQUEST, deliveryKey: 'a', job };

/** The store with every transaction answered by `answer`, which may carry it out. */
function withTransactions(
  store: MemoryStore,
  answer: (carryOut: () => Promise<WriteResult>, actions: readonly TableAction[]) => Promise<WriteResult>,
): SessionStore {
  const transaction = (partition: string, actions: readonly TableAction[]): Promise<WriteResult> =>
    answer(() => store.table.transaction(partition, actions), actions);
  return { ...store, table: { get: store.table.get, range: store.table.range, transaction } };
}

async function headOf(store: MemoryStore) {
  const row = await store.table.get(PARTITION, 'h');
  return row === undefined ? undefined : headRow.decode(row);
}

describe('an accepted delivery', () => {
  it('is durable and awake after 4 storage calls', async () => {
    const store = createMemoryStore();
    expect(await appendJob(store, accepted)).toBe('appended');
    expect(store.calls()).toBe(4);
    expect(await headOf(store)).toEqual({ next: 2, newestPush: 1, newestControl: 0, pr: PULL_REQUEST });
    const [row] = await store.table.range(PARTITION, 'j', 'k');
    expect(row && jobRow.decode(row)).toEqual({
      ...job,
      attempts: 0,
      delays: 0,
      notBefore: 0,
      firstFailedAt: 0,
    });
    expect(
      store.messages.list().map(({ body, visibleAt }) => ({ body, inMs: visibleAt - store.clock.now() })),
    ).toEqual([{ body: { v: 1, pr: PULL_REQUEST }, inMs: 0 }]);
  });

  it('gets the next ticket, and its class becomes the newest', async () => {
    const store = createMemoryStore();
    const classes = ['push', 'command', 'control', 'push', 'command'] as const;
    for (const [n, jobClass] of classes.entries()) {
      await appendJob(store, { ...accepted, deliveryKey: `d${n}`, job: { ...job, class: jobClass } });
    }
    expect(await headOf(store)).toMatchObject({ next: 6, newestPush: 4, newestControl: 3 });
  });

  it('is appended once and wakes once more when it is delivered again', async () => {
    const store = createMemoryStore();
    await appendJob(store, accepted);
    expect(await appendJob(store, accepted)).toBe('duplicate');
    expect(store.messages.list()).toHaveLength(2);
    expect(await headOf(store)).toMatchObject({ next: 2 });
  });

  it('keeps the latest name of the repository, which is no part of the key', async () => {
    const store = createMemoryStore();
    await appendJob(store, accepted);
    await appendJob(store, {
      ...accepted,
      deliveryKey: 'b',
      pr: { ...PULL_REQUEST, repository: 'octo/renamed' },
    });
    expect((await headOf(store))?.pr.repository).toBe('octo/renamed');
  });

  it('runs again after its job ended as a dead letter, as often as that happens', async () => {
    const store = createMemoryStore();
    await appendJob(store, accepted);
    const dead = (ticket: number) =>
      store.table.transaction(PARTITION, [
        {
          kind: 'create',
          rowKey: deadLetterKey(ticket),
          values: deadLetterRow.encode({ ...job, kind: 'run.failed', reported: true }),
        },
      ]);
    await dead(1);
    expect(await appendJob(store, accepted)).toBe('appended');
    expect(await appendJob(store, accepted)).toBe('duplicate');
    await dead(2);
    expect(await appendJob(store, accepted)).toBe('appended');
    expect(await headOf(store)).toMatchObject({ next: 4 });
    expect(await store.table.get(PARTITION, deliveryKey('a/1'))).toBeDefined();
    expect(await store.table.get(PARTITION, deliveryKey('a/1/2'))).toBeDefined();
  });

  it('shares no row with the same number in a repository of the same name elsewhere', async () => {
    const store = createMemoryStore();
    const elsewhere = [
      { ...PULL_REQUEST, repositoryId: '4712' },
      { ...PULL_REQUEST, instance: 'other' },
      { ...PULL_REQUEST, provider: 'gitlab' as const },
    ];
    for (const pr of [PULL_REQUEST, ...elsewhere]) await appendJob(store, { ...accepted, pr });
    const partitions = [PULL_REQUEST, ...elsewhere].map(sessionPartition);
    expect(new Set(partitions).size).toBe(4);
    for (const partition of partitions) {
      const rows = await store.table.range(partition, '!', '~');
      expect(rows.map(({ rowKey }) => rowKey)).toEqual([deliveryKey('a'), 'h', 'j000000000001']);
    }
  });
});

describe('an append that storage answers unclearly', () => {
  it('is ours when the answer was lost', async () => {
    const store = createMemoryStore();
    const lossy = withTransactions(store, async (carryOut) => {
      await carryOut();
      return { kind: 'unclear', status: undefined };
    });
    expect(await appendJob(lossy, accepted)).toBe('appended');
    expect(await headOf(store)).toMatchObject({ next: 2 });
  });

  it('is tried again when it lost a race', async () => {
    const store = createMemoryStore();
    let isFirst = true;
    const racing = withTransactions(store, async (carryOut) => {
      if (isFirst) {
        isFirst = false;
        await appendJob(store, { ...accepted, deliveryKey: 'rival' });
      }
      return carryOut();
    });
    expect(await appendJob(racing, accepted)).toBe('appended');
    expect(await headOf(store)).toMatchObject({ next: 3, newestPush: 2 });
  });

  it('is given up after 60 s, with a request to deliver it again', async () => {
    const store = createMemoryStore();
    const failing = withTransactions(store, async () => {
      store.advance(7_000);
      return { kind: 'unclear', status: 503 };
    });
    await expect(appendJob(failing, accepted)).rejects.toMatchObject({
      kind: 'transient',
      code: 'append_conflict',
      retryAfterMs: 60_000,
    });
    expect(await headOf(store)).toBeUndefined();
    // The message that was sent before stays until it has waited long enough.
    expect(store.messages.list().map(({ body }) => body)).toMatchObject([{ delivery: 'a' }]);
  });

  it('is not acknowledged when storage refuses', async () => {
    const store = createMemoryStore();
    const refused = new AppError({ kind: 'permanent', code: 'storage_denied', message: 'no' });
    const refusing = withTransactions(store, () => Promise.reject(refused));
    await expect(appendJob(refusing, accepted)).rejects.toBe(refused);
  });

  it('waits for the newer build that wrote the head', async () => {
    const store = createMemoryStore();
    await store.table.transaction(PARTITION, [{ kind: 'create', rowKey: 'h', values: { v: 99 } }]);
    await expect(appendJob(store, accepted)).rejects.toMatchObject({
      kind: 'transient',
      code: 'row_too_new',
    });
    expect(await store.table.range(PARTITION, 'j', 'k')).toEqual([]);
  });
});

describe('the wake of an append', () => {
  it.each([
    { what: 'the receipt does not hold', reschedule: async () => false },
    { what: 'storage refuses the change', reschedule: () => Promise.reject(new Error('refused')) },
  ])('is sent anew when $what', async ({ reschedule }) => {
    const store = createMemoryStore();
    const queue = { send: store.queue.send, delete: store.queue.delete, reschedule };
    expect(await appendJob({ ...store, queue }, accepted)).toBe('appended');
    expect(store.messages.list().map(({ body, visibleAt }) => [body, visibleAt - store.clock.now()])).toEqual(
      [
        [{ v: 1, pr: PULL_REQUEST }, 0],
        [{ v: 1, pr: PULL_REQUEST, delivery: 'a', expires: store.clock.now() + 600_000 }, 30_000],
      ],
    );
  });
});

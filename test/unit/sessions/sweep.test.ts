import { describe, expect, it } from 'vitest';
import { appendJob } from '../../../shared/sessions/append.ts';
import { drainMessage } from '../../../shared/sessions/drain.ts';
import { sweepSessions, type DeadLetter, type SweepCounts } from '../../../shared/sessions/sweep.ts';
import { decideControl } from '../../../shared/sessions/control.ts';
import {
  deadLetterKey,
  draftKey,
  findingKey,
  outboxKey,
  passKey,
  sessionPartition,
  threadKey,
} from '../../../shared/state/keys.ts';
import { deadLetterRow, leaseRow } from '../../../shared/state/row-types.ts';
import { createMemoryStore, PULL_REQUEST, type MemoryStore } from '../../sessions/memory-store.ts';
import { CLEAN_REPORT } from '../../sessions/sim/job.ts';
import { recorder, type LogLine } from '../../sessions/simulate.ts';

const DAY = 24 * 3_600_000;
const HOUR = 3_600_000;
const PARTITION = sessionPartition(PULL_REQUEST);
const log = recorder([]);

interface Swept {
  readonly counts: SweepCounts;
  readonly reported: DeadLetter[];
}

interface DayOptions {
  readonly report?: () => Promise<void>;
  readonly lines?: LogLine[];
  /** What the provider says; absent: nobody asks. */
  readonly isClosed?: () => Promise<boolean>;
}

/** One day of hourly sweeps. */
async function sweepDay(store: MemoryStore, options: DayOptions = {}): Promise<Swept> {
  const total: SweepCounts = { partitions: 0, woken: 0, reported: 0, purged: 0 };
  const reported: DeadLetter[] = [];
  const { isClosed } = options;
  for (let hour = 0; hour < 24; hour++) {
    const counts = await sweepSessions(store, {
      scan: store.table,
      report: async (_pr, letter) => {
        await options.report?.();
        reported.push(letter);
      },
      ...(isClosed === undefined ? {} : { isClosed }),
      retentionMs: 90 * DAY,
      log: recorder(options.lines ?? []),
    });
    for (const name of ['partitions', 'woken', 'reported', 'purged'] as const) total[name] += counts[name];
    store.advance(HOUR);
  }
  return { counts: total, reported };
}

const isDown = async (): Promise<never> => {
  throw new Error('provider down');
};

const job = { kind: 'review.full', class: 'push', cause: 'pull_request.opened', ids: {} } as const;

async function settleAll(store: MemoryStore): Promise<void> {
  for (
    let message = store.messages.receive(600_000);
    message !== undefined;
    message = store.messages.receive(600_000)
  ) {
    await drainMessage(store, message.body, {
      runJob: async (_job, { state }) => ({ kind: 'settled', report: CLEAN_REPORT, state }),
      applyControl: async (control, context) => decideControl(control, context),
      log,
    });
    store.messages.delete(message);
  }
}

function dropMessages(store: MemoryStore): void {
  for (let message = store.messages.receive(0); message !== undefined; message = store.messages.receive(0)) {
    store.messages.delete(message);
  }
}

async function keys(store: MemoryStore): Promise<string[]> {
  return (await store.table.range(PARTITION, '!', '~')).map(({ rowKey }) => rowKey);
}

const put = (store: MemoryStore, rowKey: string, values = {}) =>
  store.table.transaction(PARTITION, [{ kind: 'upsert', rowKey, values: { v: 1, ...values } }]);

describe('the sweep', () => {
  it('meets every session once a day, a 24th of them each hour', async () => {
    const store = createMemoryStore();
    for (let number = 1; number <= 100; number++) {
      await appendJob(store, { pr: { ...PULL_REQUEST, number }, deliveryKey: `d${number}`, job });
    }
    const { counts } = await sweepDay(store);
    expect(counts).toMatchObject({ partitions: 100, woken: 100 });
  });

  it('wakes a session whose messages are gone, and leaves one alone that somebody works on', async () => {
    const store = createMemoryStore();
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'a', job });
    dropMessages(store);
    expect((await sweepDay(store)).counts.woken).toBe(1);
    expect(store.messages.list().map(({ body }) => body)).toEqual([{ v: 1, pr: PULL_REQUEST }]);

    const until = store.clock.now() + 30 * DAY;
    await put(store, 'l', leaseRow.encode({ fence: 1, owner: 'somebody', until }));
    expect((await sweepDay(store)).counts.woken).toBe(0);
  });

  it('reports a dead letter until it worked, then never again', async () => {
    const store = createMemoryStore();
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'a', job });
    await settleAll(store);
    const values = deadLetterRow.encode({ ...job, kind: 'run.failed', reported: false });
    await put(store, deadLetterKey(1), values);
    const lines: LogLine[] = [];
    const failing = await sweepDay(store, { report: isDown, lines });
    expect(failing.counts.reported).toBe(0);
    expect(lines.map(({ event }) => event)).toContain('sweep.reportFailed');
    const working = await sweepDay(store);
    expect(working.reported).toEqual(
      [{ ...job, kind: 'run.failed', reported: true, ticket: 1 }].map((x) => ({ ...x, reported: false })),
    );
    expect((await sweepDay(store)).reported).toEqual([]);
  });

  it('goes on after a session that cannot be read', async () => {
    const store = createMemoryStore();
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'a', job });
    await appendJob(store, { pr: { ...PULL_REQUEST, number: 8 }, deliveryKey: 'b', job });
    await put(store, 'h', { v: 99 });
    const lines: LogLine[] = [];
    const { counts } = await sweepDay(store, { lines });
    expect(counts).toMatchObject({ partitions: 2, woken: 1 });
    expect(lines.filter(({ event }) => event === 'sweep.sessionFailed')).toHaveLength(1);
  });
});

describe('the purge', () => {
  const historic = [outboxKey('x'), passKey('plan', 'pass'), draftKey('client', 1)];
  const lasting = [findingKey('fingerprint'), threadKey('thread')];

  async function oldSession(isClosed: boolean): Promise<MemoryStore> {
    const store = createMemoryStore();
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'a', job });
    if (isClosed) {
      const closed = {
        kind: 'control',
        class: 'control',
        cause: 'closed',
        ids: { action: 'closed' },
      } as const;
      await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'b', job: closed });
    }
    await settleAll(store);
    for (const rowKey of [...historic, ...lasting]) await put(store, rowKey);
    await put(store, deadLetterKey(1), deadLetterRow.encode({ ...job, reported: true }));
    await put(store, deadLetterKey(2), deadLetterRow.encode({ ...job, reported: false }));
    return store;
  }

  it('keeps everything within retention', async () => {
    const store = await oldSession(true);
    const before = await keys(store);
    store.advance(80 * DAY);
    const { counts } = await sweepDay(store);
    expect(counts.purged).toBe(0);
    expect(await keys(store)).toEqual(before);
  });

  it('of an open pull request deletes history, never head, lease, state, findings and threads', async () => {
    const store = await oldSession(false);
    store.advance(400 * DAY);
    await sweepDay(store);
    expect(await keys(store)).toEqual([lasting[0], 'h', 'l', 's', lasting[1]]);
  });

  it('gives up a dead letter that could not be reported within retention', async () => {
    const store = await oldSession(false);
    store.advance(400 * DAY);
    await sweepDay(store, { report: isDown });
    expect(await keys(store)).not.toContain(deadLetterKey(2));
  });

  it('of a closed pull request deletes all but head and lease, so that tickets and fences go on', async () => {
    const store = await oldSession(true);
    const fence = (await store.table.get(PARTITION, 'l'))?.values['fence'];
    store.advance(400 * DAY);
    await sweepDay(store, { isClosed: async () => true });
    expect(await keys(store)).toEqual(['h', 'l']);
    expect((await store.table.get(PARTITION, 'h'))?.values['next']).toBe(3n);
    expect((await store.table.get(PARTITION, 'l'))?.values['fence']).toBe(fence);
  });

  it.each([
    { what: 'that the provider says is open again', options: { isClosed: async () => false } },
    { what: 'that the provider does not answer for', options: { isClosed: isDown } },
    { what: 'that nobody asks the provider about', options: {} },
  ])('of a closed pull request $what keeps state, findings and threads', async ({ options }) => {
    const store = await oldSession(true);
    store.advance(400 * DAY);
    await sweepDay(store, options);
    expect(await keys(store)).toEqual([lasting[0], 'h', 'l', 's', lasting[1]]);
  });

  it('does not even ask about a pull request that got a push after it was closed', async () => {
    const store = await oldSession(true);
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'reopened', job });
    await settleAll(store);
    store.advance(400 * DAY);
    let asked = 0;
    const isClosed = async (): Promise<boolean> => {
      asked += 1;
      return true;
    };
    await sweepDay(store, { isClosed });
    expect(asked).toBe(0);
    expect(await keys(store)).toContain('s');
  });

  it('deletes nothing while a job waits', async () => {
    const store = await oldSession(false);
    store.advance(400 * DAY);
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'late', job });
    const before = await keys(store);
    await sweepDay(store);
    expect(await keys(store)).toEqual(before);
  });

  it('deletes nothing when a job comes between the scan and the delete', async () => {
    const store = await oldSession(true);
    store.advance(400 * DAY);
    let rows = 0;
    for (let hour = 0; hour < 24; hour++) {
      await sweepSessions(store, {
        scan: {
          async *scan(from, to, columns) {
            for await (const row of store.table.scan(from, to, columns)) {
              rows += 1;
              if (rows === 1) await appendJob(store, { pr: PULL_REQUEST, deliveryKey: 'between', job });
              yield row;
            }
          },
        },
        report: async () => undefined,
        isClosed: async () => true,
        retentionMs: 90 * DAY,
        log,
      });
      store.advance(HOUR);
    }
    expect(await keys(store)).toEqual(expect.arrayContaining([...historic, ...lasting, 's']));
  });

  it('deletes many rows, 99 in a transaction', async () => {
    const store = await oldSession(false);
    for (let n = 0; n < 250; n++) await put(store, outboxKey(`many ${n}`));
    store.advance(400 * DAY);
    const { counts } = await sweepDay(store);
    expect(counts.purged).toBe(250 + historic.length + 3);
  });
});

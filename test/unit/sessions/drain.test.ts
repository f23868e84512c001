import { describe, expect, it } from 'vitest';
import type { NewJob } from '../../../shared/domain/job.ts';
import { appendJob } from '../../../shared/sessions/append.ts';
import { decideControl } from '../../../shared/sessions/control.ts';
import { drainMessage, type DrainEnd } from '../../../shared/sessions/drain.ts';
import { deliveryWake, guardFor, plainWake } from '../../../shared/sessions/message.ts';
import type { JobContext, JobRunner } from '../../../shared/sessions/ports.ts';
import { jobKey, sessionPartition } from '../../../shared/state/keys.ts';
import type { RowValues } from '../../../shared/state/ports.ts';
import { leaseRow, stateRow } from '../../../shared/state/row-types.ts';
import { createMemoryStore, PULL_REQUEST, type MemoryStore } from '../../sessions/memory-store.ts';
import { CLEAN_REPORT } from '../../sessions/sim/job.ts';
import { recorder, type LogLine } from '../../sessions/simulate.ts';

const PARTITION = sessionPartition(PULL_REQUEST);
const push: NewJob = { kind: 'review.full', class: 'push', cause: 'opened', ids: {} };
const command: NewJob = { kind: 'comment', class: 'command', cause: 'commented', ids: {} };
const control = (action: string, actor = 'author'): NewJob => ({
  kind: 'control',
  class: 'control',
  cause: 'asked',
  ids: { action, actor },
});
const settle: JobRunner = async (_job, { state }) => ({ kind: 'settled', report: CLEAN_REPORT, state });

interface Drained {
  readonly end: DrainEnd;
  readonly ran: string[];
  readonly lines: LogLine[];
}

async function drain(store: MemoryStore, body: unknown, runJob: JobRunner = settle): Promise<Drained> {
  const ran: string[] = [];
  const lines: LogLine[] = [];
  const end = await drainMessage(store, body, {
    runJob: (job, context) => {
      ran.push(`${job.kind} ${job.ticket}`);
      return runJob(job, context);
    },
    applyControl: async (asked, context) =>
      asked.ids['actor'] === 'stranger'
        ? { kind: 'ignored', reason: 'not_allowed' }
        : decideControl(asked, context),
    log: recorder(lines),
  });
  return { end, ran, lines };
}

async function append(store: MemoryStore, ...jobs: NewJob[]): Promise<void> {
  for (const [n, job] of jobs.entries()) {
    await appendJob(store, { pr: PULL_REQUEST, deliveryKey: `${store.calls()}/${n}`, job });
  }
}

const jobsLeft = async (store: MemoryStore) =>
  (await store.table.range(PARTITION, 'j', 'k')).map(({ rowKey }) => rowKey);
const lease = async (store: MemoryStore) => (await store.table.get(PARTITION, 'l'))?.values;
const put = (store: MemoryStore, rowKey: string, values: RowValues) =>
  store.table.transaction(PARTITION, [{ kind: 'upsert', rowKey, values }]);

describe('one quiet event', () => {
  it('costs 9 storage calls to drain, a confirmed write 2 more', async () => {
    const store = createMemoryStore();
    await append(store, push);
    const before = store.calls();
    expect(await drain(store, plainWake(PULL_REQUEST))).toMatchObject({
      end: 'idle',
      ran: ['review.full 1'],
    });
    expect(store.calls() - before).toBe(9);

    await append(store, push);
    const again = store.calls();
    await drain(store, plainWake(PULL_REQUEST), async (job, context) => {
      await context.confirmBeforeWrite();
      return settle(job, context);
    });
    expect(store.calls() - again).toBe(11);
  });

  it('hands the job what it needs to know', async () => {
    const store = createMemoryStore();
    await append(store, push);
    let seen: JobContext | undefined;
    await drain(store, plainWake({ ...PULL_REQUEST, repository: 'octo/old-name' }), async (job, context) => {
      seen = context;
      return settle(job, context);
    });
    expect(seen).toMatchObject({
      pr: PULL_REQUEST,
      partitionKey: PARTITION,
      fence: 1,
      state: {},
      isProtected: false,
    });
    expect(seen?.signal.aborted).toBe(false);
  });

  it('leaves the lease free, its fence kept, and no guard behind', async () => {
    const store = createMemoryStore();
    await append(store, push);
    await drain(store, plainWake(PULL_REQUEST));
    expect(await lease(store)).toEqual({ v: 1, fence: 1n, owner: '', until: 0n });
    expect(store.messages.list().map(({ body }) => body)).toEqual([plainWake(PULL_REQUEST)]);
  });

  it('remembers the state that the run gave back', async () => {
    const store = createMemoryStore();
    await append(store, push);
    await drain(store, plainWake(PULL_REQUEST), async () => ({
      kind: 'settled',
      report: CLEAN_REPORT,
      state: { lastCompletedHead: 'abc', supersededInARow: 99, closedTicket: 5 },
    }));
    // The last two are the drain's own: a run cannot set them.
    const row = await store.table.get(PARTITION, 's');
    expect(row && stateRow.decode(row)).toEqual({ state: { lastCompletedHead: 'abc' } });
  });
});

describe('messages that have nothing to do', () => {
  const held = (fence: number, untilMs: number) => leaseRow.encode({ fence, owner: 'other', until: untilMs });

  it.each([
    { what: 'a wake for an unknown pull request', body: plainWake(PULL_REQUEST), end: 'nothing_to_do' },
    { what: 'text', body: 'hello', end: 'unreadable' },
    { what: 'an expired delivery', body: deliveryWake(PULL_REQUEST, 'x', 1), end: 'nothing_to_do' },
    {
      what: 'a guard of a lease that nobody ever took',
      body: guardFor(PULL_REQUEST, 1),
      end: 'nothing_to_do',
    },
  ])('$what', async ({ body, end }) => {
    const store = createMemoryStore();
    expect((await drain(store, body)).end).toBe(end);
    expect(store.messages.list()).toEqual([]);
  });

  it.each([
    { what: 'a wake', body: plainWake(PULL_REQUEST), end: 'held_by_other', again: [] },
    { what: 'an older guard', body: guardFor(PULL_REQUEST, 4), end: 'stale_guard', again: [] },
    { what: 'a newer guard', body: guardFor(PULL_REQUEST, 6), end: 'held_by_other', again: [] },
    { what: 'its own guard', body: guardFor(PULL_REQUEST, 5), end: 'guard_renewed', again: [42_000] },
  ])('$what while somebody else works', async ({ body, end, again }) => {
    const store = createMemoryStore();
    await append(store, push);
    await put(store, 'l', held(5, store.clock.now() + 40_000));
    const before = store.messages.list().length;
    expect((await drain(store, body)).end).toBe(end);
    const delays = store.messages.list().map(({ visibleAt }) => visibleAt - store.clock.now());
    expect(delays.slice(before)).toEqual(again);
  });

  it('waits for a delivery that is still on its way', async () => {
    const store = createMemoryStore();
    const wake = deliveryWake(PULL_REQUEST, 'slow', store.clock.now() + 600_000);
    expect((await drain(store, { ...wake, poisoned: 1 })).end).toBe('waits_for_delivery');
    expect(store.messages.list()).toMatchObject([
      { body: { ...wake, poisoned: 1 }, visibleAt: store.clock.now() + 30_000 },
    ]);
  });
});

describe('many jobs at once', () => {
  it('250 pushes: 249 are removed in writes of 90, one runs', async () => {
    const store = createMemoryStore();
    await append(store, ...Array.from({ length: 250 }, () => push));
    const { ran, lines } = await drain(store, plainWake(PULL_REQUEST));
    expect(ran).toEqual(['review.full 250']);
    const removed = lines.flatMap(({ event, fields }) =>
      event === 'job.superseded' ? [fields['tickets']] : [],
    );
    expect(removed.map((tickets) => (Array.isArray(tickets) ? tickets.length : 0))).toEqual([90, 90, 69]);
    expect(await jobsLeft(store)).toEqual([]);
  });

  it('200 control jobs are all applied, in their order', async () => {
    const store = createMemoryStore();
    const toggles = Array.from({ length: 200 }, (_, n) => control(n % 2 === 0 ? 'pause' : 'resume'));
    await append(store, ...toggles);
    expect(await drain(store, plainWake(PULL_REQUEST))).toMatchObject({ end: 'idle', ran: [] });
    expect(await jobsLeft(store)).toEqual([]);
    const row = await store.table.get(PARTITION, 's');
    expect(row && stateRow.decode(row)).toEqual({ state: { paused: false } });
  });

  it('one stop drops 200 commands that wait before it, and none after', async () => {
    const store = createMemoryStore();
    await append(store, ...Array.from({ length: 200 }, () => command), control('stop'), command);
    expect(await drain(store, plainWake(PULL_REQUEST))).toMatchObject({ end: 'idle', ran: ['comment 202'] });
    expect(await jobsLeft(store)).toEqual([]);
  });

  it('runs commands and the newest push in the order of their tickets', async () => {
    const store = createMemoryStore();
    await append(store, command, push, command, push, command);
    expect((await drain(store, plainWake(PULL_REQUEST))).ran).toEqual([
      'comment 1',
      'comment 3',
      'review.full 4',
      'comment 5',
    ]);
  });
});

describe('control jobs', () => {
  it('of somebody who may not ask settle as ignored', async () => {
    const store = createMemoryStore();
    await append(store, push, control('stop', 'stranger'));
    const { ran, lines } = await drain(store, plainWake(PULL_REQUEST));
    expect(ran).toEqual(['review.full 1']);
    expect(lines.find(({ event }) => event === 'control.ignored')?.fields).toEqual({
      ticket: 2,
      reason: 'not_allowed',
    });
  });

  it('with an action that no build knows settle as ignored', async () => {
    const store = createMemoryStore();
    await append(store, control('dance'));
    const { end, lines } = await drain(store, plainWake(PULL_REQUEST));
    expect(end).toBe('idle');
    expect(lines.find(({ event }) => event === 'control.ignored')?.fields['reason']).toBe('unknown_action');
  });

  it('for a deleted comment drop what that comment asked for', async () => {
    const store = createMemoryStore();
    const comment = (commentId: string): NewJob => ({ ...command, ids: { commentId } });
    const deleted = { ...control('comment-deleted'), ids: { action: 'comment-deleted', commentId: '2' } };
    await append(store, comment('1'), comment('2'), deleted);
    expect((await drain(store, plainWake(PULL_REQUEST))).ran).toEqual(['comment 1']);
  });
});

describe('a run that breaks the rules costs an attempt', () => {
  it.each([
    {
      what: 'findings that do not add up',
      run: async (): ReturnType<JobRunner> => ({
        kind: 'settled',
        report: { ...CLEAN_REPORT, outcome: 'posted', counts: { ...CLEAN_REPORT.counts, verified: 1 } },
        state: {},
      }),
    },
    {
      what: 'a state above 32 KiB',
      run: async (): ReturnType<JobRunner> => ({
        kind: 'settled',
        report: CLEAN_REPORT,
        state: { lastCompletedHead: 'x'.repeat(33_000) },
      }),
    },
  ])('$what', async ({ run }) => {
    const store = createMemoryStore();
    await append(store, push);
    expect((await drain(store, plainWake(PULL_REQUEST), run)).end).toBe('later');
    const [row] = await store.table.range(PARTITION, 'j', 'k');
    expect(row?.values).toMatchObject({ attempts: 1, kind: 'review.full' });
    expect(Number(row?.values['notBefore'])).toBeGreaterThan(store.clock.now());
    expect(await store.table.get(PARTITION, 's')).toBeUndefined();
  });
});

describe('rows of a newer build are left alone and the job waits', () => {
  it.each(['h', 'l', 's', jobKey(1)])('row %s', async (rowKey) => {
    const store = createMemoryStore();
    await append(store, push);
    await put(store, rowKey, { v: 99, mystery: 1 });
    const { end, ran } = await drain(store, guardFor(PULL_REQUEST, 1));
    expect({ end, ran }).toEqual({ end: 'newer_build', ran: [] });
    expect((await store.table.get(PARTITION, rowKey))?.values).toEqual({ v: 99, mystery: 1 });
    expect(await jobsLeft(store)).toEqual([jobKey(1)]);
    const waiting = store.messages.list().map(({ visibleAt }) => visibleAt - store.clock.now());
    expect(waiting).toContain(600_000);
  });

  it('a message of a newer build is sent again as it is', async () => {
    const store = createMemoryStore();
    expect((await drain(store, { v: 2, mystery: [1] })).end).toBe('newer_build');
    expect(store.messages.list()).toMatchObject([
      { body: { v: 2, mystery: [1] }, visibleAt: store.clock.now() + 600_000 },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import type { TablePort } from '../../../shared/state/ports.ts';
import type { Outbox, OutboxOperation } from '../../../shared/tools/outbox-ports.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import type { Grant } from '../../../shared/tools/tool.ts';
import { REF } from './fake-provider.ts';
import { createCountingRandom, createMemoryLog, FULL_GRANT, MARKER_KEYS, TIMINGS } from './fixture.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** 2027-01-15T08:00:00Z, the start of a clock hour. */
const START = 1_800_000_000_000;
const HOUR = 3_600_000;

function setUp(wrap: (table: TablePort) => TablePort = (table) => table) {
  const clock = createVirtualClock(START);
  const table = createInMemoryTable(() => clock.now());
  const budgets = createInMemoryTable(() => clock.now());
  const start = (seed: number): Outbox =>
    createOutbox({
      table: wrap(table),
      budgets: wrap(budgets),
      clock,
      timings: TIMINGS,
      markerKeys: MARKER_KEYS,
      random: createCountingRandom(seed),
      log: createMemoryLog(),
    });
  const outbox = start(1);
  const other = start(5_000);
  const posted: string[] = [];
  const drive = <Result>(operation: OutboxOperation<Result>, partition = 'p'): Promise<Result> =>
    clock.drive(outbox.run(partition, operation));
  return { clock, table, outbox, other, posted, drive };
}

function write(
  posted: string[],
  key: string,
  budgets: Grant['budgets'],
  changes: Partial<OutboxOperation<string>> & { callerId?: string; grantId?: string } = {},
): OutboxOperation<string> {
  const { callerId = 'c', grantId = 'g', ...rest } = changes;
  return {
    key,
    kind: 'thread',
    authority: {
      grant: { ...FULL_GRANT, id: grantId, budgets },
      pullRequest: REF,
      callerId,
      writesStopped: false,
    },
    confirm: async () => undefined,
    write: async () => {
      posted.push(key);
      return key;
    },
    readBack: async () => undefined,
    encode: (id) => id,
    decode: (id) => id,
    ...rest,
  };
}

const refused = new AppError({ kind: 'rejected', code: 'provider_refused', message: 'no' });
const refuse = (): Promise<string> => Promise.reject(refused);

describe('budgets', () => {
  it('ends a caller on one pull request after its writes, for good', async () => {
    const { posted, drive, clock } = setUp();
    const budgets = { writesPerRun: 2 };
    await drive(write(posted, '1', budgets));
    await drive(write(posted, '2', budgets));
    await expect(drive(write(posted, '3', budgets))).rejects.toMatchObject({
      kind: 'denied',
      code: 'budget_exhausted',
      message: 'This caller may write 2 times on this pull request; 2 are used.',
      retryAfterMs: undefined,
    });
    clock.advance(HOUR);
    await expect(drive(write(posted, '3', budgets))).rejects.toMatchObject({ code: 'budget_exhausted' });
    expect(await drive(write(posted, '3', budgets, { callerId: 'd' }))).toBe('3');
    expect(await drive(write(posted, '4', budgets), 'another pull request')).toBe('4');
  });

  it('ends everybody on one pull request for the hour, and says when it opens', async () => {
    const { posted, drive, clock } = setUp();
    const budgets = { writesPerHour: 1 };
    clock.advance(HOUR - 60_000);
    await drive(write(posted, '1', budgets));
    await expect(drive(write(posted, '2', budgets, { callerId: 'd', grantId: 'h' }))).rejects.toMatchObject({
      code: 'budget_exhausted',
      message:
        '1 writes an hour are allowed on this pull request; it opens again at 2027-01-15T09:00:00.000Z.',
      retryAfterMs: 60_000,
    });
    expect(await drive(write(posted, '3', budgets), 'another pull request')).toBe('3');
    clock.advance(60_000);
    expect(await drive(write(posted, '2', budgets))).toBe('2');
  });

  it('ends one grant over all pull requests for the hour', async () => {
    const { posted, drive, clock } = setUp();
    const budgets = { writesPerHourOverall: 2 };
    await drive(write(posted, '1', budgets));
    await drive(write(posted, '2', budgets), 'another pull request');
    await expect(drive(write(posted, '3', budgets), 'a third')).rejects.toMatchObject({
      code: 'budget_exhausted',
      message: '2 writes an hour are allowed under this grant; it opens again at 2027-01-15T09:00:00.000Z.',
      retryAfterMs: HOUR,
    });
    expect(await drive(write(posted, '4', budgets, { grantId: 'h' }))).toBe('4');
    clock.advance(HOUR);
    expect(await drive(write(posted, '3', budgets), 'a third')).toBe('3');
  });

  it('cannot be kept without a table for what spans pull requests', async () => {
    const clock = createVirtualClock(START);
    const outbox = createOutbox({
      table: createInMemoryTable(() => clock.now()),
      clock,
      timings: TIMINGS,
      markerKeys: MARKER_KEYS,
      random: createCountingRandom(),
      log: createMemoryLog(),
    });
    const posted: string[] = [];
    const run = outbox.run('p', write(posted, '1', { writesPerHourOverall: 5 }));
    await expect(clock.drive(run)).rejects.toMatchObject({ kind: 'permanent', code: 'budget_table_missing' });
    expect(posted).toEqual([]);
  });

  it.each([
    ['the run', { writesPerRun: 3 }],
    ['the hour', { writesPerHour: 3 }],
    ['the grant', { writesPerHourOverall: 3 }],
  ])(
    'counts a batch by its cost, takes all or nothing, and gives a refused write back to %s',
    async (_name, budgets) => {
      const { posted, drive, outbox } = setUp();
      const batch = write(posted, 'batch', budgets, { cost: 4 });
      await expect(drive(batch)).rejects.toMatchObject({ code: 'budget_exhausted' });
      await expect(drive({ ...batch, cost: 3, write: refuse })).rejects.toBe(refused);
      const authority = batch.authority;
      expect(await outbox.usage('p', authority)).toEqual({
        run: 0,
        hour: 0,
        hourOverall: 0,
        hourEndsAt: START + HOUR,
      });
      expect(await drive({ ...batch, cost: 3 })).toBe('batch');
      expect(await outbox.usage('p', authority)).toMatchObject({
        run: 3,
        hour: 3,
        hourOverall: 'writesPerHourOverall' in budgets ? 3 : 0,
      });
      await expect(drive(write(posted, 'more', budgets))).rejects.toMatchObject({ code: 'budget_exhausted' });
    },
  );

  it('charges a write once, however often it is tried', async () => {
    const { posted, drive, outbox, clock } = setUp();
    const budgets = { writesPerRun: 1, writesPerHour: 1, writesPerHourOverall: 1 };
    let tries = 0;
    const operation = write(posted, '1', budgets, {
      write: async () => {
        tries += 1;
        if (tries < 4) throw new AppError({ kind: 'transient', code: 'provider_failed', message: 'no' });
        return 'made';
      },
    });
    await expect(drive(operation)).rejects.toMatchObject({ code: 'write_unknown' });
    clock.advance(60_000);
    expect(await drive(operation)).toBe('made');
    expect(await drive(operation)).toBe('made');
    expect(await outbox.usage('p', operation.authority)).toMatchObject({ run: 1, hour: 1, hourOverall: 1 });
  });

  it.each([
    ['the run', { writesPerRun: 5 }],
    ['the hour', { writesPerHour: 5 }],
    ['the grant', { writesPerHourOverall: 5 }],
  ])('lets two instances at once not spend more than there is of %s', async (_name, budgets) => {
    const { posted, outbox, other, clock } = setUp();
    const attempts = Array.from({ length: 12 }, (_unused, index) =>
      (index % 2 === 0 ? outbox : other).run('p', write(posted, `w${index}`, budgets)).then(
        () => 'made',
        (error: AppError) => error.code,
      ),
    );
    const results = await clock.drive(Promise.all(attempts));
    expect(results.filter((result) => result === 'made')).toHaveLength(5);
    expect(new Set(results)).toEqual(new Set(['made', 'budget_exhausted']));
    expect(posted).toHaveLength(5);
  });

  it('counts one write once although two instances make it at the same time, and both hear of it', async () => {
    const { posted, outbox, other, clock } = setUp();
    const budgets = { writesPerRun: 9, writesPerHour: 9, writesPerHourOverall: 9 };
    const operation = write(posted, 'same', budgets);
    const results = await clock.drive(Promise.all([outbox.run('p', operation), other.run('p', operation)]));
    expect(results).toEqual(['same', 'same']);
    expect(posted).toEqual(['same']);
    expect(await outbox.usage('p', operation.authority)).toMatchObject({ run: 1, hour: 1, hourOverall: 1 });
  });

  it('counts once when the answers of the table are lost', async () => {
    const { posted, outbox, drive } = setUp((table) => {
      let calls = 0;
      return {
        ...table,
        async transaction(partitionKey, actions) {
          calls += 1;
          const result = await table.transaction(partitionKey, actions);
          return calls % 2 === 1 ? { kind: 'unclear', status: 503 } : result;
        },
      };
    });
    const budgets = { writesPerRun: 3, writesPerHour: 3, writesPerHourOverall: 3 };
    for (const key of ['1', '2', '3']) await drive(write(posted, key, budgets));
    expect(await outbox.usage('p', write(posted, '', budgets).authority)).toMatchObject({
      run: 3,
      hour: 3,
      hourOverall: 3,
    });
    expect(posted).toEqual(['1', '2', '3']);
  });
});

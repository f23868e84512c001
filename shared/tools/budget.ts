import { AppError } from '../domain/app-error.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import { defineRow, int32Column, textColumn } from '../state/define-row.ts';
import { budgetKey, shortHash } from '../state/keys.ts';
import type { TableAction, TablePort } from '../state/ports.ts';
import type { BudgetUse } from './outbox-ports.ts';
import type { Grant } from './tool.ts';

export const HOUR_MS = 3_600_000;

/** Epoch ms at which the clock hour that holds `now` began. */
export function hourOf(now: number): number {
  return now - (now % HOUR_MS);
}

/** Row `b<hash>`: what one window has used, of one pull request or (in GatehouseBudgets) of one grant. */
export const budgetRow = defineRow({
  name: 'budget',
  version: 1,
  upgrades: [],
  columns: {
    used: int32Column,
    /** Token of who moved it last: tells our own lost answer from somebody else's. */
    mover: textColumn,
  },
});

function hourKey(hour: number): string {
  return budgetKey(`hour|${hour}`);
}

interface Counter {
  readonly rowKey: string;
  readonly used: number;
  readonly etag: string | undefined;
}

/** What one caller and one hour have used on one pull request, with the ETags to move it by. */
export interface Counters {
  readonly run: Counter;
  readonly hour: Counter;
}

/** `hour`: epoch ms at which the hour began. */
export async function readCounters(
  table: TablePort,
  partitionKey: string,
  callerId: string,
  hour: number,
): Promise<Counters> {
  const read = async (rowKey: string): Promise<Counter> => {
    const row = await table.get(partitionKey, rowKey);
    return { rowKey, used: row === undefined ? 0 : budgetRow.decode(row).used, etag: row?.etag };
  };
  const [run, ofHour] = await Promise.all([read(budgetKey(`run|${callerId}`)), read(hourKey(hour))]);
  return { run, hour: ofHour };
}

/** Moves both counters by `units` (negative gives back), each only if nobody moved it since it was read. */
export function moveCounters(counters: Counters, units: number): TableAction[] {
  return [counters.run, counters.hour].map((counter): TableAction => {
    const values = budgetRow.encode({ used: Math.max(0, counter.used + units), mover: '' });
    return counter.etag === undefined
      ? { kind: 'create', rowKey: counter.rowKey, values }
      : { kind: 'replace', rowKey: counter.rowKey, values, etag: counter.etag };
  });
}

/** @throws AppError `denied` budget_exhausted when `units` more would pass a limit of the grant. */
export function assertWithinBudget(grant: Grant, use: BudgetUse, units: number, now: number): void {
  const { writesPerRun, writesPerHour, writesPerHourOverall } = grant.budgets;
  if (writesPerRun !== undefined && use.run + units > writesPerRun)
    throw exhausted(`This caller may write ${writesPerRun} times on this pull request; ${use.run} are used.`);
  const wait = Math.max(0, use.hourEndsAt - now);
  const opens = `it opens again at ${new Date(use.hourEndsAt).toISOString()}`;
  if (writesPerHour !== undefined && use.hour + units > writesPerHour)
    throw exhausted(`${writesPerHour} writes an hour are allowed on this pull request; ${opens}.`, wait);
  if (writesPerHourOverall !== undefined && use.hourOverall + units > writesPerHourOverall)
    throw exhausted(`${writesPerHourOverall} writes an hour are allowed under this grant; ${opens}.`, wait);
}

function exhausted(message: string, retryAfterMs?: number): AppError {
  return new AppError({
    kind: 'denied',
    code: 'budget_exhausted',
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** How often a counter that others move at the same time is tried before the write is put off. */
const MAX_RACES = 30;

/** The counter of one grant over all its pull requests. It lies in its own table, so it moves apart from the rest. */
export interface OverallBudget {
  used(grant: Grant, hour: number): Promise<number>;
  /** Moves the counter if `used + units` stays within the limit; false when it does not. */
  move(grant: Grant, hour: number, units: number): Promise<boolean>;
}

/** `table`: GatehouseBudgets; a grant without an overall limit never touches it. */
export function createOverallBudget(
  table: TablePort | undefined,
  clock: Clock,
  random: RandomSource,
): OverallBudget {
  const place = (): TablePort => {
    if (table !== undefined) return table;
    throw new AppError({
      kind: 'permanent',
      code: 'budget_table_missing',
      message: 'This grant has an overall budget, but no table to keep it in.',
    });
  };
  return {
    async used(grant, hour) {
      if (grant.budgets.writesPerHourOverall === undefined) return 0;
      const row = await place().get(shortHash(`grant|${grant.id}`), hourKey(hour));
      return row === undefined ? 0 : budgetRow.decode(row).used;
    },
    async move(grant, hour, units) {
      const limit = grant.budgets.writesPerHourOverall;
      if (limit === undefined) return true;
      const partitionKey = shortHash(`grant|${grant.id}`);
      const rowKey = hourKey(hour);
      const mover = random.hex(16);
      for (let race = 0; race < MAX_RACES; race += 1) {
        const row = await place().get(partitionKey, rowKey);
        const before = row === undefined ? undefined : budgetRow.decode(row);
        if (before?.mover === mover) return true;
        const used = Math.max(0, (before?.used ?? 0) + units);
        if (units > 0 && used > limit) return false;
        const values = budgetRow.encode({ used, mover });
        const written = await place().transaction(partitionKey, [
          row === undefined
            ? { kind: 'create', rowKey, values }
            : { kind: 'replace', rowKey, values, etag: row.etag },
        ]);
        if (written.kind === 'done') return true;
        await clock.sleep(Math.floor(random.number() * 50));
      }
      throw contended();
    },
  };
}

export function contended(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'budget_contended',
    message: 'Too many writes at once.',
    retryAfterMs: 2_000,
  });
}

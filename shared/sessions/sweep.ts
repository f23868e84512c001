import type { PullRequestRef } from '../domain/pull-request.ts';
import type { Logger } from '../observability/ports.ts';
import { HEAD_KEY, isJobKey, LEASE_KEY, partitionSlice, ROW_PREFIXES, ticketOfKey } from '../state/keys.ts';
import type { ScannedRow, TableScanPort } from '../state/ports.ts';
import { deadLetterRow, headRow, leaseRow, type DeadLetterRow } from '../state/row-types.ts';
import { plainWake } from './message.ts';
import { purgeSession } from './purge.ts';
import type { SessionStore } from './store.ts';

/** Hourly runs that together walk the whole key space: no run is a full scan. */
const SLICES = 24;
const HOUR_MS = 3_600_000;

/** A job that failed for good and whose failure nobody has seen yet. */
export interface DeadLetter extends DeadLetterRow {
  readonly ticket: number;
}

export interface SweepDeps {
  readonly scan: TableScanPort;
  /** Shows the failure on the pull request, once however often it is called. Throws when it cannot. */
  readonly report: (pr: PullRequestRef, deadLetter: DeadLetter) => Promise<void>;
  /**
   * Asks the provider whether the pull request is closed or merged; also true when it is gone for good. Without
   * it the state, findings and threads of closed pull requests are kept.
   */
  readonly isClosed?: (pr: PullRequestRef) => Promise<boolean>;
  readonly retentionMs: number;
  readonly log: Logger;
}

export interface SweepCounts {
  partitions: number;
  woken: number;
  reported: number;
  purged: number;
}

const COLUMNS: readonly string[] = [
  ...new Set(['v', ...[headRow, leaseRow, deadLetterRow].flatMap((row) => Object.keys(row.columns))]),
];

/**
 * Walks the slice of sessions that belongs to this hour: wakes those with jobs and no live lease, reports dead
 * letters again, and deletes rows past retention. One pull request that fails is logged and does not end the walk.
 * @throws AppError when the scan itself fails.
 */
export async function sweepSessions(store: SessionStore, deps: SweepDeps): Promise<SweepCounts> {
  const counts: SweepCounts = { partitions: 0, woken: 0, reported: 0, purged: 0 };
  const slice = Math.floor(store.clock.now() / HOUR_MS) % SLICES;
  const { from, to } = partitionSlice(slice, SLICES);
  let rows: ScannedRow[] = [];
  const finish = async (): Promise<void> => {
    const [first] = rows;
    if (first === undefined) return;
    counts.partitions += 1;
    try {
      await sweepOne(store, rows, deps, counts);
    } catch (error) {
      deps.log.warn('sweep.sessionFailed', { partition: first.partitionKey, error });
    }
  };
  for await (const row of deps.scan.scan(from, to, COLUMNS)) {
    if (rows[0] !== undefined && rows[0].partitionKey !== row.partitionKey) {
      await finish();
      rows = [];
    }
    rows.push(row);
  }
  await finish();
  deps.log.info('sweep.finished', { slice, ...counts });
  return counts;
}

async function sweepOne(
  store: SessionStore,
  rows: readonly ScannedRow[],
  deps: SweepDeps,
  counts: SweepCounts,
): Promise<void> {
  const headAsStored = rows.find(({ rowKey }) => rowKey === HEAD_KEY);
  if (headAsStored === undefined) return;
  const { pr } = headRow.decode(headAsStored);
  const leaseAsStored = rows.find(({ rowKey }) => rowKey === LEASE_KEY);
  const lease = leaseAsStored && leaseRow.decode(leaseAsStored);
  const isLive = lease !== undefined && lease.owner !== '' && store.clock.now() < lease.until;

  const hasJobs = rows.some(({ rowKey }) => isJobKey(rowKey));
  if (hasJobs && !isLive) {
    await store.queue.send(plainWake(pr), 0);
    counts.woken += 1;
  }
  for (const row of rows) {
    const ticket = row.rowKey.startsWith(ROW_PREFIXES.deadLetter) ? ticketOfKey(row.rowKey) : undefined;
    if (ticket === undefined) continue;
    const deadLetter = deadLetterRow.decode(row);
    if (deadLetter.reported) continue;
    try {
      await deps.report(pr, { ...deadLetter, ticket });
    } catch (error) {
      deps.log.warn('sweep.reportFailed', { partition: row.partitionKey, ticket, error });
      continue;
    }
    const values = deadLetterRow.encodePart({ reported: true });
    await store.table.transaction(row.partitionKey, [{ kind: 'merge', rowKey: row.rowKey, values }]);
    counts.reported += 1;
  }
  // Nobody works here, and the purge finds out whether that changes.
  if (!hasJobs && (lease === undefined || lease.owner === '')) {
    counts.purged += await purgeSession(store, rows, {
      head: headAsStored,
      retentionMs: deps.retentionMs,
      isClosed: deps.isClosed === undefined ? undefined : () => isClosed(deps, pr),
    });
  }
}

/** Whoever cannot say keeps the rows. */
async function isClosed({ isClosed: ask, log }: SweepDeps, pr: PullRequestRef): Promise<boolean> {
  try {
    return (await ask?.(pr)) ?? false;
  } catch (error) {
    log.warn('sweep.sessionFailed', { pr, error });
    return false;
  }
}

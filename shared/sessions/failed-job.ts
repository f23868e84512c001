import { AppError } from '../domain/app-error.ts';
import type { Logger } from '../observability/ports.ts';
import { deadLetterKey, jobKey } from '../state/keys.ts';
import { deadLetterRow, jobRow } from '../state/row-types.ts';
import type { HeldLease } from './lease.ts';
import { FAILURE_IDS } from './ports.ts';
import type { StoredJob } from './read-session.ts';
import type { SessionStore } from './store.ts';

/** Crashes, time-outs and bugs that a job may meet. */
export const MAX_ATTEMPTS = 3;
const MAX_REPEATS = 5;

/** Step (5): makes the job one that only reports its failure, in the same row, with attempts of its own. */
export async function toFailedJob(
  lease: HeldLease,
  job: StoredJob,
  code: string,
  log: Logger,
): Promise<'done' | 'lost'> {
  const values = jobRow.encodePart({
    kind: 'run.failed',
    ids: { ...job.ids, [FAILURE_IDS.kind]: job.kind, [FAILURE_IDS.code]: code },
    attempts: 0,
    delays: 0,
    notBefore: 0,
    firstFailedAt: 0,
  });
  log.error('job.failed', { ticket: job.ticket, jobKind: job.kind, code });
  return lease.fencedWrite([{ kind: 'merge', rowKey: jobKey(job.ticket), values }]);
}

/**
 * Step (5), when even the report failed: writes the dead letter, which the sweep reports and which lets the same
 * delivery run again, then removes the job. The dead letter is created without the lease, because a fenced write
 * must not create: whoever comes second finds it and keeps it.
 */
export async function buryJob(
  store: SessionStore,
  lease: HeldLease,
  job: StoredJob,
  log: Logger,
): Promise<'done' | 'lost'> {
  await createDeadLetter(store, lease.partitionKey, job);
  log.error('job.deadLettered', { ticket: job.ticket, code: job.ids[FAILURE_IDS.code] });
  return lease.fencedWrite([{ kind: 'delete', rowKey: jobKey(job.ticket) }]);
}

async function createDeadLetter(store: SessionStore, partitionKey: string, job: StoredJob): Promise<void> {
  const { table, clock, random, timings } = store;
  const rowKey = deadLetterKey(job.ticket);
  const values = deadLetterRow.encode({
    kind: job.kind,
    class: job.class,
    cause: job.cause,
    ids: job.ids,
    reported: false,
  });
  for (let repeat = 0; repeat <= MAX_REPEATS; repeat++) {
    const result = await table.transaction(partitionKey, [{ kind: 'create', rowKey, values }]);
    if (result.kind === 'done' || (await table.get(partitionKey, rowKey)) !== undefined) return;
    await clock.sleep(Math.ceil(random.number() * timings.pauseMs));
  }
  throw new AppError({
    kind: 'transient',
    code: 'storage_unavailable',
    message: 'A dead letter could not be written; the job stays.',
  });
}

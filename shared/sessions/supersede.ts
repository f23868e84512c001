import type { Logger } from '../observability/ports.ts';
import { jobKey } from '../state/keys.ts';
import type { TableAction } from '../state/ports.ts';
import { jobRow } from '../state/row-types.ts';
import type { HeldLease } from './lease.ts';
import type { StoredJob } from './read-session.ts';

/** Jobs removed by one write; the rest of the 98 is for the push that inherits. */
const MAX_REMOVED = 90;

/**
 * Step (3): removes every push job but the newest, and answers the jobs that are left. The newest takes over how
 * long the removed ones had to wait: a newer head does not make an overloaded provider answer sooner.
 */
export async function removeSuperseded(
  lease: HeldLease,
  newestPush: number,
  jobs: readonly StoredJob[],
  log: Logger,
): Promise<readonly StoredJob[] | 'lost'> {
  const pushes = jobs.filter((job) => job.class === 'push');
  // A job may have been appended while the query was reading: its head row then is older than its last jobs.
  const newest = Math.max(newestPush, ...pushes.map(({ ticket }) => ticket));
  const superseded = pushes.filter(({ ticket }) => ticket < newest);
  const heir = pushes.find(({ ticket }) => ticket === newest);
  const notBefore = Math.max(heir?.notBefore ?? 0, ...superseded.map((job) => job.notBefore));

  for (let start = 0; start < superseded.length; start += MAX_REMOVED) {
    const removed = superseded.slice(start, start + MAX_REMOVED);
    const actions: TableAction[] = removed.map(({ ticket }) => ({ kind: 'delete', rowKey: jobKey(ticket) }));
    if (heir !== undefined && notBefore > heir.notBefore) {
      actions.push({ kind: 'merge', rowKey: jobKey(newest), values: jobRow.encodePart({ notBefore }) });
    }
    if ((await lease.fencedWrite(actions)) === 'lost') return 'lost';
    log.info('job.superseded', { tickets: removed.map(({ ticket }) => ticket), by: newest });
  }
  return jobs
    .filter((job) => !superseded.includes(job))
    .map((job) => (job === heir ? { ...job, notBefore } : job));
}

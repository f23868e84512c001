import { isAppError } from '../domain/app-error.ts';
import type { Logger } from '../observability/ports.ts';
import { jobKey, STATE_KEY } from '../state/keys.ts';
import { jobRow, stateRow } from '../state/row-types.ts';
import { buryJob, MAX_ATTEMPTS, toFailedJob } from './failed-job.ts';
import type { HeldLease } from './lease.ts';
import type { PullRequestState } from './ports.ts';
import type { StoredJob } from './read-session.ts';
import { retryDelay } from './retry-delay.ts';
import { LOST, type StepEnd } from './step.ts';
import type { SessionStore } from './store.ts';

/** Why a job did not end. */
export type Failure =
  /** Not tried: it may not run yet. */
  | { readonly kind: 'waits'; readonly delayMs: number }
  /** 429, 5xx, network, storage, overload: costs no attempt. */
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterMs?: number | undefined }
  /** The pull request moved on while it was worked on: there is nothing to do any more. */
  | { readonly kind: 'stale'; readonly code: string }
  /** Trying again cannot help. */
  | { readonly kind: 'final'; readonly code: string }
  /** A time-out or a bug: costs an attempt. */
  | { readonly kind: 'attempt'; readonly error: unknown };

/** Sorts what a job or a control check threw. */
export function failureOf(error: unknown): Failure {
  if (!isAppError(error)) return { kind: 'attempt', error };
  if (error.kind === 'transient') {
    return { kind: 'transient', reason: error.code, retryAfterMs: error.retryAfterMs };
  }
  return error.kind === 'stale' ? { kind: 'stale', code: error.code } : { kind: 'final', code: error.code };
}

/** Step (8) and its neighbours: writes down that `job` did not end. `job.attempts` is what is to be stored. */
export async function afterFailure(
  store: SessionStore,
  lease: HeldLease,
  job: StoredJob,
  state: PullRequestState,
  failure: Failure,
  log: Logger,
): Promise<StepEnd> {
  const next: StepEnd = { kind: 'next', state };
  if (failure.kind === 'waits') return { kind: 'later', delayMs: failure.delayMs };
  if (failure.kind === 'stale') {
    const written = await lease.fencedWrite([
      { kind: 'delete', rowKey: jobKey(job.ticket) },
      { kind: 'upsert', rowKey: STATE_KEY, values: stateRow.encode({ state: { ...state } }) },
    ]);
    if (written === 'lost') return LOST;
    log.info('job.settled', { ticket: job.ticket, outcome: 'superseded', reason: failure.code });
    return { ...next, isSettled: true };
  }
  if (failure.kind === 'transient') {
    const firstFailedAt = job.firstFailedAt === 0 ? store.clock.now() : job.firstFailedAt;
    if (store.clock.now() - firstFailedAt >= store.timings.transientLimitMs) {
      return (await giveUp(store, lease, job, failure.reason, log)) === 'lost' ? LOST : next;
    }
    log.warn('job.deferred', { ticket: job.ticket, reason: failure.reason });
    return defer(store, lease, { ...job, firstFailedAt, delays: job.delays + 1 }, failure.retryAfterMs);
  }
  if (failure.kind === 'final' && job.kind !== 'run.failed') {
    return (await toFailedJob(lease, job, failure.code, log)) === 'lost' ? LOST : next;
  }
  const cause = failure.kind === 'final' ? { code: failure.code } : { error: failure.error };
  log.error('job.attemptFailed', { ticket: job.ticket, attempts: job.attempts, ...cause });
  return job.attempts >= MAX_ATTEMPTS ? next : defer(store, lease, job, undefined);
}

async function defer(
  store: SessionStore,
  lease: HeldLease,
  job: StoredJob,
  retryAfterMs: number | undefined,
): Promise<StepEnd> {
  const { clock, random, timings } = store;
  const failures = Math.max(job.delays, job.attempts);
  const delayMs = retryDelay(timings, failures, retryAfterMs, random.number());
  const values = jobRow.encodePart({
    attempts: job.attempts,
    delays: job.delays,
    firstFailedAt: job.firstFailedAt,
    notBefore: clock.now() + delayMs,
  });
  const written = await lease.fencedWrite([{ kind: 'merge', rowKey: jobKey(job.ticket), values }]);
  return written === 'lost' ? LOST : { kind: 'later', delayMs };
}

/** The job met only transient failures for too long; a report that did is given to the sweep. */
function giveUp(
  store: SessionStore,
  lease: HeldLease,
  job: StoredJob,
  reason: string,
  log: Logger,
): Promise<'done' | 'lost'> {
  return job.kind === 'run.failed'
    ? buryJob(store, lease, job, log)
    : toFailedJob(lease, job, `waited_for_${reason}`, log);
}

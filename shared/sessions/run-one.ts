import type { PullRequestRef } from '../domain/pull-request.ts';
import { jobKey, STATE_KEY } from '../state/keys.ts';
import { jobRow, stateRow } from '../state/row-types.ts';
import { afterFailure, failureOf, type Failure } from './after-failure.ts';
import { reportProblem } from './check-report.ts';
import type { HeldLease } from './lease.ts';
import type { AbortReason, DrainDeps, JobResult, PullRequestState } from './ports.ts';
import type { Session, StoredJob } from './read-session.ts';
import { LOST, type StepEnd } from './step.ts';
import type { SessionStore } from './store.ts';
import { watchRun } from './watch-run.ts';

/** Supersedes in a row after which the next run is not aborted by pushes. */
const PROTECTED_AFTER = 2;
/** Of row `s` as JSON; it is read with every run and must stay small. */
const MAX_STATE_BYTES = 32 * 1024;

export interface JobWork {
  readonly pr: PullRequestRef;
  readonly head: NonNullable<Session['head']>;
  readonly job: StoredJob;
  /** All jobs that wait, this one included. */
  readonly jobs: readonly StoredJob[];
  readonly state: PullRequestState;
}

type Settled = Extract<JobResult, { kind: 'settled' }>;
type RunEnd =
  | { readonly kind: 'settled'; readonly result: Settled }
  | { readonly kind: 'aborted'; readonly reason: 'superseded' | 'control' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Steps (6) to (8): counts the attempt, runs the job, and writes down how it ended. */
export async function runOne(
  store: SessionStore,
  lease: HeldLease,
  work: JobWork,
  deps: DrainDeps,
): Promise<StepEnd> {
  const { job, state } = work;
  const log = deps.log.child({ ticket: job.ticket, jobKind: job.kind });

  // (6) Before the run: a job that takes its process down with it must not do so for ever.
  const counted: StoredJob = { ...job, attempts: job.attempts + 1 };
  if ((await lease.fencedWrite([mergeAttempts(counted)])) === 'lost') return LOST;
  log.info('job.started', { attempts: counted.attempts });

  const end = await run(store, lease, { ...work, job: counted }, deps);
  if (end.kind === 'lost') {
    log.warn('run.aborted', { reason: 'lost' });
    return LOST;
  }
  if (end.kind === 'aborted') {
    log.info('run.aborted', { reason: end.reason });
    return giveBack(lease, job, state, end.reason);
  }
  if (end.kind === 'failed') {
    // A transient failure gives this attempt back.
    const stored = end.failure.kind === 'transient' ? job : counted;
    return afterFailure(store, lease, stored, state, end.failure, log);
  }

  // (7)
  const { report } = end.result;
  const next = nextState(job, state, end.result.state);
  const written = await lease.fencedWrite([
    { kind: 'delete', rowKey: jobKey(job.ticket) },
    { kind: 'upsert', rowKey: STATE_KEY, values: stateRow.encode({ state: { ...next } }) },
  ]);
  if (written === 'lost') return LOST;
  log.info('job.settled', { outcome: report.outcome, reason: report.reason, counts: report.counts });
  return { kind: 'next', state: next, isSettled: true };
}

async function run(store: SessionStore, lease: HeldLease, work: JobWork, deps: DrainDeps): Promise<RunEnd> {
  const isProtected = (work.state.supersededInARow ?? 0) >= PROTECTED_AFTER;
  const watch = watchRun(store, lease, { ...work, isProtected }, deps);
  try {
    const { job, pr, state } = work;
    const { partitionKey, fence } = lease;
    const running = deps.runJob(job, {
      pr,
      partitionKey,
      fence,
      state,
      isProtected,
      signal: watch.signal,
      confirmBeforeWrite: watch.confirmBeforeWrite,
    });
    const result = await Promise.race([running, watch.overdue]);
    return endOf(result, watch.abortReason());
  } catch (error) {
    return abortedEnd(watch.abortReason()) ?? { kind: 'failed', failure: failureOf(error) };
  } finally {
    await watch.stop();
  }
}

function endOf(result: JobResult | 'overdue', reason: AbortReason | undefined): RunEnd {
  if (reason === 'lost') return { kind: 'lost' };
  if (result === 'overdue' || result.kind === 'transient') {
    const aborted = abortedEnd(reason);
    if (aborted !== undefined) return aborted;
    if (result === 'overdue') throw new Error('a run that was not aborted cannot be overdue');
    return { kind: 'failed', failure: result };
  }
  // A run that says itself that it was superseded stopped early; any other report is of finished work.
  if (result.report.outcome === 'superseded') {
    const aborted = abortedEnd(reason);
    if (aborted !== undefined) return aborted;
  }
  const problem = reportProblem(result.report) ?? stateProblem(result.state);
  if (problem !== undefined)
    return { kind: 'failed', failure: { kind: 'attempt', error: new Error(problem) } };
  return { kind: 'settled', result };
}

function abortedEnd(reason: AbortReason | undefined): RunEnd | undefined {
  if (reason === undefined) return undefined;
  if (reason === 'lost') return { kind: 'lost' };
  if (reason !== 'deadline') return { kind: 'aborted', reason };
  return {
    kind: 'failed',
    failure: { kind: 'attempt', error: new Error('the run exceeded its time limit') },
  };
}

/** The job stays; the loop removes or repeats it. The attempt does not count. */
async function giveBack(
  lease: HeldLease,
  job: StoredJob,
  state: PullRequestState,
  reason: 'superseded' | 'control',
): Promise<StepEnd> {
  const next =
    reason === 'superseded' ? { ...state, supersededInARow: (state.supersededInARow ?? 0) + 1 } : state;
  const written = await lease.fencedWrite([
    mergeAttempts(job),
    { kind: 'upsert', rowKey: STATE_KEY, values: stateRow.encode({ state: { ...next } }) },
  ]);
  return written === 'lost' ? LOST : { kind: 'next', state: next };
}

function mergeAttempts({ ticket, attempts }: StoredJob) {
  return { kind: 'merge', rowKey: jobKey(ticket), values: jobRow.encodePart({ attempts }) } as const;
}

/** The state a run hands back, with what the drain keeps in it. */
function nextState(job: StoredJob, before: PullRequestState, after: PullRequestState): PullRequestState {
  const { supersededInARow: _s, closedTicket: _c, ...rest } = after;
  const { supersededInARow = 0, closedTicket } = before;
  const isStarvationOver = job.class === 'push' || supersededInARow >= PROTECTED_AFTER;
  return {
    ...rest,
    ...(isStarvationOver || supersededInARow === 0 ? {} : { supersededInARow }),
    ...(closedTicket === undefined ? {} : { closedTicket }),
  };
}

function stateProblem(state: PullRequestState): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(state), 'utf8');
  return bytes > MAX_STATE_BYTES ? `a state of ${bytes} bytes` : undefined;
}

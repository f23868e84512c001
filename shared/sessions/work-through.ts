import type { PullRequestRef } from '../domain/pull-request.ts';
import { isRowTooNew } from '../state/define-row.ts';
import { settleControls } from './settle-controls.ts';
import { buryJob, MAX_ATTEMPTS, toFailedJob } from './failed-job.ts';
import type { HeldLease } from './lease.ts';
import type { DrainDeps, PullRequestState } from './ports.ts';
import { readSession, readState, type Session } from './read-session.ts';
import { releaseIdle, releaseLater } from './release.ts';
import { runOne } from './run-one.ts';
import type { StepEnd } from './step.ts';
import type { SessionStore } from './store.ts';
import { removeSuperseded } from './supersede.ts';

/** How the work on one pull request ended: no job left, jobs left for later, or the lease went to another. */
export type WorkEnd = 'idle' | 'later' | 'lost' | 'newer_build';

/** Step W4: does the jobs of one pull request one after the other while it holds the lease. */
export async function workThrough(
  store: SessionStore,
  lease: HeldLease,
  pr: PullRequestRef,
  deps: DrainDeps,
): Promise<WorkEnd> {
  const startedAt = store.clock.now();
  let state: PullRequestState | undefined;
  try {
    for (;;) {
      const session = await readSession(store, lease.partitionKey);
      if (session.head === undefined) throw new Error('a session with a lease has no head');
      state ??= session.jobs.length === 0 ? undefined : await readState(store, lease.partitionKey);
      const step = await takeStep(store, lease, { ...session, head: session.head, state: state ?? {} }, deps);
      if (step.kind === 'end') return step.end;
      if (step.kind === 'later') {
        await releaseLater(store, lease, pr, step.delayMs);
        return 'later';
      }
      state = step.state;
      // (9) Others wait for this worker; the wake puts the pull request at the end of the queue.
      if (store.clock.now() - startedAt > store.timings.drainMs) {
        await releaseLater(store, lease, pr, 0);
        return 'later';
      }
    }
  } catch (error) {
    if (!isRowTooNew(error)) throw error;
    deps.log.warn('session.newerBuild', { partition: lease.partitionKey });
    await releaseLater(store, lease, pr, store.timings.newerBuildMs);
    return 'newer_build';
  }
}

interface Work extends Session {
  readonly head: NonNullable<Session['head']>;
  readonly state: PullRequestState;
}

async function takeStep(
  store: SessionStore,
  lease: HeldLease,
  work: Work,
  deps: DrainDeps,
): Promise<StepEnd> {
  const { head, jobs } = work;
  const now = store.clock.now();

  // (1)
  const controls = jobs.filter((job) => job.class === 'control' && job.kind !== 'run.failed');
  if (controls.length > 0) return settleControls(store, lease, { ...work, pr: head.pr, controls }, deps);

  // (2)
  if (jobs.length === 0) return idle(store, lease, work);

  // (3)
  const waiting = await removeSuperseded(lease, head.newestPush, jobs, deps.log);
  if (waiting === 'lost') return { kind: 'end', end: 'lost' };
  const [job] = waiting;
  if (job === undefined) throw new Error('the newest push is never removed');

  // (4)
  if (job.notBefore > now) return { kind: 'later', delayMs: job.notBefore - now };

  // (5)
  if (job.attempts >= MAX_ATTEMPTS) {
    const isDone =
      job.kind === 'run.failed'
        ? await buryJob(store, lease, job, deps.log)
        : await toFailedJob(lease, job, 'attempts_exhausted', deps.log);
    return isDone === 'lost' ? { kind: 'end', end: 'lost' } : { kind: 'next', state: work.state };
  }

  // (6) to (8)
  const step = await runOne(store, lease, { ...work, pr: head.pr, job, jobs: waiting }, deps);
  if (step.kind !== 'next' || !step.isSettled || waiting.length > 1) return step;

  // No job is left of those the query saw: the release finds out whether one came since, without a query.
  const end = await idle(store, lease, { ...work, state: step.state });
  return end;
}

/** R1 */
async function idle(store: SessionStore, lease: HeldLease, { head, state }: Work): Promise<StepEnd> {
  const released = await releaseIdle(store, lease, head);
  if (released === 'busy') return { kind: 'next', state };
  return { kind: 'end', end: released === 'released' ? 'idle' : 'lost' };
}

import type { PullRequestRef } from '../domain/pull-request.ts';
import { isRowTooNew } from '../state/define-row.ts';
import { jobKey } from '../state/keys.ts';
import { jobRow } from '../state/row-types.ts';
import { settleControls } from './settle-controls.ts';
import { buryJob, MAX_ATTEMPTS, toFailedJob } from './failed-job.ts';
import type { HeldLease } from './lease.ts';
import type { DrainDeps, PullRequestState } from './ports.ts';
import { readSession, readState, type Session } from './read-session.ts';
import { releaseIdle, releaseLater } from './release.ts';
import { runOne } from './run-one.ts';
import { LOST, type StepEnd } from './step.ts';
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
  const { clock, timings } = store;
  const startedAt = clock.now();
  try {
    let state = await readState(store, lease.partitionKey);
    for (;;) {
      const { head, ...session } = await readSession(store, lease.partitionKey);
      if (head === undefined) throw new Error('a session with a lease has no head');
      const work: Work = { ...session, head, state };
      const isLong = clock.now() - startedAt > timings.drainMs;
      const step =
        (isLong ? await giveWay(store, lease, work) : undefined) ??
        (await takeStep(store, lease, work, deps));
      if (step.kind === 'end') return step.end;
      if (step.kind === 'later') {
        await releaseLater(store, lease, pr, step.delayMs);
        return 'later';
      }
      state = step.state;
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
  if (waiting === 'lost') return LOST;
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
    return isDone === 'lost' ? LOST : { kind: 'next', state: work.state };
  }

  // (6) to (8)
  const step = await runOne(store, lease, { ...work, pr: head.pr, job, jobs: waiting }, deps);
  if (step.kind !== 'next' || !step.isSettled || waiting.length > 1) return step;

  // No job is left of those the query saw: the release finds out whether one came since, without a query.
  const end = await idle(store, lease, { ...work, state: step.state });
  return end;
}

/**
 * (9) Others wait for this worker. The next job may not run for a while, because wakes of the same pull request
 * may be in front of theirs, and each of them would take the lease again. Undefined when no job would run long.
 */
async function giveWay(store: SessionStore, lease: HeldLease, { jobs }: Work): Promise<StepEnd | undefined> {
  const { clock, timings } = store;
  const next = jobs.find((job) => job.class !== 'control');
  if (next === undefined) return undefined;
  const now = clock.now();
  if (next.notBefore > now) return { kind: 'later', delayMs: next.notBefore - now };
  const values = jobRow.encodePart({ notBefore: now + timings.giveWayMs });
  const written = await lease.fencedWrite([{ kind: 'merge', rowKey: jobKey(next.ticket), values }]);
  return written === 'lost' ? LOST : { kind: 'later', delayMs: timings.giveWayMs };
}

/** R1 */
async function idle(store: SessionStore, lease: HeldLease, { head, state }: Work): Promise<StepEnd> {
  const released = await releaseIdle(store, lease, head);
  if (released === 'busy') return { kind: 'next', state };
  return { kind: 'end', end: released === 'released' ? 'idle' : 'lost' };
}

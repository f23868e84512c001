import type { PullRequestRef } from '../domain/pull-request.ts';
import type { Logger } from '../observability/ports.ts';
import { jobKey, STATE_KEY } from '../state/keys.ts';
import { stateRow } from '../state/row-types.ts';
import { afterFailure, failureOf, type Failure } from './after-failure.ts';
import { MAX_ATTEMPTS, toFailedJob } from './failed-job.ts';
import type { HeldLease } from './lease.ts';
import type { ControlDecision, DrainDeps, PullRequestState } from './ports.ts';
import type { StoredJob } from './read-session.ts';
import { LOST, type StepEnd } from './step.ts';
import type { SessionStore } from './store.ts';

/** Jobs removed by one write. */
const MAX_REMOVED = 90;

export interface ControlWork {
  readonly pr: PullRequestRef;
  readonly jobs: readonly StoredJob[];
  /** Those of `jobs` that are control jobs, at least one. */
  readonly controls: readonly StoredJob[];
  readonly state: PullRequestState;
}

/** Step (1): applies the waiting control jobs to the state and removes them, in one fenced write. */
export async function settleControls(
  store: SessionStore,
  lease: HeldLease,
  work: ControlWork,
  deps: DrainDeps,
): Promise<StepEnd> {
  const removed = new Set<number>();
  let state = work.state;
  for (const control of work.controls) {
    if (removed.size > 0 && (control.notBefore > store.clock.now() || removed.size >= MAX_REMOVED)) break;
    const decision = await decide(store, lease, { ...work, state }, control, removed, deps);
    if (decision.kind === 'failed') {
      // What was decided before it is written first; the failure then is met again, alone.
      if (removed.size > 0) break;
      return handleFailure(store, lease, work, control, decision.failure, deps.log);
    }
    if (decision.kind === 'ignored') {
      deps.log.info('control.ignored', { ticket: control.ticket, reason: decision.reason });
      removed.add(control.ticket);
      continue;
    }
    // A ticket that does not wait would make the whole write fail, again and again.
    const waiting = new Set(work.jobs.map(({ ticket }) => ticket));
    const dropped = decision.removed.filter((ticket) => waiting.has(ticket) && !removed.has(ticket));
    const tickets = dropped.slice(0, MAX_REMOVED - removed.size);
    for (const ticket of tickets) removed.add(ticket);
    state = decision.state;
    // One that removes more than a write can hold stays and is asked again.
    if (tickets.length < dropped.length) break;
    removed.add(control.ticket);
    deps.log.info('control.applied', { ticket: control.ticket, ids: control.ids, removed: tickets });
  }
  const written = await lease.fencedWrite([
    ...[...removed].map((ticket) => ({ kind: 'delete', rowKey: jobKey(ticket) }) as const),
    { kind: 'upsert', rowKey: STATE_KEY, values: stateRow.encode({ state: { ...state } }) },
  ]);
  return written === 'lost' ? LOST : { kind: 'next', state };
}

async function decide(
  store: SessionStore,
  lease: HeldLease,
  work: ControlWork,
  control: StoredJob,
  removed: ReadonlySet<number>,
  deps: DrainDeps,
): Promise<ControlDecision | { readonly kind: 'failed'; readonly failure: Failure }> {
  const wait = control.notBefore - store.clock.now();
  if (wait > 0) return { kind: 'failed', failure: { kind: 'waits', delayMs: wait } };
  const earlier = work.jobs.filter(
    (job) => job.class !== 'control' && job.ticket < control.ticket && !removed.has(job.ticket),
  );
  try {
    return await deps.applyControl(control, {
      pr: work.pr,
      partitionKey: lease.partitionKey,
      state: work.state,
      running: undefined,
      earlier,
    });
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error) };
  }
}

async function handleFailure(
  store: SessionStore,
  lease: HeldLease,
  work: ControlWork,
  control: StoredJob,
  failure: Failure,
  log: Logger,
): Promise<StepEnd> {
  if (failure.kind === 'waits') return { kind: 'later', delayMs: failure.delayMs };
  const counted = failure.kind === 'attempt' ? { ...control, attempts: control.attempts + 1 } : control;
  if (counted.attempts >= MAX_ATTEMPTS) {
    const done = await toFailedJob(lease, counted, 'attempts_exhausted', log);
    return done === 'lost' ? LOST : { kind: 'next', state: work.state };
  }
  return afterFailure(store, lease, counted, work.state, failure, log);
}

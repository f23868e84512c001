import { AppError } from '../../../shared/domain/app-error.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { RunReport } from '../../../shared/domain/run-outcome.ts';
import type { JobContext, JobResult, JobRunner } from '../../../shared/sessions/ports.ts';
import type { Engine, Process } from './engine.ts';
import type { JobRecord, Model } from './model.ts';
import { BEHAVIOURS, type Behaviour } from './scenario.ts';

/** One run as the simulated provider and the tests see it. */
export interface RunRecord {
  readonly pr: number;
  readonly ticket: number;
  readonly kind: string;
  readonly startedAt: number;
  readonly isProtected: boolean;
  writes: number;
  /** World time of the end; undefined while it runs or when its process died. */
  endedAt: number | undefined;
  end: 'running' | 'settled' | 'transient' | 'threw' | 'aborted';
}

export const CLEAN_REPORT: RunReport = {
  outcome: 'clean',
  reason: 'nothing_to_say',
  counts: { verified: 0, posted: 0, heldBack: 0, duplicates: 0, unanchored: 0, refused: 0 },
  notReviewed: [],
  filesReviewed: 1,
};

export interface JobWorld {
  readonly engine: Engine;
  readonly model: Model;
  readonly runs: RunRecord[];
  /** World time until which the provider answers 503; 0 when it works. */
  readonly outageUntil: number;
}

/** The job runner of one worker process: does what the job's behaviour says, through the scheduler. */
export function simulatedRunner(world: JobWorld, process: Process): JobRunner {
  return async (job, context) => {
    const { engine, model } = world;
    const record = model.record(context.partitionKey, job.ticket);
    const phase = job.kind === 'run.failed' ? 'report' : 'job';
    record.starts[phase] += 1;
    if (record.starts[phase] > 3) {
      model.fail('attempts-are-bounded', `job ${job.ticket} started ${record.starts[phase]} times`);
    }
    const run: RunRecord = {
      pr: context.pr.number,
      ticket: job.ticket,
      kind: job.kind,
      startedAt: engine.now(),
      isProtected: context.isProtected,
      writes: 0,
      endedAt: undefined,
      end: 'running',
    };
    world.runs.push(run);
    let isGivenBack = false;
    const giveBack = (): void => {
      if (!isGivenBack) record.starts[phase] -= 1;
      isGivenBack = true;
    };
    context.signal.addEventListener('abort', () => {
      if (['superseded', 'control'].includes(abortCode(context))) giveBack();
    });
    try {
      if (engine.now() < world.outageUntil) throw transient('provider_down');
      const result = await behave(world, process, job, context, run, record);
      run.end = result.kind;
      run.endedAt = engine.now();
      if (result.kind === 'transient') giveBack();
      else record.endedBy.add(process);
      return result;
    } catch (error) {
      run.end = context.signal.aborted ? 'aborted' : 'threw';
      run.endedAt = engine.now();
      if (error instanceof AppError && error.kind === 'transient') giveBack();
      if (error instanceof AppError && error.kind === 'stale') record.endedBy.add(process);
      throw error;
    }
  };
}

async function behave(
  { engine }: JobWorld,
  process: Process,
  job: Job,
  context: JobContext,
  run: RunRecord,
  record: JobRecord,
): Promise<JobResult> {
  const behaviour = behaviourOf(job);
  const isReport = job.kind === 'run.failed';
  const { clock } = process;
  const write = async (): Promise<void> => {
    await context.confirmBeforeWrite();
    await engine.call(process, 'provider.write', 'other', () => {
      run.writes += 1;
    });
  };
  const settled: JobResult = {
    kind: 'settled',
    report: CLEAN_REPORT,
    // Counts the runs that settled, so that a state that went back is noticed.
    state: { ...context.state, lastRunId: String(Number(context.state.lastRunId ?? 0) + 1) },
  };
  const fails = behaviour === 'hopeless' || (!isReport && ['bug', 'crash', 'denied'].includes(behaviour));
  if (!fails && isReport) {
    await write();
    return settled;
  }
  switch (behaviour) {
    case 'quick':
      await write();
      return settled;
    case 'slow':
      await write();
      await clock.sleep(25_000, context.signal);
      await write();
      return settled;
    case 'long':
      await clock.sleep(70_000, context.signal);
      await write();
      return settled;
    case 'overloaded':
      if (timesSeen(record, 'overloaded') <= 2) return { kind: 'transient', reason: 'overloaded' };
      await write();
      return settled;
    case 'limited':
      if (timesSeen(record, 'limited') <= 1) throw transient('rate_limited', 45_000);
      await write();
      return settled;
    case 'bug-once':
      if (job.attempts === 1) throw new Error('simulated bug');
      await write();
      return settled;
    case 'bug':
    case 'hopeless':
      throw new Error('simulated bug');
    case 'crash':
      engine.kill(process);
      return new Promise(() => undefined);
    case 'endless':
      await clock.sleep(10 * 3_600_000, context.signal);
      return settled;
    case 'deaf':
      await clock.sleep(30 * 60_000);
      return settled;
    case 'stale':
      throw new AppError({ kind: 'stale', code: 'head_moved', message: 'simulated' });
    case 'denied':
      throw new AppError({ kind: 'permanent', code: 'no_access', message: 'simulated' });
  }
}

/** The behaviour is carried as an id of the job. */
export const BEHAVIOUR_ID = 'behaviour';

function behaviourOf(job: Job): Behaviour {
  return BEHAVIOURS.find((known) => known === job.ids[BEHAVIOUR_ID]) ?? 'quick';
}

const seen = new WeakMap<JobRecord, Map<string, number>>();

function timesSeen(record: JobRecord, what: string): number {
  const counts = seen.get(record) ?? new Map<string, number>();
  seen.set(record, counts.set(what, (counts.get(what) ?? 0) + 1));
  return counts.get(what) ?? 0;
}

function abortCode(context: JobContext): string {
  const reason: unknown = context.signal.reason;
  return reason instanceof AppError ? reason.code : '';
}

function transient(code: string, retryAfterMs?: number): AppError {
  return new AppError({
    kind: 'transient',
    code,
    message: 'simulated',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

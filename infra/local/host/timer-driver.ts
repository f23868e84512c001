import type { Clock } from '../../../shared/domain/clock.ts';
import type { HostLog } from './host-log.ts';
import { parseNcrontab, type Ncrontab } from './ncrontab.ts';
import type { TimerStatus, TimerStatusStore } from './timer-status.ts';

/** What the handler gets; the library makes the keys camelCase. */
export interface TimerInput {
  readonly IsPastDue: boolean;
  readonly Schedule: { readonly AdjustForDST: boolean };
  readonly ScheduleStatus: TimerStatus | null;
}

export interface TimerOptions {
  readonly name: string;
  /** NCRONTAB, six fields, UTC. */
  readonly schedule: string;
  readonly runOnStartup: boolean;
  /** Remember the next due time in `store`, so that a missed run is made up for at the next start. */
  readonly useMonitor: boolean;
  readonly store: TimerStatusStore | undefined;
  readonly clock: Clock;
  readonly log: HostLog;
  /** Runs the function; rejects when it failed. */
  readonly invoke: (input: TimerInput) => Promise<unknown>;
}

export interface TimerDriver {
  /** Runs the function now, beside its schedule; rejects when it fails. */
  fire(): Promise<void>;
  /** No more runs; resolves when a running one has ended. */
  stop(): Promise<void>;
}

const NEVER = '0001-01-01T00:00:00Z';
/** A Node timer holds at most 24.8 days; the real host also waits in steps of 24. */
const MAX_SLEEP_MS = 24 * 86_400_000;

/**
 * One timer function. Order at the start: a run that is past due, else runOnStartup, else the schedule
 * (azure-webjobs-sdk-extensions, TimerListener). Runs never overlap: the next time is computed after a run.
 * @throws HostRefusal when the schedule cannot be read.
 */
export function startTimerDriver(options: TimerOptions): TimerDriver {
  const { clock, log, invoke, name } = options;
  const schedule = parseNcrontab(options.schedule);
  const store = options.useMonitor && !isSubMinute(schedule, clock.now()) ? options.store : undefined;
  const stopping = new AbortController();
  let status: TimerStatus | null = null;

  const run = async (IsPastDue: boolean): Promise<void> => {
    await invoke({ IsPastDue, Schedule: { AdjustForDST: true }, ScheduleStatus: store ? status : null });
  };
  const record = async (last: string, from: number): Promise<number> => {
    const next = schedule.next(from);
    status = { Last: last, Next: iso(next), LastUpdated: iso(clock.now()) };
    await store?.write(name, status);
    return next;
  };
  const runScheduled = async (isPastDue: boolean): Promise<number> => {
    const at = clock.now();
    // The invocation is logged where it fails; the schedule goes on.
    await run(isPastDue).catch(() => undefined);
    return record(iso(at), at);
  };
  const loop = async (): Promise<void> => {
    const now = clock.now();
    status = (await store?.read(name)) ?? null;
    let due = pendingRun(status, schedule);
    if (due !== undefined && due < now) {
      log('information', 'the schedule is past due: running now');
      due = await runScheduled(true);
    } else if (options.runOnStartup) {
      due = await runScheduled(false);
    } else if (due === undefined) {
      due = await record(status?.Last ?? NEVER, now);
    }
    while (!stopping.signal.aborted) {
      const left = due - clock.now();
      if (left > 0) await clock.sleep(Math.min(left, MAX_SLEEP_MS), stopping.signal);
      else due = await runScheduled(false);
    }
  };
  const looping = loop().catch((error: unknown) => {
    if (!stopping.signal.aborted) log('error', `the timer ended: ${String(error)}`);
  });
  return {
    fire: () => run(false),
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}

/** The due time on record, unless the schedule was changed since (ScheduleMonitor.CheckPastDueAsync). */
function pendingRun(status: TimerStatus | null, schedule: Ncrontab): number | undefined {
  if (status === null) return undefined;
  const reference = status.Last === NEVER ? status.LastUpdated : status.Last;
  const next = Date.parse(status.Next);
  return schedule.next(Date.parse(reference)) === next ? next : undefined;
}

/** The host keeps no status for schedules that are due more than once a minute. */
function isSubMinute(schedule: Ncrontab, now: number): boolean {
  return schedule.next(schedule.next(now)) - now < 60_000;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

import { afterEach, describe, expect, it } from 'vitest';
import {
  startTimerDriver,
  type TimerDriver,
  type TimerInput,
  type TimerOptions,
} from '../../../infra/local/host/timer-driver.ts';
import type { TimerStatus } from '../../../infra/local/host/timer-status.ts';
import { createFakeClock } from './fake-clock.ts';

const HOUR = 3_600_000;
const started: TimerDriver[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((driver) => driver.stop()));
});

function setUp(options: Partial<TimerOptions> = {}, status?: TimerStatus) {
  const clock = createFakeClock('2026-12-01T10:30:00Z');
  const runs: { at: string; input: TimerInput }[] = [];
  const written: TimerStatus[] = [];
  const driver = startTimerDriver({
    name: 'nightly',
    schedule: '0 0 * * * *',
    runOnStartup: false,
    useMonitor: true,
    store: {
      read: () => Promise.resolve(written.at(-1) ?? status),
      write: (_, next) => Promise.resolve(void written.push(next)),
    },
    clock,
    log: () => undefined,
    invoke: (input) =>
      Promise.resolve(void runs.push({ at: new Date(clock.now()).toISOString().slice(11, 19), input })),
    ...options,
  });
  started.push(driver);
  return { clock, runs, written, driver, times: () => runs.map(({ at }) => at) };
}

describe('startTimerDriver', () => {
  it('runs at every occurrence, not before', async () => {
    const { clock, runs, times, written } = setUp();
    await clock.advance(29 * 60_000);
    expect(runs).toEqual([]);
    await clock.advance(2 * HOUR);
    expect(times()).toEqual(['11:00:00', '12:00:00']);
    expect(runs[0]?.input).toEqual({
      IsPastDue: false,
      Schedule: { AdjustForDST: true },
      ScheduleStatus: {
        Last: '0001-01-01T00:00:00Z',
        Next: '2026-12-01T11:00:00.000Z',
        LastUpdated: '2026-12-01T10:30:00.000Z',
      },
    });
    expect(written.at(-1)).toEqual({
      Last: '2026-12-01T12:00:00.000Z',
      Next: '2026-12-01T13:00:00.000Z',
      LastUpdated: '2026-12-01T12:00:00.000Z',
    });
  });

  it('runs once at the start with runOnStartup, then by schedule', async () => {
    const { clock, runs, times } = setUp({ runOnStartup: true });
    await clock.advance(HOUR);
    expect(times()).toEqual(['10:30:00', '11:00:00']);
    expect(runs[0]?.input.IsPastDue).toBe(false);
  });

  it('makes up for one missed run, marked past due, whatever number was missed', async () => {
    const { clock, runs, times } = setUp(
      { runOnStartup: true },
      {
        Last: '2026-12-01T06:00:00.000Z',
        Next: '2026-12-01T07:00:00.000Z',
        LastUpdated: '2026-12-01T06:00:00.000Z',
      },
    );
    await clock.advance(HOUR);
    expect(times()).toEqual(['10:30:00', '11:00:00']);
    expect(runs.map(({ input }) => input.IsPastDue)).toEqual([true, false]);
  });

  it('is not past due when the schedule was changed meanwhile', async () => {
    const { clock, runs } = setUp(
      {},
      {
        Last: '2026-12-01T06:00:00.000Z',
        Next: '2026-12-01T06:05:00.000Z',
        LastUpdated: '2026-12-01T06:00:00.000Z',
      },
    );
    await clock.advance(HOUR / 4);
    expect(runs).toEqual([]);
  });

  it('keeps no status without a monitor or for a schedule below a minute', async () => {
    const missed = {
      Last: '2026-12-01T06:00:00.000Z',
      Next: '2026-12-01T07:00:00.000Z',
      LastUpdated: '2026-12-01T06:00:00.000Z',
    };
    const unmonitored = setUp({ useMonitor: false }, missed);
    const frequent = setUp({ schedule: '*/10 * * * * *' }, missed);
    await unmonitored.clock.advance(HOUR);
    await frequent.clock.advance(15_000);
    expect(unmonitored.runs.map(({ input }) => input.ScheduleStatus)).toEqual([null]);
    expect(frequent.times()).toEqual(['10:30:10']);
    expect([...unmonitored.written, ...frequent.written]).toEqual([]);
  });

  it('goes on after a failed run', async () => {
    let calls = 0;
    const { clock } = setUp({
      invoke: () => {
        calls += 1;
        return Promise.reject(new Error('planned failure'));
      },
    });
    await clock.advance(3 * HOUR);
    expect(calls).toBe(3);
  });

  it('never overlaps: what falls into a long run happens once, right after it', async () => {
    const clock = createFakeClock('2026-12-01T10:59:59Z');
    const begun: string[] = [];
    let running = 0;
    let most = 0;
    started.push(
      startTimerDriver({
        name: 'long',
        schedule: '0 * * * * *',
        runOnStartup: false,
        useMonitor: false,
        store: undefined,
        clock,
        log: () => undefined,
        invoke: async () => {
          begun.push(new Date(clock.now()).toISOString().slice(11, 19));
          running += 1;
          most = Math.max(most, running);
          if (begun.length === 1) await clock.sleep(150_000);
          running -= 1;
        },
      }),
    );
    await clock.advance(242_000);
    expect(most).toBe(1);
    expect(begun).toEqual(['11:00:00', '11:02:30', '11:03:00', '11:04:00']);
  });

  it('waits for a run that is further away than a Node timer can hold', async () => {
    const { clock, times } = setUp({ schedule: '0 0 0 1 3 *' });
    await clock.advance(89 * 24 * HOUR);
    expect(times()).toEqual([]);
    await clock.advance(24 * HOUR);
    expect(times()).toEqual(['00:00:00']);
  });

  it('fires by hand beside the schedule and tells when that fails', async () => {
    const { driver, runs } = setUp();
    await driver.fire();
    expect(runs.map(({ input }) => input.IsPastDue)).toEqual([false]);
    const failing = setUp({ invoke: () => Promise.reject(new Error('planned failure')) });
    await expect(failing.driver.fire()).rejects.toThrow('planned failure');
  });

  it('does not run after stop', async () => {
    const { clock, driver, runs } = setUp();
    await driver.stop();
    await clock.advance(5 * HOUR);
    expect(runs).toEqual([]);
  });
});

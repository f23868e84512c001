import type { Clock } from '../../../shared/domain/clock.ts';
import type { CatalogFunction, TimerFunction } from './function-catalog.ts';
import type { HostLog } from './host-log.ts';
import type { InvocationInput } from './invoke-function.ts';
import { startTimerDriver, type TimerDriver } from './timer-driver.ts';
import { createTimerStatusStore } from './timer-status.ts';

export interface TimersOptions {
  readonly functions: readonly CatalogFunction[];
  readonly timerStateDir?: string;
  readonly clock: Clock;
  readonly log: HostLog;
  readonly invoke: (target: TimerFunction, input: InvocationInput) => Promise<unknown>;
}

export interface Timers {
  readonly drivers: ReadonlyMap<string, TimerDriver>;
  stop(): Promise<void>;
}

/** Starts one driver for each timer function. */
export function startTimers(options: TimersOptions): Timers {
  const { functions, clock, timerStateDir, invoke } = options;
  const store = timerStateDir === undefined ? undefined : createTimerStatusStore(timerStateDir);
  const drivers = new Map<string, TimerDriver>();
  for (const target of functions) {
    if (target.trigger !== 'timer') continue;
    const { name, bindingName, schedule, runOnStartup, useMonitor } = target;
    const driver = startTimerDriver({
      name,
      schedule,
      runOnStartup,
      useMonitor,
      store,
      clock,
      log: (level, message, fields) => options.log(level, message, { functionName: name, ...fields }),
      invoke: async (input) =>
        invoke(target, {
          bindingName,
          data: { json: JSON.stringify(input) },
          triggerMetadata: {},
          reason: 'Timer fired.',
        }),
    });
    drivers.set(name, driver);
  }
  return {
    drivers,
    stop: async () => {
      await Promise.all([...drivers.values()].map((driver) => driver.stop()));
    },
  };
}

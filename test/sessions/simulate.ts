import type { Logger, LogFields } from '../../shared/observability/ports.ts';
import { product } from './sim/product.ts';
import { runScenario, type ScenarioResult } from './sim/run-scenario.ts';
import type { SimEvent } from './sim/scenario.ts';
import { START_MS, type WorldOptions } from './sim/world.ts';

export interface LogLine {
  readonly event: string;
  readonly fields: LogFields;
}

export interface Simulation extends ScenarioResult {
  readonly lines: readonly LogLine[];
}

export interface SimulateOptions extends Pick<WorldOptions, 'outageMs'> {
  readonly workers?: number;
}

/** Runs a plain day without faults: what is due first happens first. Times in the result count from its start. */
export async function simulate(
  events: readonly SimEvent[],
  options: SimulateOptions = {},
): Promise<Simulation> {
  const lines: LogLine[] = [];
  const result = await runScenario(
    product,
    {
      events,
      workerSkewsMs: Array.from({ length: options.workers ?? 2 }, () => 0),
      ingressSkewMs: 0,
      rowsPerPage: 1_000,
      maxDequeueCount: 20,
      faults: [],
      doubledReceives: [],
    },
    { pick: () => 0, fault: () => undefined },
    { ...(options.outageMs === undefined ? {} : { outageMs: options.outageMs }), log: recorder(lines) },
  );
  const runs = result.runs.map((run) => ({
    ...run,
    startedAt: run.startedAt - START_MS,
    endedAt: run.endedAt === undefined ? undefined : run.endedAt - START_MS,
  }));
  return { ...result, runs, lines };
}

export function recorder(lines: LogLine[], bound: LogFields = {}): Logger {
  const add = (event: string, fields: LogFields = {}): void => {
    lines.push({ event, fields: { ...bound, ...fields } });
  };
  return {
    debug: add,
    info: add,
    warn: add,
    error: add,
    child: (fields) => recorder(lines, { ...bound, ...fields }),
  };
}

export function push(at: number, delivery: string, behaviour: SimEvent['behaviour'] = 'quick'): SimEvent {
  return { at, delivery, jobClass: 'push', behaviour };
}

export function command(at: number, delivery: string, behaviour: SimEvent['behaviour'] = 'quick'): SimEvent {
  return { at, delivery, jobClass: 'command', behaviour };
}

export function control(at: number, delivery: string, action: NonNullable<SimEvent['action']>): SimEvent {
  return { at, delivery, jobClass: 'control', behaviour: 'quick', action };
}

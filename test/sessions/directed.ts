import type { Call } from './sim/engine.ts';
import type { Fault } from './sim/faults.ts';
import type { Protocol } from './sim/protocol.ts';
import { runScenario, type ScenarioResult } from './sim/run-scenario.ts';
import type { PlannedFault, Scenario, SimEvent } from './sim/scenario.ts';

/** A schedule written by hand for a situation that chance rarely meets. */
export interface Directed {
  readonly name: string;
  readonly events: readonly SimEvent[];
  readonly faults: readonly PlannedFault[];
  /** Jobs that are appended in the run. */
  readonly jobs: number;
  readonly workers?: number;
  readonly maxDequeueCount?: number;
  readonly rowsPerPage?: number;
  /** Timers that are due go before calls that wait; else it is the other way round. */
  readonly timersFirst?: boolean;
}

const push = (at: number, delivery: string, behaviour: SimEvent['behaviour'] = 'quick'): SimEvent => ({
  at,
  delivery,
  jobClass: 'push',
  behaviour,
});
const fault = (label: string, kind: PlannedFault['kind'], occurrence = 1, delayMs = 0): PlannedFault => ({
  label,
  occurrence,
  kind,
  delayMs,
});
const always = (label: string, kind: PlannedFault['kind']): PlannedFault[] =>
  Array.from({ length: 200 }, (_, n) => fault(label, kind, n + 1));

export const DIRECTED: readonly Directed[] = [
  {
    name: 'storage refuses to let anybody take the lease for an hour',
    jobs: 1,
    events: [push(0, 'a')],
    faults: always('W3.tx', 'hard').slice(0, 60),
  },
  {
    name: 'the drain is frozen between guard and lease for longer than the guard waits',
    jobs: 1,
    events: [push(0, 'a', 'long')],
    faults: [fault('W3.tx', 'stall', 1, 63_000)],
  },
  {
    name: 'the drain is frozen before it gives the lease back for later, for longer than the wake waits',
    jobs: 1,
    events: [push(0, 'a', 'overloaded')],
    faults: [fault('R2.tx', 'stall', 1, 45_000)],
  },
  {
    name: 'a request for the lease arrives when its drain is frozen before it asks again',
    jobs: 1,
    events: [push(0, 'a')],
    faults: [fault('W3.tx', 'late', 1, 1_000), fault('W2.send', 'stall', 2, 5_000)],
  },
  {
    name: 'a request for the lease arrives after the one that asked again was refused',
    jobs: 1,
    events: [push(0, 'a')],
    faults: [fault('W3.tx', 'late', 1, 1_000), fault('W3.tx', 'hard', 2)],
  },
  {
    name: 'nobody can say who takes over from a drain that died',
    jobs: 1,
    events: [push(0, 'a')],
    faults: [fault('provider.write', 'crash-before'), ...[2, 3, 4].map((n) => fault('W3.tx', 'refused', n))],
  },
  {
    name: 'a drain is frozen in its third run, loses the lease, and learns it when the time of the run is up',
    jobs: 1,
    events: [push(0, 'a', 'endless')],
    faults: [fault('renew.tx', 'stall', 176, 65_000)],
    timersFirst: true,
  },
  {
    name: 'a job comes while a drain tidies up after one that died',
    jobs: 3,
    events: [push(0, 'a', 'long'), { ...push(5_000, 'b'), jobClass: 'command' }, push(134_000, 'c')],
    faults: [fault('R1.tx', 'crash-before', 2), fault('R1.tx', 'stall', 3, 5_000)],
  },
  {
    name: 'a job is appended between the last query and the release',
    jobs: 2,
    events: [push(0, 'a'), push(1_000, 'b')],
    faults: [fault('R1.tx', 'stall', 1, 5_000)],
  },
  {
    name: 'a webhook is frozen until its message stopped waiting, and dies after the append',
    jobs: 0,
    events: [push(0, 'a')],
    faults: [fault('A1.get-h', 'stall', 1, 700_000), fault('A2.tx', 'crash-after')],
  },
];

/** Runs a directed schedule: first come, first served, with the faults where they are planned. */
export function runDirected(protocol: Protocol, directed: Directed): Promise<ScenarioResult> {
  const seen = new Map<string, number>();
  const scenario: Scenario = {
    events: directed.events,
    workerSkewsMs: Array.from({ length: directed.workers ?? 2 }, () => 0),
    ingressSkewMs: 0,
    rowsPerPage: directed.rowsPerPage ?? 1_000,
    maxDequeueCount: directed.maxDequeueCount ?? 20,
    faults: directed.faults,
    doubledReceives: [],
  };
  return runScenario(protocol, scenario, {
    pick(choices) {
      const timer = choices.findIndex(({ kind }) => kind === 'timer');
      return directed.timersFirst === true && timer >= 0 ? timer : 0;
    },
    fault({ label }: Call): Fault | undefined {
      const count = (seen.get(label) ?? 0) + 1;
      seen.set(label, count);
      return directed.faults.find((planned) => planned.label === label && planned.occurrence === count);
    },
  });
}

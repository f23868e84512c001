import * as fc from 'fast-check';
import type { ControlAction, JobClass } from '../../shared/domain/job.ts';
import { FAULT_KINDS, JUMPS_MS, type Fault, type FaultKind } from './sim/faults.ts';
import { seededRandom } from './sim/random.ts';
import type { Schedule } from './sim/run-scenario.ts';
import {
  BEHAVIOURS,
  type Behaviour,
  type PlannedFault,
  type Scenario,
  type SimEvent,
} from './sim/scenario.ts';
import { RECIPES } from './recipes.ts';

/** One random run: a situation that leads to one step, a crash there, and whatever else. */
export interface RandomRun {
  readonly scenario: Scenario;
  readonly scheduleSeed: number;
  /** Chance that the clock jumps although something could happen now. */
  readonly advanceChance: number;
}

/** Steps whose recipes work less often are tried more often. */
const RARE = [
  'W1.send',
  'W3.delete-guard',
  'dead.create-x',
  'dead.get-x',
  'give-back.tx',
  'renew.range-j',
  'to-failed.tx',
];
const STEPS: readonly string[] = [
  ...Object.keys(RECIPES),
  ...RARE,
  ...Array.from({ length: 3 }, () => ['host.poison', 'poison.send']).flat(),
];

const skewArb = fc.integer({ min: -30, max: 30 }).map((seconds) => seconds * 1_000);
const timeArb = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 100 }).map((s) => s * 1_000),
);
const jumpArb = fc.constantFrom(...JUMPS_MS);

const jobClassArb = fc.constantFrom<JobClass>('push', 'push', 'push', 'command', 'command', 'control');
const actionArb = fc.constantFrom<ControlAction>('stop', 'pause', 'resume', 'closed');
const behaviourArb = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Behaviour>('quick', 'slow', 'long', 'overloaded') },
  // A hopeless job takes most of a simulated day to end; the recipes have it.
  { weight: 2, arbitrary: fc.constantFrom(...BEHAVIOURS.filter((behaviour) => behaviour !== 'hopeless')) },
);

const eventArb: fc.Arbitrary<SimEvent> = fc
  .record({
    at: timeArb,
    delivery: fc.constantFrom('a', 'b', 'c', 'd'),
    jobClass: jobClassArb,
    behaviour: behaviourArb,
    action: actionArb,
    pr: fc.constantFrom(1, 1, 1, 1, 1, 2),
  })
  .map(({ action, ...event }) => (event.jobClass === 'control' ? { ...event, action } : event));

const faultArb: fc.Arbitrary<PlannedFault> = fc.record({
  label: fc.constantFrom(...STEPS),
  occurrence: fc.integer({ min: 1, max: 3 }),
  kind: fc.constantFrom<FaultKind>(...FAULT_KINDS),
  delayMs: jumpArb,
});

export const randomRunArb: fc.Arbitrary<RandomRun> = fc
  .record({
    step: fc.constantFrom(...STEPS),
    crash: fc.constantFrom<FaultKind>('crash-before', 'crash-after'),
    occurrence: fc.constantFrom(1, 1, 1, 2),
    extraEvents: fc.array(eventArb, { maxLength: 3 }),
    extraFaults: fc.array(faultArb, { maxLength: 2 }),
    workerSkewsMs: fc.array(fc.oneof(fc.constant(0), skewArb), { minLength: 1, maxLength: 3 }),
    ingressSkewMs: fc.oneof(fc.constant(0), skewArb),
    rowsPerPage: fc.constantFrom(1, 1_000),
    maxDequeueCount: fc.constantFrom(2, 20),
    doubledReceives: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 1 }),
    scheduleSeed: fc.nat(),
    advanceChance: fc.constantFrom(0, 0, 0.02, 0.1),
  })
  .map(({ step, crash, occurrence, extraEvents, extraFaults, scheduleSeed, advanceChance, ...rest }) => {
    const recipe = RECIPES[step];
    if (recipe === undefined) throw new Error(`no recipe for ${step}`);
    return {
      scheduleSeed,
      advanceChance,
      scenario: {
        ...rest,
        maxDequeueCount: recipe.maxDequeueCount ?? rest.maxDequeueCount,
        events: [...recipe.events, ...extraEvents],
        faults: [{ label: step, occurrence, kind: crash, delayMs: 0 }, ...recipe.faults, ...extraFaults],
      },
    };
  });

/** Picks by the seed; applies the planned faults, each once, and tells `onFault`. */
export function randomSchedule(run: RandomRun, onFault: (label: string, fault: Fault) => void): Schedule {
  const random = seededRandom(run.scheduleSeed);
  const seen = new Map<string, number>();
  return {
    pick: (choices) => {
      if (run.advanceChance > 0 && random() < run.advanceChance) return 'advance';
      return Math.floor(random() * choices.length);
    },
    fault({ label }) {
      const count = (seen.get(label) ?? 0) + 1;
      seen.set(label, count);
      const fault = run.scenario.faults.find(
        (planned) => planned.label === label && planned.occurrence === count,
      );
      if (fault !== undefined) onFault(label, fault);
      return fault;
    },
  };
}

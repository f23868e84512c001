import * as fc from 'fast-check';
import type { FaultKind } from './sim/faults.ts';
import type { Protocol } from './sim/protocol.ts';
import { runScenario } from './sim/run-scenario.ts';
import type { Violation } from './sim/violation.ts';
import { randomRunArb, randomSchedule, type RandomRun } from './random-scenario.ts';

export interface RandomExploration {
  readonly runs: number;
  readonly steps: number;
  /** How often each fault happened, by `<step> <kind>`. */
  readonly hits: ReadonlyMap<string, number>;
  /** The first broken promise, with the run made as small as possible. */
  readonly failure: { readonly violation: Violation; readonly run: RandomRun } | undefined;
}

/** Runs random scenarios, reproducible by `seed`, until one breaks a promise. */
export async function exploreRandom(
  protocol: Protocol,
  { runs, seed, shrink }: { readonly runs: number; readonly seed: number; readonly shrink: boolean },
): Promise<RandomExploration> {
  const hits = new Map<string, number>();
  let count = 0;
  let steps = 0;
  const broken = new Map<RandomRun, Violation>();
  const property = fc.asyncProperty(randomRunArb, async (run) => {
    const result = await runScenario(protocol, run.scenario, randomSchedule(run, hit));
    count += 1;
    steps += result.steps;
    if (result.violation === undefined) return true;
    broken.set(run, result.violation);
    return false;
  });
  const outcome = await fc.check(property, { numRuns: runs, seed, endOnFailure: !shrink });
  const [run] = outcome.counterexample ?? [];
  const violation = run === undefined ? undefined : broken.get(run);
  if (outcome.failed && (run === undefined || violation === undefined)) throw outcome.errorInstance;
  return {
    runs: count,
    steps,
    hits,
    failure: run === undefined || violation === undefined ? undefined : { violation, run },
  };

  function hit(label: string, { kind }: { readonly kind: FaultKind }): void {
    const key = `${label} ${kind}`;
    hits.set(key, (hits.get(key) ?? 0) + 1);
  }
}

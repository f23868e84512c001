import type { Call, Choice } from './sim/engine.ts';
import type { Fault } from './sim/faults.ts';
import type { Protocol } from './sim/protocol.ts';
import { runScenario } from './sim/run-scenario.ts';
import type { Scenario } from './sim/scenario.ts';
import { stateKey } from './sim/state-key.ts';
import type { Violation } from './sim/violation.ts';
import type { World } from './sim/world.ts';

/** One departure from the plain schedule, at a step of the run (from 0). */
export type Deviation =
  | { readonly step: number; readonly kind: 'switch'; readonly to: number }
  | { readonly step: number; readonly kind: 'advance' }
  | { readonly step: number; readonly kind: 'fault'; readonly fault: Fault };

export interface ExhaustiveOptions {
  readonly scenario: Scenario;
  /** Departures in one run. */
  readonly bound: number;
  /** Whether another process may go on although the current one could, and the clock jump although one could. */
  readonly switches: boolean;
  /** Faults that are tried at every call. */
  readonly faults: readonly Fault[];
}

export interface ExhaustiveExploration {
  readonly runs: number;
  readonly states: number;
  readonly failure: { readonly violation: Violation; readonly deviations: readonly Deviation[] } | undefined;
}

/**
 * Tries every run that departs from the plain schedule (a process goes on until it waits; then the first that can)
 * at most `bound` times. A state that was seen with as many departures left is not entered again.
 */
export async function exploreExhaustively(
  protocol: Protocol,
  options: ExhaustiveOptions,
): Promise<ExhaustiveExploration> {
  /** Most departures left with which a state was entered. */
  const seen = new Map<string, number>();
  const stack: (readonly Deviation[])[] = [[]];
  let runs = 0;
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    runs += 1;
    const { violation, children } = await runPath(protocol, options, path, seen);
    if (violation !== undefined) return { runs, states: seen.size, failure: { violation, deviations: path } };
    for (const child of children) stack.push([...path, child]);
  }
  return { runs, states: seen.size, failure: undefined };
}

async function runPath(
  protocol: Protocol,
  { scenario, bound, switches, faults }: ExhaustiveOptions,
  path: readonly Deviation[],
  seen: Map<string, number>,
): Promise<{ readonly violation: Violation | undefined; readonly children: readonly Deviation[] }> {
  const left = bound - path.length;
  const lastStep = path.at(-1)?.step ?? -1;
  const children: Deviation[] = [];
  let step = -1;
  let current: string | undefined;

  const plain = (choices: readonly Choice[]): number => {
    const same = choices.findIndex(({ process }) => process !== undefined && process.name === current);
    return Math.max(0, same);
  };
  const pick = (choices: readonly Choice[], world: World): number | 'advance' | 'stop' => {
    step += 1;
    const deviation = path.find((candidate) => candidate.step === step);
    if (deviation?.kind === 'advance') return 'advance';
    const index = deviation?.kind === 'switch' ? deviation.to : plain(choices);
    if (step > lastStep) {
      const key = `${current}\n${stateKey(world)}`;
      if ((seen.get(key) ?? -1) >= left) return 'stop';
      seen.set(key, left);
      if (left > 0) addChildren(choices, index);
    }
    current = choices[index]?.process?.name;
    return index;
  };
  const addChildren = (choices: readonly Choice[], index: number): void => {
    if (switches) {
      children.push({ step, kind: 'advance' });
      for (const to of choices.keys()) if (to !== index) children.push({ step, kind: 'switch', to });
    }
    if (choices[index]?.kind !== 'call') return;
    for (const fault of faults) children.push({ step, kind: 'fault', fault });
  };
  const fault = (_call: Call): Fault | undefined => {
    const deviation = path.find((candidate) => candidate.step === step);
    return deviation?.kind === 'fault' ? deviation.fault : undefined;
  };

  const { violation } = await runScenario(protocol, scenario, { pick, fault }, { keepsHistory: true });
  return { violation, children };
}

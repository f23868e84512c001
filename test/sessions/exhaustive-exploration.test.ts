import { describe, expect, it } from 'vitest';
import { exploreExhaustively, type ExhaustiveOptions } from './explore-exhaustive.ts';
import type { Fault, FaultKind } from './sim/faults.ts';
import { product } from './sim/product.ts';
import type { Scenario, SimEvent } from './sim/scenario.ts';

const push = (delivery: string): SimEvent => ({ at: 0, delivery, jobClass: 'push', behaviour: 'quick' });
const command = (delivery: string): SimEvent => ({ ...push(delivery), jobClass: 'command' });
const scenario = (...events: SimEvent[]): Scenario => ({
  events,
  workerSkewsMs: [0, 0],
  ingressSkewMs: 0,
  rowsPerPage: 1_000,
  maxDequeueCount: 20,
  faults: [],
  doubledReceives: [],
});
const fault = (kind: FaultKind, delayMs = 0): Fault => ({ kind, delayMs });
const KILLS = [fault('crash-before'), fault('crash-after')];
const LOST = [fault('lost'), fault('lost-repeated')];
/** Longer than a hidden wake, than a guard waits, and than the host hides a message. */
const STALLS = [fault('stall', 31_000), fault('stall', 63_000), fault('stall', 660_000)];

interface Case extends ExhaustiveOptions {
  readonly name: string;
  /** Fewer runs or states would mean that the exploration does not see what it is meant to. */
  readonly least: { readonly runs: number; readonly states: number };
}

const CASES: readonly Case[] = [
  {
    name: 'two pushes, two workers, up to 3 preemptions',
    scenario: scenario(push('a'), push('b')),
    bound: 3,
    switches: true,
    faults: [],
    least: { runs: 3_000, states: 10_000 },
  },
  {
    name: 'a push and its redelivery, two workers, up to 3 preemptions',
    scenario: scenario(push('a'), push('a')),
    bound: 3,
    switches: true,
    faults: [],
    least: { runs: 2_000, states: 5_000 },
  },
  {
    name: 'one push, up to 2 of: kill, lost, refused, late, error, stall, preemption',
    scenario: scenario(push('a')),
    bound: 2,
    switches: true,
    faults: [...KILLS, ...LOST, ...STALLS, fault('refused'), fault('hard'), fault('late', 1_000)],
    least: { runs: 10_000, states: 50_000 },
  },
  {
    name: 'a push and a command, up to 2 of: kill, lost answer, stall',
    scenario: scenario(push('a'), command('b')),
    bound: 2,
    switches: false,
    faults: [...KILLS, ...LOST, fault('stall', 63_000)],
    least: { runs: 3_000, states: 10_000 },
  },
];

describe('no run within these bounds breaks a promise', () => {
  it.each(CASES)('$name', { timeout: 120_000 }, async ({ name, least, ...options }) => {
    const { runs, states, failure } = await exploreExhaustively(product, options);
    process.stdout.write(`exhaustive exploration: ${name}: ${runs} runs, ${states} states\n`);
    expect(failure).toBeUndefined();
    expect(runs).toBeGreaterThanOrEqual(least.runs);
    expect(states).toBeGreaterThanOrEqual(least.states);
  });
});

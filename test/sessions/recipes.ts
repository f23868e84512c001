import type { PlannedFault, SimEvent } from './sim/scenario.ts';

/** What a run needs so that a given step of the protocol happens in it at all. */
export interface Recipe {
  readonly events: readonly SimEvent[];
  readonly faults: readonly PlannedFault[];
  /** Where the random part may not be empty. */
  readonly maxDequeueCount?: number;
}

const push = (at: number, delivery: string, behaviour: SimEvent['behaviour']): SimEvent => ({
  at,
  delivery,
  jobClass: 'push',
  behaviour,
});
const lose = (label: string, occurrence = 1): PlannedFault => ({
  label,
  occurrence,
  kind: 'lost',
  delayMs: 0,
});
const refuse = (label: string, occurrence = 1): PlannedFault => ({
  label,
  occurrence,
  kind: 'refused',
  delayMs: 0,
});
const one = (behaviour: SimEvent['behaviour'], ...faults: PlannedFault[]): Recipe => ({
  events: [push(0, 'a', behaviour)],
  faults,
});

/**
 * Every step at which a process can die, with the situation that leads there. The names are those that the
 * simulator gives to storage calls, by what they read and write.
 */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  'A0.send': one('quick'),
  'A1.get-h': one('quick'),
  'A2.tx': one('quick'),
  'A2.get-d': one('quick', lose('A2.tx')),
  'A2.get-x': { events: [push(0, 'a', 'quick'), push(40_000, 'a', 'quick')], faults: [] },
  'A3.reschedule': one('quick'),
  'A3.send': one('quick', refuse('A3.reschedule')),
  'W0.get-d': one('quick', { label: 'A3.reschedule', occurrence: 1, kind: 'crash-before', delayMs: 0 }),
  'W0.send': one('quick', { label: 'A2.tx', occurrence: 1, kind: 'stall', delayMs: 65_000 }),
  'W0.query': one('quick'),
  'W1.send': one('long'),
  'W2.send': one('quick'),
  'W3.tx': one('quick'),
  'W3.get-l': one('quick', refuse('W3.tx')),
  'W3.delete-guard': {
    events: [push(0, 'a', 'quick'), push(1_000, 'b', 'quick')],
    faults: [{ label: 'W3.tx', occurrence: 1, kind: 'stall', delayMs: 20_000 }],
  },
  'W4.query': one('quick'),
  'W4.get-s': one('quick'),
  'attempt.tx': one('quick'),
  'renew.tx': one('slow'),
  'renew.get-h': one('slow'),
  'renew.range-j': {
    events: [
      push(0, 'a', 'long'),
      { at: 5_000, delivery: 'b', jobClass: 'control', behaviour: 'quick', action: 'closed' },
    ],
    faults: [],
  },
  'provider.write': one('quick'),
  'settle.tx': one('quick'),
  'give-back.tx': { events: [push(0, 'a', 'long'), push(5_000, 'b', 'quick')], faults: [] },
  'remove.tx': { events: [push(0, 'a', 'long'), push(5_000, 'b', 'quick')], faults: [] },
  'defer.tx': one('overloaded'),
  'to-failed.tx': one('denied'),
  'dead.create-x': one('hopeless'),
  'dead.get-x': one('hopeless', lose('dead.create-x')),
  'fenced.get-l': one('quick', lose('attempt.tx')),
  'fenced.get-j': one('quick', lose('attempt.tx')),
  'R1.tx': one('quick'),
  'R1.get-l': one('quick', lose('R1.tx')),
  'R1.delete-guard': one('quick'),
  'R2.tx': one('overloaded'),
  'R2.send': one('overloaded'),
  'R2.delete-guard': one('overloaded'),
  'host.delete': one('quick'),
  'host.retry': one('quick', { label: 'W0.query', occurrence: 1, kind: 'hard', delayMs: 0 }),
  'host.poison': {
    ...one(
      'quick',
      ...[1, 2, 3].map((n) => ({ label: 'W0.query', occurrence: n, kind: 'hard', delayMs: 0 }) as const),
    ),
    maxDequeueCount: 2,
  },
  'poison.send': {
    ...one(
      'quick',
      ...[1, 2].map((n) => ({ label: 'W0.query', occurrence: n, kind: 'hard', delayMs: 0 }) as const),
    ),
    maxDequeueCount: 2,
  },
};

import { AppError } from '../domain/app-error.ts';
import { outboxKey } from '../state/keys.ts';
import { createOverallBudget, HOUR_MS, hourOf, readCounters } from './budget.ts';
import { createMarkers, markerLine, type Markers } from './markers.ts';
import { assertMayWrite, attempt } from './outbox-attempt.ts';
import { outboxRow, type HeldRow } from './outbox-row.ts';
import { openOutboxStore, type Claim } from './outbox-store.ts';
import type { Outbox, OutboxDependencies, OutboxOperation } from './outbox-ports.ts';

/** Writes of unknown outcome in one call before the rest is left to a later one. */
const MAX_UNKNOWN = 2;

/** How often the row is read while an intent of somebody else grows old. */
const LOOKS_WHILE_WAITING = 60;

/**
 * Makes each write once: an intent row with its reservation, a last confirmation, the provider call, the result
 * row. Whatever is lost between two of these steps, a later call finds the intent, lets it grow old enough that
 * the write can no longer be under way, looks for it at the provider twice, and only then writes again.
 */
export function createOutbox(deps: OutboxDependencies): Outbox {
  const { table, clock, timings, random } = deps;
  const markers = createMarkers(deps.markerKeys);
  const overall = createOverallBudget(deps.budgets, clock, random);
  return {
    marker: (key) => markerLine(markers.sign(key)),
    async run(partitionKey, operation) {
      const { key, authority, signal } = operation;
      await assertMayWrite(deps, operation);
      const store = openOutboxStore({ table, overall, clock, random }, partitionKey, key, authority);
      let unknown = 0;
      for (;;) {
        signal?.throwIfAborted();
        const before = await store.read();
        const recorded = recordedAnswer(before, operation, clock.now());
        if (recorded !== undefined) return recorded.result;
        const isUnclear = before?.row.state === 'intent';
        const wait = isUnclear ? before.row.at + timings.outboxIntentMs - clock.now() : 0;
        if (wait > 0) {
          if (unknown >= MAX_UNKNOWN) throw unknownOutcome(wait);
          // Whoever holds the intent may be about to finish: the row is looked at again and again meanwhile.
          await clock.sleep(Math.min(wait, timings.outboxIntentMs / LOOKS_WHILE_WAITING), signal);
          continue;
        }
        const intent = await store.claim(before, nextClaim(before, operation, markers));
        if (intent === undefined) continue;
        const answer = await attempt(deps, store, intent, operation, isUnclear);
        if (answer.kind === 'written') return answer.result;
        if (answer.kind === 'unknown') unknown += 1;
      }
    },
    knows: async (partitionKey, key) => (await table.get(partitionKey, outboxKey(key))) !== undefined,
    async mayHaveWritten(partitionKey, key) {
      const row = await table.get(partitionKey, outboxKey(key));
      return row !== undefined && ['intent', 'done'].includes(outboxRow.decode(row).state);
    },
    async usage(partitionKey, { grant, callerId }) {
      const hour = hourOf(clock.now());
      const counters = await readCounters(table, partitionKey, callerId, hour);
      return {
        run: counters.run.used,
        hour: counters.hour.used,
        hourOverall: await overall.used(grant, hour),
        hourEndsAt: hour + HOUR_MS,
      };
    },
  };
}

/** The answer the row already holds; undefined when the write is still to be made. */
function recordedAnswer<Result>(
  held: HeldRow | undefined,
  operation: OutboxOperation<Result>,
  now: number,
): { readonly result: Result } | undefined {
  if (held === undefined) return undefined;
  const { state, outcome, message, at } = held.row;
  if (state === 'refused') throw new AppError({ kind: 'rejected', code: outcome, message });
  if (state !== 'done') return undefined;
  const isOld = operation.repeatAfterMs !== undefined && now - at >= operation.repeatAfterMs;
  return isOld ? undefined : { result: operation.decode(outcome) };
}

function nextClaim<Result>(
  before: HeldRow | undefined,
  { key, kind, cost }: OutboxOperation<Result>,
  markers: Markers,
): Claim {
  if (before !== undefined && before.row.state !== 'done')
    return { kind, cost: cost ?? 1, marker: before.row.marker, generation: before.row.generation };
  const generation = before === undefined ? 0 : before.row.generation + 1;
  const marker = markers.sign(generation === 0 ? key : `${key}\n${generation}`);
  return { kind, cost: cost ?? 1, marker, generation };
}

function unknownOutcome(retryAfterMs: number): AppError {
  return new AppError({
    kind: 'transient',
    code: 'write_unknown',
    message: 'It is not known whether the provider made the write; a later call finds out.',
    retryAfterMs,
  });
}

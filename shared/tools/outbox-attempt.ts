import { AppError, isAppError } from '../domain/app-error.ts';
import { markerLine } from './markers.ts';
import type { HeldRow } from './outbox-row.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutboxDependencies, OutboxKind, OutboxOperation } from './outbox-ports.ts';
import { isInScope } from './scope.ts';
import type { Capability } from './tool.ts';
import type { RefusalCode } from './tool-result.ts';

/** Codes of transient failures after which the write is known not to exist. */
const KNOWN_UNWRITTEN: ReadonlySet<string> = new Set(['provider_rate_limited', 'provider_secondary_limit']);

export type Answer<Result> =
  | { readonly kind: 'written'; readonly result: Result }
  /** Somebody else holds the intent now. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'unknown' };

/** One try under an intent of ours. Throws what is known not to have been written, after saying so in the row. */
export async function attempt<Result>(
  deps: OutboxDependencies,
  store: OutboxStore,
  intent: HeldRow,
  operation: OutboxOperation<Result>,
  mayExist: boolean,
): Promise<Answer<Result>> {
  const marker = markerLine(intent.row.marker);
  const done = async (result: Result): Promise<Answer<Result>> => {
    await recordDone(deps, store, intent, operation, result);
    return { kind: 'written', result };
  };
  if (mayExist) {
    const found = await findWritten(deps, operation, marker);
    if (found !== undefined) return done(found);
  }
  let held: HeldRow | undefined = intent;
  try {
    await assertMayWrite(deps, operation);
    await operation.confirm();
    held = await freshIntent(deps, store, intent);
  } catch (error) {
    await giveUp(deps, store, intent, operation, error);
    throw error;
  }
  if (held === undefined) return { kind: 'lost' };
  let result: Result;
  try {
    result = await withDeadline(deps, operation, marker);
  } catch (error) {
    if (!isKnownUnwritten(error)) {
      deps.log.warn('outbox.outcomeUnknown', { kind: operation.kind, error });
      return { kind: 'unknown' };
    }
    // An earlier try may have landed after it was looked for; its echo can be the very reason of the refusal.
    const found = isAppError(error, 'rejected') ? await operation.readBack(marker) : undefined;
    if (found !== undefined) return done(found);
    await giveUp(deps, store, held, operation, error);
    throw error;
  }
  return done(result);
}

/** Which capability pays for which write; one of them must be in the grant. */
const CAPABILITIES_FOR: Readonly<Record<OutboxKind, readonly Capability[]>> = {
  review: ['submit'],
  summary: ['submit', 'observe'],
  thread: ['comment', 'submit'],
  reply: ['comment'],
  resolve: ['resolve'],
  status: ['observe'],
  notice: ['observe'],
  reaction: ['observe'],
};

/** @throws AppError `denied` when the authority does not cover the write, or writes are stopped. */
export async function assertMayWrite(
  deps: OutboxDependencies,
  { kind, authority }: Pick<OutboxOperation<unknown>, 'kind' | 'authority'>,
): Promise<void> {
  const { grant, pullRequest } = authority;
  if (!CAPABILITIES_FOR[kind].some((capability) => grant.capabilities.includes(capability)))
    throw denied('not_allowed', 'This grant does not include that kind of write.');
  if (!isInScope(grant, pullRequest))
    throw denied('out_of_scope', 'This grant does not cover that pull request.');
  if (grant.expiresAt !== undefined && deps.clock.now() >= grant.expiresAt)
    throw denied('not_allowed', 'This grant has expired.');
  if (authority.writesStopped || (await deps.isStopped?.(authority)) === true)
    throw denied('writes_stopped', 'The operator stopped all writes.');
}

/** Looks twice, because a listing may not show a write at once. */
async function findWritten<Result>(
  { clock, timings }: OutboxDependencies,
  operation: OutboxOperation<Result>,
  marker: string,
): Promise<Result | undefined> {
  const first = await operation.readBack(marker);
  if (first !== undefined) return first;
  await clock.sleep(timings.readBackGapMs ?? 3_000, operation.signal);
  return operation.readBack(marker);
}

/**
 * Our intent, young enough that a write begun now is over, its deadline and one more included, before anybody
 * may look into it. Undefined when it is no longer ours.
 */
async function freshIntent(
  { clock, timings }: OutboxDependencies,
  store: OutboxStore,
  intent: HeldRow,
): Promise<HeldRow | undefined> {
  const latestStart = timings.outboxIntentMs - 2 * timings.externalWriteMs;
  let held: HeldRow | undefined = intent;
  while (held !== undefined && clock.now() - held.row.at > latestStart) held = await store.renew(held);
  return held;
}

/** The provider call under its deadline. It is not cut short when the caller gives up: its outcome is worth knowing. */
async function withDeadline<Result>(
  { clock, timings }: OutboxDependencies,
  operation: OutboxOperation<Result>,
  marker: string,
): Promise<Result> {
  const call = new AbortController();
  const timer = new AbortController();
  const deadline = clock.sleep(timings.externalWriteMs, timer.signal).then(() => {
    const late = new AppError({
      kind: 'transient',
      code: 'write_timeout',
      message: 'The provider did not answer in time.',
    });
    call.abort(late);
    throw late;
  });
  try {
    return await Promise.race([operation.write(marker, call.signal), deadline]);
  } finally {
    timer.abort();
  }
}

/**
 * True when the provider's answer says that nothing was written. An answer that could not be read (codes
 * `answer_*`) says nothing: it may be what is left of a success.
 */
function isKnownUnwritten(error: unknown): boolean {
  if (!isAppError(error)) return false;
  if (error.kind === 'transient') return KNOWN_UNWRITTEN.has(error.code);
  return !error.code.startsWith('answer_');
}

async function recordDone<Result>(
  { log }: OutboxDependencies,
  store: OutboxStore,
  intent: HeldRow,
  operation: OutboxOperation<Result>,
  result: Result,
): Promise<void> {
  try {
    await store.settleDone(intent, operation.encode(result));
  } catch (error) {
    if (!isAppError(error)) throw error;
    // The write exists; a later call will find it at the provider.
    log.warn('outbox.resultNotRecorded', { kind: operation.kind, error });
  }
}

async function giveUp<Result>(
  { log }: OutboxDependencies,
  store: OutboxStore,
  intent: HeldRow,
  operation: OutboxOperation<Result>,
  reason: unknown,
): Promise<void> {
  const { code, message } = isAppError(reason) ? reason : { code: 'unconfirmed', message: '' };
  const isFinal = isAppError(reason, 'rejected') && operation.isFinalRefusal?.(reason) === true;
  const state = isFinal ? 'refused' : 'failed';
  try {
    await store.settleUnwritten(intent, { state, code, message });
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn('outbox.refusalNotRecorded', { kind: operation.kind, error });
  }
}

function denied(code: RefusalCode, message: string): AppError {
  return new AppError({ kind: 'denied', code, message });
}

import type { PullRequestRef } from '../domain/pull-request.ts';
import { isRowTooNew } from '../state/define-row.ts';
import { deliveryKey, sessionPartition } from '../state/keys.ts';
import { AppError } from '../domain/app-error.ts';
import { parseMessage, type SessionMessage } from './message.ts';
import type { DrainDeps } from './ports.ts';
import { readSession, type Session } from './read-session.ts';
import type { SessionStore } from './store.ts';
import { takeLease } from './take-lease.ts';
import { workThrough, type WorkEnd } from './work-through.ts';

/** Why the handling of one message ended; all of them are success for the queue's host. */
export type DrainEnd =
  | 'unreadable'
  | 'newer_build'
  | 'waits_for_delivery'
  | 'stale_guard'
  | 'guard_renewed'
  | 'held_by_other'
  | 'nothing_to_do'
  | 'guarded'
  | WorkEnd;

/** Lost races in a row after which the message is left to the queue's own retry. */
const MAX_ROUNDS = 8;

/**
 * Handles one message of gatehouse-wake; steps W0 to W4 of the session protocol. `body` is the parsed JSON.
 * @throws AppError when storage fails: the host shows the message again.
 */
export async function drainMessage(store: SessionStore, body: unknown, deps: DrainDeps): Promise<DrainEnd> {
  const parsed = parseMessage(body);
  if (parsed.kind === 'unreadable') {
    deps.log.error('message.unreadable');
    return 'unreadable';
  }
  if (parsed.kind === 'newer') {
    await store.queue.send(parsed.body, store.timings.newerBuildMs);
    return 'newer_build';
  }
  const { message } = parsed;
  try {
    return await handle(store, message, deps);
  } catch (error) {
    if (!isRowTooNew(error)) throw error;
    deps.log.warn('session.newerBuild', { partition: sessionPartition(message.pr) });
    await store.queue.send(message, store.timings.newerBuildMs);
    return 'newer_build';
  }
}

async function handle(store: SessionStore, message: SessionMessage, deps: DrainDeps): Promise<DrainEnd> {
  const partitionKey = sessionPartition(message.pr);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // W0: the delivery before the query, or an append between the two would be in neither.
    if (await isDeliveryPending(store, partitionKey, message)) {
      await store.queue.send(message, store.timings.wakeMs);
      return 'waits_for_delivery';
    }
    const session = await readSession(store, partitionKey);

    // W1
    const end = await judge(store, message, session);
    if (end !== undefined) return end;

    // W2, W3
    const pr: PullRequestRef = session.head?.pr ?? message.pr;
    const lease = await takeLease(store, pr, session, 'guard' in message ? message.guard : undefined);
    if (lease === 'again') continue;
    if (lease === 'guarded') return lease;

    // W4
    return workThrough(store, lease, pr, deps);
  }
  throw new AppError({
    kind: 'transient',
    code: 'session_contended',
    message: 'Several drains want one pull request; the message is tried again.',
  });
}

/** True while the message stands for an append that is not there yet and may still come. */
async function isDeliveryPending(
  store: SessionStore,
  partitionKey: string,
  message: SessionMessage,
): Promise<boolean> {
  if (!('delivery' in message) || message.delivery === undefined) return false;
  const delivery = await store.table.get(partitionKey, deliveryKey(message.delivery));
  return delivery === undefined && store.clock.now() < (message.expires ?? 0);
}

/** W1: undefined when the lease is to be taken. */
async function judge(
  store: SessionStore,
  message: SessionMessage,
  { lease, jobs }: Session,
): Promise<DrainEnd | undefined> {
  const now = store.clock.now();
  const fence = lease?.fence ?? 0;
  const owner = lease?.owner ?? '';
  const until = lease?.until ?? 0;
  const guard = 'guard' in message ? message.guard : undefined;

  if (guard !== undefined && guard < fence) return 'stale_guard';
  if (owner !== '' && now < until) {
    if (guard !== fence) return 'held_by_other';
    await store.queue.send(message, until - now + store.timings.guardSlackMs);
    return 'guard_renewed';
  }
  // An expired owner without jobs goes on: the release tidies up.
  if (jobs.length === 0 && owner === '') return 'nothing_to_do';
  return undefined;
}

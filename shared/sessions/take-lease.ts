import type { PullRequestRef } from '../domain/pull-request.ts';
import { LEASE_KEY } from '../state/keys.ts';
import { leaseRow } from '../state/row-types.ts';
import { holdLease, type HeldLease } from './lease.ts';
import { guardFor } from './message.ts';
import type { Session } from './read-session.ts';
import type { SessionStore } from './store.ts';

/**
 * Steps W2 and W3: sends the guard, then takes the lease that `session` saw free or expired.
 * Undefined when another drain took it, or changed it at all: look again with the same message.
 */
export async function takeLease(
  store: SessionStore,
  partitionKey: string,
  pr: PullRequestRef,
  session: Session,
): Promise<HeldLease | undefined> {
  const { table, queue, clock, random, timings } = store;
  const fence = (session.lease?.fence ?? 0) + 1;
  const token = random.hex(16);

  // W2: before the lease, so that a crash at any later point finds a message on its way.
  const guard = await queue.send(guardFor(pr, fence), timings.leaseMs + timings.guardSlackMs);

  // W3
  const values = leaseRow.encode({ fence, owner: token, until: clock.now() + timings.leaseMs });
  const result = await table.transaction(partitionKey, [
    session.lease === undefined
      ? { kind: 'create', rowKey: LEASE_KEY, values }
      : { kind: 'replace', rowKey: LEASE_KEY, values, etag: session.lease.etag },
  ]);
  if (result.kind === 'done') {
    return holdLease(store, { partitionKey, fence, token, guard, etag: result.etags[0] ?? '' });
  }
  const stored = await table.get(partitionKey, LEASE_KEY);
  if (stored !== undefined) {
    const lease = leaseRow.decode(stored);
    if (lease.fence === fence && lease.owner === token) {
      return holdLease(store, { partitionKey, fence, token, guard, etag: stored.etag });
    }
  }
  await queue.delete(guard);
  return undefined;
}

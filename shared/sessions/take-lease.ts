import { AppError } from '../domain/app-error.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import { LEASE_KEY, sessionPartition } from '../state/keys.ts';
import type { TableAction } from '../state/ports.ts';
import { leaseRow } from '../state/row-types.ts';
import { holdLease, type HeldLease } from './lease.ts';
import { guardFor } from './message.ts';
import type { Session } from './read-session.ts';
import type { SessionStore } from './store.ts';

/** Tries of one compare-and-swap that is not answered for certain. */
const MAX_TRIES = 3;
/** Answers after which no earlier try of the same compare-and-swap can succeed: the ETag is not the same any more. */
const CONFLICTS: readonly (number | undefined)[] = [404, 409, 412];

/**
 * `again`: another drain took or changed the lease, so look again with the same message.
 * `guarded`: nobody can say whether the lease was taken, or will be; the guard stands for the message from now on.
 */
export type Taken = HeldLease | 'again' | 'guarded';

/**
 * Steps W2 and W3: sends the guard, then takes the lease that `session` saw free or expired. `receivedGuard` is
 * the fence that the message in hand guards, if it is a guard.
 * @throws AppError when storage refuses, or does not answer; the host shows the message again.
 */
export async function takeLease(
  store: SessionStore,
  pr: PullRequestRef,
  session: Session,
  receivedGuard: number | undefined,
): Promise<Taken> {
  const { table, queue, clock, random, timings } = store;
  const partitionKey = sessionPartition(pr);
  const fence = (session.lease?.fence ?? 0) + 1;
  const token = random.hex(16);

  // W2: before the lease, so that a crash at any later point finds a message on its way.
  const guard = await queue.send(guardFor(pr, fence), timings.leaseMs + timings.guardSlackMs);
  const held = { partitionKey, fence, token, guard };

  // W3
  let mayArrive = false;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const values = leaseRow.encode({ fence, owner: token, until: clock.now() + timings.leaseMs });
    const action: TableAction =
      session.lease === undefined
        ? { kind: 'create', rowKey: LEASE_KEY, values }
        : { kind: 'replace', rowKey: LEASE_KEY, values, etag: session.lease.etag };
    const result = await table.transaction(partitionKey, [action]).catch(async (error: unknown) => {
      // Each retry of the message would leave one more guard, and each guard would do the same.
      if (!mayArrive) await queue.delete(guard);
      throw error;
    });
    if (result.kind === 'done') return holdLease(store, { ...held, etag: result.etags[0] ?? '' });

    const stored = await table.get(partitionKey, LEASE_KEY);
    if (stored !== undefined) {
      const lease = leaseRow.decode(stored);
      if (lease.fence === fence && lease.owner === token)
        return holdLease(store, { ...held, etag: stored.etag });
    }
    if (CONFLICTS.includes(result.status)) {
      await queue.delete(guard);
      return 'again';
    }
    // The request may still arrive and take the lease for a drain that is gone: the guard has to stay. Asking
    // again settles it, because whichever request comes first changes the ETag.
    mayArrive = true;
    await clock.sleep(Math.ceil(random.number() * timings.pauseMs));
  }
  // The guard of an expired holder is needed until that holder is known to be gone: only it finds that holder's jobs.
  const isGuardOfHolder =
    session.lease !== undefined && session.lease.owner !== '' && receivedGuard === session.lease.fence;
  if (!isGuardOfHolder) return 'guarded';
  throw new AppError({
    kind: 'transient',
    code: 'storage_unavailable',
    message: 'Storage does not answer; the message is tried again.',
  });
}

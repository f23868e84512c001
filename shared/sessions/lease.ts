import { AppError } from '../domain/app-error.ts';
import { LEASE_KEY } from '../state/keys.ts';
import type { MessageReceipt, Row, TableAction, WriteResult } from '../state/ports.ts';
import { leaseRow } from '../state/row-types.ts';
import { areInTarget } from './target-state.ts';
import type { SessionStore } from './store.ts';

/** Repeats of one fenced write that storage keeps answering unclearly. */
const MAX_REPEATS = 5;
/** Table Storage takes 100 actions in a transaction; the first replaces the lease. */
export const MAX_FENCED_ACTIONS = 98;

/** The lease on one pull request as its holder sees it. */
export interface HeldLease {
  readonly partitionKey: string;
  readonly fence: number;
  readonly token: string;
  /** The guard that was sent before the lease was taken. */
  readonly guard: MessageReceipt;
  /**
   * Changes rows that only the holder writes, or nothing (a renewal), and extends the lease, in one transaction.
   * `lost`: somebody else holds the lease and nothing was written.
   * @throws AppError `transient` when storage keeps failing; the rows may or may not be written then.
   */
  fencedWrite(actions: readonly TableAction[]): Promise<'done' | 'lost'>;
  /** Sends one transaction that frees the lease, `others` with it. Does not look behind an unclear answer. */
  free(others: readonly TableAction[]): Promise<WriteResult>;
  /** Reads the lease again and takes over its ETag: ours, released by us, or lost. */
  reread(): Promise<'ours' | 'free' | 'lost'>;
}

export interface TakenLease {
  readonly partitionKey: string;
  readonly fence: number;
  readonly token: string;
  readonly etag: string;
  readonly guard: MessageReceipt;
}

export function holdLease(store: SessionStore, taken: TakenLease): HeldLease {
  const { table, clock, random, timings } = store;
  const { partitionKey, fence, token } = taken;
  let etag = taken.etag;
  let isLost = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Renewals, fenced writes and releases go one after the other, or they would fail each other's ETags. */
  const exclusive = <T>(step: () => Promise<T>): Promise<T> => {
    const next = last.then(step, step);
    last = next.catch(() => undefined);
    return next;
  };

  const reread = async (): Promise<'ours' | 'free' | 'lost'> => {
    const row = await table.get(partitionKey, LEASE_KEY);
    const kind = row === undefined ? 'lost' : whose(row, fence, token);
    // The ETag of somebody else's lease must never be ours to write with.
    if (kind === 'ours' && row !== undefined) etag = row.etag;
    isLost = kind !== 'ours';
    return kind;
  };

  const fencedWrite = async (actions: readonly TableAction[]): Promise<'done' | 'lost'> => {
    if (actions.length > MAX_FENCED_ACTIONS) throw new Error(`fenced write of ${actions.length} actions`);
    for (let repeat = 0; repeat <= MAX_REPEATS; repeat++) {
      if (isLost) return 'lost';
      const values = leaseRow.encode({ fence, owner: token, until: clock.now() + timings.leaseMs });
      const result = await table.transaction(partitionKey, [
        { kind: 'replace', rowKey: LEASE_KEY, values, etag },
        ...actions,
      ]);
      if (result.kind === 'done') {
        etag = result.etags[0] ?? '';
        return 'done';
      }
      if ((await reread()) !== 'ours') return 'lost';
      if (actions.length > 0 && (await areInTarget(table, partitionKey, actions))) return 'done';
      await clock.sleep(Math.ceil(random.number() * timings.pauseMs));
    }
    throw new AppError({
      kind: 'transient',
      code: 'storage_unavailable',
      message: 'A session could not be written; it is taken up again later.',
    });
  };

  const free = async (others: readonly TableAction[]): Promise<WriteResult> => {
    if (isLost) return { kind: 'unclear', status: undefined };
    const values = leaseRow.encode({ fence, owner: '', until: 0 });
    return table.transaction(partitionKey, [{ kind: 'replace', rowKey: LEASE_KEY, values, etag }, ...others]);
  };

  return {
    partitionKey,
    fence,
    token,
    guard: taken.guard,
    fencedWrite: (actions) => exclusive(() => fencedWrite(actions)),
    reread: () => exclusive(reread),
    free: (others) => exclusive(() => free(others)),
  };
}

function whose(row: Row, fence: number, token: string): 'ours' | 'free' | 'lost' {
  const lease = leaseRow.decode(row);
  if (lease.fence !== fence) return 'lost';
  if (lease.owner === token) return 'ours';
  return lease.owner === '' ? 'free' : 'lost';
}

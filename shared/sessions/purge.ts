import { isRowTooNew } from '../state/define-row.ts';
import { HEAD_KEY, ROW_PREFIXES, STATE_KEY, type RowPrefix } from '../state/keys.ts';
import type { ScannedRow, TableAction } from '../state/ports.ts';
import { headRow } from '../state/row-types.ts';
import { readState } from './read-session.ts';
import type { SessionStore } from './store.ts';

/** Rows that only history needs; a dead letter that could not be reported for that long, too. */
const PAST_RETENTION: readonly RowPrefix[] = ['delivery', 'deadLetter', 'outbox', 'pass', 'draft', 'budget'];
/** Rows that an open pull request needs for as long as it is open. */
const OF_OPEN_PULL_REQUESTS: readonly RowPrefix[] = ['state', 'finding', 'thread'];
/** 100 actions, one of which is the compare-and-swap on the head. */
const MAX_REMOVED = 99;

/** What a purge of one session works with. */
export interface PurgeContext {
  /** Row `h` as the scan saw it. */
  readonly head: ScannedRow;
  readonly retentionMs: number;
  /** True when the provider says that the pull request is not open; absent: nobody is asked. */
  readonly isClosed: (() => Promise<boolean>) | undefined;
}

/**
 * Deletes rows of one idle session that nobody changed for `retentionMs`. Head and lease stay for ever, so that
 * tickets and fences never restart. Deletes are unconditional in a transaction; the head's ETag stands for "no
 * job came since the scan", and without a job nobody but an MCP client works on the rows. Answers how many.
 */
export async function purgeSession(
  store: SessionStore,
  rows: readonly ScannedRow[],
  context: PurgeContext,
): Promise<number> {
  const { head, retentionMs } = context;
  const before = store.clock.now() - retentionMs;
  const old = rows.filter(({ timestamp }) => timestamp < before);
  const purgeable = new Set(PAST_RETENTION.map((prefix): string => ROW_PREFIXES[prefix]));
  if (old.some(({ rowKey }) => rowKey === STATE_KEY) && (await isClosedForGood(store, context))) {
    for (const prefix of OF_OPEN_PULL_REQUESTS) purgeable.add(ROW_PREFIXES[prefix]);
  }
  const doomed = old.filter((row) => purgeable.has(row.rowKey.slice(0, 1)));

  let { etag } = head;
  for (let start = 0; start < doomed.length; start += MAX_REMOVED) {
    const batch = doomed.slice(start, start + MAX_REMOVED);
    const actions: TableAction[] = [
      { kind: 'replace', rowKey: HEAD_KEY, values: head.values, etag },
      ...batch.map(({ rowKey }) => ({ kind: 'delete', rowKey }) as const),
    ];
    const result = await store.table.transaction(head.partitionKey, actions);
    // Somebody works here again, or purges, too: the next walk comes back.
    if (result.kind === 'unclear') return start;
    etag = result.etags[0] ?? '';
  }
  return doomed.length;
}

/**
 * Our own rows only say when to ask: a pull request that was reopened as a draft causes no job, and its memory
 * must not go. The provider has the last word.
 */
async function isClosedForGood(store: SessionStore, { head, isClosed }: PurgeContext): Promise<boolean> {
  if (isClosed === undefined) return false;
  try {
    const { closedTicket } = await readState(store, head.partitionKey);
    const { newestPush } = headRow.decode(head);
    return closedTicket !== undefined && closedTicket > newestPush && (await isClosed());
  } catch (error) {
    if (isRowTooNew(error)) return false;
    throw error;
  }
}

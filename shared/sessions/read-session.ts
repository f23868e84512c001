import type { Job } from '../domain/job.ts';
import { DRAIN_RANGE, HEAD_KEY, LEASE_KEY, STATE_KEY, ticketOfKey } from '../state/keys.ts';
import type { Row, RowValues } from '../state/ports.ts';
import { headRow, jobRow, leaseRow, stateRow, type HeadRow, type LeaseRow } from '../state/row-types.ts';
import type { PullRequestState } from './ports.ts';
import type { SessionStore } from './store.ts';

/** A job with what only the drain needs of its row. */
export interface StoredJob extends Job {
  /** Transient failures so far. */
  readonly delays: number;
}

/** One pull request as the query over [`h`, `l~`) saw it. */
export interface Session {
  readonly head: (HeadRow & { readonly etag: string; readonly values: RowValues }) | undefined;
  /** Ascending by ticket. */
  readonly jobs: readonly StoredJob[];
  readonly lease: (LeaseRow & { readonly etag: string }) | undefined;
}

/** @throws AppError `row_too_new` when a newer build wrote one of the rows. */
export async function readSession(store: SessionStore, partitionKey: string): Promise<Session> {
  const rows = await store.table.range(partitionKey, DRAIN_RANGE.from, DRAIN_RANGE.to);
  const head = rows.find(({ rowKey }) => rowKey === HEAD_KEY);
  const lease = rows.find(({ rowKey }) => rowKey === LEASE_KEY);
  return {
    head: head && { ...headRow.decode(head), etag: head.etag, values: head.values },
    jobs: rows.flatMap((row) => readJob(row) ?? []),
    lease: lease && { ...leaseRow.decode(lease), etag: lease.etag },
  };
}

/** Undefined for a row that is no job. */
export function readJob(row: Row): StoredJob | undefined {
  const ticket = row.rowKey.startsWith('j') ? ticketOfKey(row.rowKey) : undefined;
  return ticket === undefined ? undefined : { ...jobRow.decode(row), ticket };
}

export async function readState(store: SessionStore, partitionKey: string): Promise<PullRequestState> {
  const row = await store.table.get(partitionKey, STATE_KEY);
  return row === undefined ? {} : stateRow.decode(row).state;
}

import { createHash } from 'node:crypto';
import type { PullRequestRef } from '../domain/pull-request.ts';

/** Parts of a PullRequestRef that identify; names may change and never are part of a key. */
export type PullRequestIdentity = Pick<PullRequestRef, 'provider' | 'instance' | 'repositoryId' | 'number'>;

const TICKET_DIGITS = 12;
const MAX_TICKET = 10 ** TICKET_DIGITS - 1;

/** Head of a session: counters and the names to show. Sorts before the jobs and the lease. */
export const HEAD_KEY = 'h';
/** Lease of a session. Sorts after the jobs: a range query reads it last. */
export const LEASE_KEY = 'l';
/** What a pull request remembers between runs. */
export const STATE_KEY = 's';
/** The query [`h`, `l~`) reads head, jobs and lease in this order; no other row may sort between them. */
export const DRAIN_RANGE = { from: HEAD_KEY, to: 'l~' } as const;

/** First letter of every row key in GatehouseSessions. `i` and `k` stay unused: they sort between h and l. */
export const ROW_PREFIXES = {
  head: HEAD_KEY,
  job: 'j',
  lease: LEASE_KEY,
  state: STATE_KEY,
  delivery: 'd',
  deadLetter: 'x',
  finding: 'f',
  thread: 't',
  outbox: 'o',
  pass: 'p',
  draft: 'w',
  budget: 'b',
} as const;
export type RowPrefix = keyof typeof ROW_PREFIXES;

/** All rows whose key starts with the letter of `prefix`, as bounds for TablePort.range. */
export function prefixRange(prefix: RowPrefix): { readonly from: string; readonly to: string } {
  return { from: ROW_PREFIXES[prefix], to: `${ROW_PREFIXES[prefix]}~` };
}

/** Partition of one pull request: 32 hex characters over immutable ids. */
export function sessionPartition(pr: PullRequestIdentity): string {
  return shortHash(`${pr.provider}|${pr.instance}|${pr.repositoryId}|${pr.number}`);
}

/** Bounds [from, to) over session partitions of slice `index` out of `count`, together the whole key space. */
export function partitionSlice(index: number, count: number): { readonly from: string; readonly to: string } {
  const bound = (n: number): string =>
    Math.floor((n * 0x1_0000) / count)
      .toString(16)
      .padStart(4, '0');
  return { from: bound(index), to: index + 1 >= count ? 'g' : bound(index + 1) };
}

/** Row of job `ticket`: 12 digits, so that lexical order is ticket order. */
export function jobKey(ticket: number): string {
  return `j${ticketText(ticket)}`;
}

/** Ticket of a job or dead-letter row key; undefined for any other row. */
export function ticketOfKey(rowKey: string): number | undefined {
  return /^[jx]\d{12}$/.test(rowKey) ? Number(rowKey.slice(1)) : undefined;
}

export function isJobKey(rowKey: string): boolean {
  return /^j\d{12}$/.test(rowKey);
}

/** Row of the dead letter that job `ticket` ended as. */
export function deadLetterKey(ticket: number): string {
  return `x${ticketText(ticket)}`;
}

/** Row that remembers a delivery; the key is hashed because providers choose its characters. */
export function deliveryKey(delivery: string): string {
  return `d${shortHash(delivery)}`;
}

/** Row of a finding, by fingerprint. */
export function findingKey(fingerprint: string): string {
  return `f${shortHash(fingerprint)}`;
}

/** Row of a thread we opened, by the provider's thread id. */
export function threadKey(threadId: string): string {
  return `t${shortHash(threadId)}`;
}

/** Row of an outbox operation, by its idempotency key. */
export function outboxKey(idempotencyKey: string): string {
  return `o${shortHash(idempotencyKey)}`;
}

/** Row of one stored pass result. */
export function passKey(planHash: string, pass: string): string {
  return `p${shortHash(`${planHash}|${pass}`)}`;
}

/** Row of the n-th draft comment of a client; `client` is hashed, n is zero-padded to 6 digits. */
export function draftKey(client: string, n: number): string {
  return `${draftPrefix(client)}${String(n).padStart(6, '0')}`;
}

/** Common start of all draft rows of one client. */
export function draftPrefix(client: string): string {
  return `w${shortHash(client)}-`;
}

/** Row of a budget of this pull request, by name of its window. */
export function budgetKey(window: string): string {
  return `b${shortHash(window)}`;
}

/** Any text to 32 hex characters of its SHA-256: safe in keys, fixed length. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32);
}

function ticketText(ticket: number): string {
  if (!Number.isSafeInteger(ticket) || ticket < 1 || ticket > MAX_TICKET) {
    throw new RangeError(`ticket out of range: ${ticket}`);
  }
  return String(ticket).padStart(TICKET_DIGITS, '0');
}

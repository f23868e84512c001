import type { Secret } from '../config/secret.ts';
import type { AppError } from '../domain/app-error.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { Logger } from '../observability/ports.ts';
import type { TablePort } from '../state/ports.ts';
import type { Grant } from './tool.ts';

/** On whose behalf a write is made; the outbox checks scope, stop and budgets against it once more. */
export interface WriteAuthority {
  readonly grant: Grant;
  /** As the provider returned it. */
  readonly pullRequest: PullRequestRef;
  readonly callerId: string;
  readonly writesStopped: boolean;
}

export const OUTBOX_KINDS = [
  'review',
  'thread',
  'reply',
  'resolve',
  'summary',
  'status',
  'notice',
  'reaction',
] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** One write at a provider that must happen once, whatever is retried. */
export interface OutboxOperation<Result> {
  /** Idempotency key text; hashed into the row key and, by HMAC, into the marker. */
  readonly key: string;
  readonly kind: OutboxKind;
  readonly authority: WriteAuthority;
  /** Budget units this write costs: 1, or for a batch review its comments plus its text. */
  readonly cost?: number;
  /** A result older than this no longer counts: the write may be made anew, under a new marker. */
  readonly repeatAfterMs?: number;
  /** True for a refusal after which the write is never tried again under this key. */
  readonly isFinalRefusal?: (error: AppError) => boolean;
  readonly signal?: AbortSignal;
  /** Renews the lease or checks the head right before the provider is called. */
  confirm(): Promise<void>;
  /** The provider call; `marker` is the first line the body must carry. `signal` aborts at the write's deadline. */
  write(marker: string, signal: AbortSignal): Promise<Result>;
  /** Looks for the write at the provider by own author AND marker; undefined when it is not there. */
  readBack(marker: string): Promise<Result | undefined>;
  encode(result: Result): string;
  decode(stored: string): Result;
}

/** What has been spent of a grant's budgets in the windows that hold `now`. */
export interface BudgetUse {
  readonly run: number;
  readonly hour: number;
  readonly hourOverall: number;
  /** Epoch ms at which the hourly windows open again. */
  readonly hourEndsAt: number;
}

export interface Outbox {
  /** The marker line that a write under `key` carries, for what one request writes besides its own body. */
  marker(key: string): string;
  /**
   * Makes the write once and returns its result, or the recorded one.
   * @throws AppError `denied` writes_stopped, out_of_scope, budget_exhausted; `transient` write_unknown when it is
   * not known whether the write happened (a later call finds out); whatever `confirm` and the provider refuse with.
   */
  run<Result>(partitionKey: string, operation: OutboxOperation<Result>): Promise<Result>;
  /** True when a write under this key was begun before: repeating it costs nothing. */
  knows(partitionKey: string, key: string): Promise<boolean>;
  /** True when a write under this key is at the provider, or may be. */
  mayHaveWritten(partitionKey: string, key: string): Promise<boolean>;
  /** For the gate's look before a call; the reservation in `run` is what counts. */
  usage(partitionKey: string, authority: Pick<WriteAuthority, 'grant' | 'callerId'>): Promise<BudgetUse>;
}

/** Milliseconds. SessionTimings has them. */
export interface OutboxTimings {
  /** Deadline of one provider call. */
  readonly externalWriteMs: number;
  /** Age at which an intent without a result may be looked into. At least three write deadlines. */
  readonly outboxIntentMs: number;
  /** Pause between the two read-backs; a provider's listing may lag behind its writes. Default 3,000. */
  readonly readBackGapMs?: number;
}

export interface OutboxDependencies {
  readonly table: TablePort;
  readonly clock: Clock;
  readonly timings: OutboxTimings;
  /** GATEHOUSE_MARKER_KEYS; the first signs. */
  readonly markerKeys: readonly Secret[];
  readonly random: RandomSource;
  readonly log: Logger;
  /** GatehouseBudgets, for grants with an overall budget. */
  readonly budgets?: TablePort;
  /** Asked before every write, besides what the authority says: a stop that was set after the run began. */
  readonly isStopped?: (authority: WriteAuthority) => Promise<boolean>;
}

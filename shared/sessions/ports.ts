import type { Job } from '../domain/job.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { RunReport } from '../domain/run-outcome.ts';

/** What a pull request remembers between runs (row `s`): ids and cursors, under 32 KiB as JSON. */
export interface PullRequestState {
  readonly lastCompletedHead?: string;
  readonly lastCompletedBase?: string;
  readonly paused?: boolean;
  /** Runs in a row that a newer push ended; at 2 the next run is protected from pushes. */
  readonly supersededInARow?: number;
  readonly lastOutcome?: string;
  readonly lastRunId?: string;
}

export const ABORT_REASONS = ['superseded', 'control', 'lost', 'deadline'] as const;
export type AbortReason = (typeof ABORT_REASONS)[number];

/** What the drain hands to a job. */
export interface JobContext {
  readonly pr: PullRequestRef;
  /** Hex partition key of the pull request's session. */
  readonly partitionKey: string;
  readonly fence: number;
  readonly state: PullRequestState;
  /** After two supersedes in a row: pushes no longer abort this run. */
  readonly isProtected: boolean;
  /** Aborts with an AppError of kind `stale` whose code is an AbortReason. */
  readonly signal: AbortSignal;
  /**
   * Renews the lease and looks for newer jobs; call right before each write to a provider.
   * @throws AppError `stale` when the lease is lost or the run was superseded or stopped.
   */
  confirmBeforeWrite(): Promise<void>;
}

export type JobResult =
  | { readonly kind: 'settled'; readonly report: RunReport; readonly state: PullRequestState }
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterMs?: number };

/** Runs one job to its end. Throwing AppError `transient` equals returning transient; other throws count an attempt. */
export type JobRunner = (job: Job, context: JobContext) => Promise<JobResult>;

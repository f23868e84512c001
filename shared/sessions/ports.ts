import type { Job } from '../domain/job.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import type { Logger } from '../observability/ports.ts';

/** What a pull request remembers between runs (row `s`): ids and cursors, under 32 KiB as JSON. */
export interface PullRequestState {
  readonly lastCompletedHead?: string;
  readonly lastCompletedBase?: string;
  readonly paused?: boolean;
  /** Runs in a row that a newer push ended; at 2 the next run is protected from pushes. Kept by the drain. */
  readonly supersededInARow?: number;
  /** Ticket of the last control job that said closed or merged; the pull request may be open again. Kept by the drain. */
  readonly closedTicket?: number;
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

/**
 * Runs one job to its end. Throwing AppError `transient` equals returning transient; `stale` finishes the job
 * quietly; `rejected`, `denied` and `permanent` make it a `run.failed`; anything else counts an attempt.
 * After `signal` aborts the run must end soon: what it still returns or throws then is only taken for the
 * reason of the abort, except a settled report of work that was finished all the same.
 */
export type JobRunner = (job: Job, context: JobContext) => Promise<JobResult>;

/** What a control job looks at. */
export interface ControlContext {
  readonly pr: PullRequestRef;
  readonly partitionKey: string;
  readonly state: PullRequestState;
  /** The job in progress, when there is one. */
  readonly running: Job | undefined;
  /** Jobs of other classes that wait with a lower ticket, the running one included. */
  readonly earlier: readonly Job[];
}

export type ControlDecision =
  | {
      readonly kind: 'applied';
      readonly state: PullRequestState;
      /** Tickets out of `earlier` that are not to be run any more. */
      readonly removed: readonly number[];
      /** True when the run in progress has to end. */
      readonly stopsRun: boolean;
    }
  | { readonly kind: 'ignored'; readonly reason: string };

/**
 * Checks one control job with the provider (really closed, or its actor is the author or has write access) and
 * says what it does; `decideControl` gives the decision once it holds. It may be asked more than once for the
 * same job. Throwing AppError `transient` makes the job wait.
 */
export type ApplyControl = (control: Job, context: ControlContext) => Promise<ControlDecision>;

/** Name of the id under which a control job carries its ControlAction. */
export const CONTROL_ACTION_ID = 'action';
/** Name of the id under which comment and comment-deleted jobs carry the provider's comment id. */
export const COMMENT_ID = 'commentId';

/** Ids that the drain adds to a job when it becomes a `run.failed`. */
export const FAILURE_IDS = {
  /** Kind of the job that failed. */
  kind: 'failedKind',
  /** Stable code of the failure, e.g. `attempts_exhausted`. */
  code: 'failureCode',
} as const;

/** What a drain needs besides storage. */
export interface DrainDeps {
  readonly runJob: JobRunner;
  readonly applyControl: ApplyControl;
  readonly log: Logger;
}

/** Job classes order and supersede differently; see docs/architecture.md. */
export const JOB_CLASSES = ['push', 'command', 'control'] as const;
export type JobClass = (typeof JOB_CLASSES)[number];

export const JOB_KINDS = ['review.full', 'review.incremental', 'comment', 'control', 'run.failed'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const CONTROL_ACTIONS = [
  'stop',
  'pause',
  'resume',
  'closed',
  'merged',
  'draft',
  'comment-deleted',
] as const;
export type ControlAction = (typeof CONTROL_ACTIONS)[number];

/** What ingress accepted, before it has a ticket. Ids only; everything else is read again from the provider. */
export interface NewJob {
  readonly kind: JobKind;
  readonly class: JobClass;
  /** Event and action that caused it, e.g. `pull_request.opened`. */
  readonly cause: string;
  /** Provider ids the job needs: comment id, control action, actor id. Strings, under 4 KiB in all. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A job row as the worker sees it. */
export interface Job extends NewJob {
  /** Gap-free number within its pull request. */
  readonly ticket: number;
  /** Crashes, time-outs and bugs so far, this one included while it runs. */
  readonly attempts: number;
  /** Epoch ms before which it must not run; 0 when free. */
  readonly notBefore: number;
  /** Epoch ms of the first transient failure; 0 when none. */
  readonly firstFailedAt: number;
}

/** Every time the session protocol knows, in milliseconds; one record, scaled down in tests. */
export interface SessionTimings {
  /** A lease is held this long after its last write. */
  readonly leaseMs: number;
  /** Between two renewals while a job runs. */
  readonly renewMs: number;
  /** A guard becomes visible this long after the lease it guards ran out. */
  readonly guardSlackMs: number;
  /** A wake sent before its append stays hidden this long, and is sent again that often until it expires. */
  readonly wakeMs: number;
  /** A wake stops waiting for its delivery this long after it was first sent. */
  readonly deliveryExpiryMs: number;
  /** Ingress gives up appending after this long. */
  readonly appendMs: number;
  /** Longest pause between two tries of an append; each pause is random. */
  readonly pauseMs: number;
  /** One call that writes to a provider. */
  readonly externalWriteMs: number;
  /** An outbox intent without a result may be looked into after this long. */
  readonly outboxIntentMs: number;
  /** One run of one job. */
  readonly runMs: number;
  /** A drain gives way between jobs after this long. */
  readonly drainMs: number;
  /** The pull request that gave way is not worked on for this long. */
  readonly giveWayMs: number;
  /** One invocation of the review function, as in host.json. */
  readonly functionMs: number;
  readonly mcpRequestMs: number;
  /** First delay after a transient failure; doubles with each. */
  readonly backoffMs: number;
  readonly backoffCapMs: number;
  readonly retryAfterCapMs: number;
  /** A job that met only transient failures for this long fails. */
  readonly transientLimitMs: number;
  /** First delay of a poisoned message; doubles with each time. */
  readonly poisonMs: number;
  readonly poisonCapMs: number;
  /** A session that a newer build wrote is looked at again after this long. */
  readonly newerBuildMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const SESSION_TIMINGS: SessionTimings = {
  leaseMs: 60 * SECOND,
  renewMs: 20 * SECOND,
  guardSlackMs: 2 * SECOND,
  wakeMs: 30 * SECOND,
  deliveryExpiryMs: 10 * MINUTE,
  appendMs: 60 * SECOND,
  pauseMs: 200,
  externalWriteMs: 20 * SECOND,
  outboxIntentMs: 60 * SECOND,
  runMs: 20 * MINUTE,
  drainMs: 15 * MINUTE,
  giveWayMs: 30 * SECOND,
  functionMs: 40 * MINUTE,
  mcpRequestMs: 100 * SECOND,
  backoffMs: 30 * SECOND,
  backoffCapMs: 15 * MINUTE,
  retryAfterCapMs: HOUR,
  transientLimitMs: 6 * HOUR,
  poisonMs: 5 * MINUTE,
  poisonCapMs: 60 * MINUTE,
  newerBuildMs: 10 * MINUTE,
};

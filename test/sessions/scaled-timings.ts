import { SESSION_TIMINGS, type SessionTimings } from '../../shared/sessions/timings.ts';

/**
 * The protocol's times on a scale at which a test can kill processes and see others take over. Messages hide for
 * whole seconds, so a second is the smallest unit.
 */
export const SCALED_TIMINGS: SessionTimings = {
  ...SESSION_TIMINGS,
  leaseMs: 3_000,
  renewMs: 1_000,
  guardSlackMs: 1_000,
  wakeMs: 2_000,
  deliveryExpiryMs: 20_000,
  appendMs: 8_000,
  pauseMs: 100,
  externalWriteMs: 500,
  outboxIntentMs: 2_000,
  runMs: 15_000,
  drainMs: 5_000,
  giveWayMs: 1_000,
  backoffMs: 500,
  backoffCapMs: 2_000,
  retryAfterCapMs: 2_000,
  poisonMs: 1_000,
  poisonCapMs: 4_000,
  newerBuildMs: 2_000,
};

/** How long the queue's host of the tests hides what it received; it renews at half of it. */
export const HOST_HIDE_MS = 4_000;

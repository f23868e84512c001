import type { Clock, RandomSource } from '../domain/clock.ts';
import type { QueuePort, TablePort } from '../state/ports.ts';
import type { SessionTimings } from './timings.ts';

/**
 * Everything the session protocol touches. The same steps run over Azure, over Azurite and in the simulator of
 * the tests, which owns the order of all calls, the time and the randomness.
 */
export interface SessionStore {
  /** GatehouseSessions. */
  readonly table: TablePort;
  /** gatehouse-wake. */
  readonly queue: QueuePort;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly timings: SessionTimings;
}

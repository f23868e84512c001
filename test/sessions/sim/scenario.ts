import type { JobClass } from '../../../shared/domain/job.ts';
import type { ControlAction } from '../../../shared/domain/job.ts';
import type { FaultKind } from './faults.ts';

/** How a simulated job behaves. */
export const BEHAVIOURS = [
  /** One write to the provider. */
  'quick',
  /** Two writes, 25 s apart, so that a renewal falls between. */
  'slow',
  /** Works 70 s, longer than a lease, then writes. */
  'long',
  /** Transient twice, then as quick. */
  'overloaded',
  /** Says Retry-After 45 s once, by throwing. */
  'limited',
  /** Throws a bug at the first attempt. */
  'bug-once',
  /** Throws a bug always; its report works. */
  'bug',
  /** Takes its process down always; its report works. */
  'crash',
  /** Throws a bug always, in its report, too. */
  'hopeless',
  /** Does not end by itself; ends when it is aborted. */
  'endless',
  /** Does not end for 30 min, whatever it is told. */
  'deaf',
  /** Finds that the pull request moved on. */
  'stale',
  /** Throws a permanent error. */
  'denied',
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export interface SimEvent {
  /** World time after the start, in ms. */
  readonly at: number;
  readonly delivery: string;
  readonly jobClass: JobClass;
  readonly behaviour: Behaviour;
  /** For class control. */
  readonly action?: ControlAction;
  /** Number of the pull request; 1 when absent. */
  readonly pr?: number;
}

/** A fault at the n-th call (from 1) with this label. */
export interface PlannedFault {
  readonly label: string;
  readonly occurrence: number;
  readonly kind: FaultKind;
  readonly delayMs: number;
}

export interface Scenario {
  readonly events: readonly SimEvent[];
  /** Clock of each worker less the world's, in ms; its length is the number of workers. */
  readonly workerSkewsMs: readonly number[];
  readonly ingressSkewMs: number;
  readonly rowsPerPage: number;
  readonly maxDequeueCount: number;
  readonly faults: readonly PlannedFault[];
  /** Deliveries of one message to a second worker while the first works on it, by number of the receive. */
  readonly doubledReceives: readonly number[];
}

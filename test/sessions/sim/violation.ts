/** The promises of the session protocol, each checked after every step or at the end of a run. */
export const INVARIANTS = [
  /** Only the drain that took the lease last changes or removes jobs, state and lease. */
  'only-the-holder-writes',
  /** Tickets are 1, 2, 3, ... and never come again; head and jobs agree. */
  'tickets-gap-free',
  /** Within a class, runs settle in the order of their tickets. */
  'settled-in-order',
  /** A job has a message that will find it, or a holder whose guard will. */
  'pending-job-has-a-message',
  /** Every job ends once, and for a reason: run, superseded, removed by a control, dead. */
  'settles-exactly-once',
  /** The lease is never deleted and its fence never goes back. */
  'fence-only-grows',
  /** The state of a pull request never goes back to an older one. */
  'state-is-kept',
  /** What was acknowledged is in the table. */
  'acknowledged-is-durable',
  /** A job is started at most three times without being given back. */
  'attempts-are-bounded',
  /** Every accepted delivery is settled at the end, and every dead letter is reported. */
  'accepted-delivery-settles',
  /** Handling a message never leaves more messages than it took, however often storage fails. */
  'messages-stay-few',
  /** At the end nobody holds the lease and no message is left. */
  'comes-to-rest',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

export interface Violation {
  readonly invariant: Invariant;
  readonly detail: string;
}

import { AppError } from '../../../shared/domain/app-error.ts';
import type { WriteResult } from '../../../shared/state/ports.ts';

/** What may go wrong at one call. */
export const FAULT_KINDS = [
  /** The process dies before the call is carried out. */
  'crash-before',
  /** The process dies after the call was carried out, before it sees the answer. */
  'crash-after',
  /** Carried out; the answer is lost and the caller gives up: a time-out. */
  'lost',
  /** Carried out; the answer is lost and the SDK repeats the request: the caller sees the second answer. */
  'lost-repeated',
  /** Not carried out, answered 503. */
  'refused',
  /** Not carried out, and an error that is not unclear: credentials, a firewall. */
  'hard',
  /** The caller gives up, the request arrives later all the same. */
  'late',
  /** The process is frozen before the call for the time of one of the protocol's timers. */
  'stall',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** For `stall` and `late`, in ms. */
  readonly delayMs: number;
}

/** Times by which the clock jumps: every timer of the protocol, and of the queue's host. */
export const JUMPS_MS: readonly number[] = [
  1_000, 2_000, 20_000, 25_000, 30_000, 60_000, 62_000, 65_000, 130_000, 600_000, 660_000, 1_200_000,
];

export type CallKind = 'get' | 'range' | 'transaction' | 'send' | 'reschedule' | 'delete' | 'other';

/** What a caller sees when nobody can tell whether its request was carried out, or when it was refused with a 5xx. */
export function unknownAnswer(
  call: CallKind,
  status: number | undefined,
): { value: unknown } | { error: unknown } {
  if (call === 'transaction') return { value: { kind: 'unclear', status } satisfies WriteResult };
  if (call === 'reschedule') return { value: false };
  if (call === 'delete') return { value: undefined };
  return { error: new AppError({ kind: 'transient', code: 'storage_unavailable', message: 'simulated' }) };
}

export function hardError(): AppError {
  return new AppError({ kind: 'permanent', code: 'storage_denied', message: 'simulated' });
}

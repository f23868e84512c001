import type { Row, RowValues } from '../state/ports.ts';
import { OUTBOX_KINDS, type OutboxKind } from './outbox-ports.ts';

/**
 * `intent`: the write may or may not have happened. `done`: it happened, the result is recorded. `failed`: it is
 * known not to have happened and may be tried again. `refused`: the provider's answer is final for this key.
 */
export const OUTBOX_STATES = ['intent', 'done', 'failed', 'refused'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

export interface OutboxRow {
  readonly state: OutboxState;
  readonly kind: OutboxKind;
  /** Made anew for every claim; tells our own lost answer from somebody else's claim. */
  readonly owner: string;
  /** 24 hex; kept so that the marker stays the same when keys rotate. */
  readonly marker: string;
  /** Grows when an old result may be repeated. */
  readonly generation: number;
  /** Epoch ms of the claim, or of the answer. */
  readonly at: number;
  /** Units reserved for this write and not given back, of this caller and grant in the hour that began then. */
  readonly charged: number;
  readonly chargedHour: number;
  readonly callerId: string;
  readonly grantId: string;
  /** The encoded result when done, the code of the refusal when failed or refused. */
  readonly outcome: string;
  /** The text of a refusal. */
  readonly message: string;
}

/** A row together with the ETag it was read or written with. */
export interface HeldRow {
  readonly row: OutboxRow;
  readonly etag: string;
}

export function encodeOutboxRow(row: OutboxRow): RowValues {
  return { v: 1, ...row, at: BigInt(row.at), chargedHour: BigInt(row.chargedHour) };
}

export function decodeOutboxRow({ values, etag }: Row): HeldRow {
  const state = OUTBOX_STATES.find((known) => known === values.state);
  const kind = OUTBOX_KINDS.find((known) => known === values.kind);
  if (state === undefined || kind === undefined)
    throw new Error('An outbox row has an unknown state or kind.');
  return {
    etag,
    row: {
      state,
      kind,
      owner: String(values.owner),
      marker: String(values.marker),
      generation: Number(values.generation),
      at: Number(values.at),
      charged: Number(values.charged),
      chargedHour: Number(values.chargedHour),
      callerId: String(values.callerId),
      grantId: String(values.grantId),
      outcome: String(values.outcome),
      message: String(values.message),
    },
  };
}

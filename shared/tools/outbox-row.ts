import { defineRow, enumColumn, int32Column, int64Column, textColumn } from '../state/define-row.ts';
import { OUTBOX_KINDS } from './outbox-ports.ts';

/**
 * `intent`: the write may or may not have happened. `done`: it happened, the result is recorded. `failed`: it is
 * known not to have happened and may be tried again. `refused`: the provider's answer is final for this key.
 */
export const OUTBOX_STATES = ['intent', 'done', 'failed', 'refused'] as const;

/** Row `o<hash>`: one write at a provider. */
export const outboxRow = defineRow({
  name: 'outbox',
  version: 1,
  upgrades: [],
  columns: {
    state: enumColumn(OUTBOX_STATES),
    kind: enumColumn(OUTBOX_KINDS),
    /** Made anew for every claim; tells our own lost answer from somebody else's claim. */
    owner: textColumn,
    /** 24 hex; kept so that the marker stays the same when keys rotate. */
    marker: textColumn,
    /** Grows when an old result may be repeated. */
    generation: int32Column,
    /** Epoch ms of the claim, or of the answer. */
    at: int64Column,
    /** Units reserved for this write and not given back, of this caller and grant in the hour that began then. */
    charged: int32Column,
    chargedHour: int64Column,
    callerId: textColumn,
    grantId: textColumn,
    /** The encoded result when done, the code of the refusal when failed or refused. */
    outcome: textColumn,
    /** The text of a refusal. */
    message: textColumn,
  },
});
export type OutboxRow = ReturnType<typeof outboxRow.decode>;

/** A row together with the ETag it was read or written with. */
export interface HeldRow {
  readonly row: OutboxRow;
  readonly etag: string;
}

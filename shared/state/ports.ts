/** A stored property. Epoch milliseconds are bigint (Int64): whole numbers read back as Int32 otherwise. */
export type RowValue = string | number | boolean | bigint | Uint8Array;

export interface Row {
  readonly rowKey: string;
  readonly etag: string;
  readonly values: Readonly<Record<string, RowValue>>;
}

export type RowValues = Readonly<Record<string, RowValue>>;

/** One action of an entity-group transaction. A delete is unconditional: the Tables SDK drops its ETag there. */
export type TableAction =
  | { readonly kind: 'create'; readonly rowKey: string; readonly values: RowValues }
  | { readonly kind: 'replace'; readonly rowKey: string; readonly values: RowValues; readonly etag: string }
  | { readonly kind: 'upsert'; readonly rowKey: string; readonly values: RowValues }
  | { readonly kind: 'merge'; readonly rowKey: string; readonly values: RowValues }
  | { readonly kind: 'delete'; readonly rowKey: string };

/**
 * `unclear` means conflict or unknown: 404, 409, 412, a time-out or a 5xx. The SDK repeats a lost request
 * by itself, so a conflict may be our own success: the caller must read the row that tells.
 */
export type WriteResult =
  | {
      readonly kind: 'done';
      /** ETags in action order; empty string for a delete. */ readonly etags: readonly string[];
    }
  | { readonly kind: 'unclear'; readonly status: number | undefined };

/** One table. Every method throws AppError (transient or permanent) for storage errors that are not `unclear`. */
export interface TablePort {
  get(partitionKey: string, rowKey: string): Promise<Row | undefined>;
  /** All rows with from <= RowKey < to, ascending, all pages. */
  range(partitionKey: string, from: string, to: string): Promise<Row[]>;
  /** Atomic, 1 to 100 actions, each row once, one partition. */
  transaction(partitionKey: string, actions: readonly TableAction[]): Promise<WriteResult>;
}

/** Names one sent message so that its sender may change it before anyone received it. */
export interface MessageReceipt {
  readonly messageId: string;
  readonly popReceipt: string;
}

/** The wake queue. Bodies are JSON objects; the adapter encodes base64 and sets a TTL of -1. */
export interface QueuePort {
  /** `delayMs` is rounded up to whole seconds. */
  send(body: Readonly<Record<string, unknown>>, delayMs: number): Promise<MessageReceipt>;
  /** Makes a sent message visible after `delayMs`; false when the receipt no longer holds. */
  reschedule(
    receipt: MessageReceipt,
    body: Readonly<Record<string, unknown>>,
    delayMs: number,
  ): Promise<boolean>;
  /** Best effort; a receipt that no longer holds is ignored. */
  delete(receipt: MessageReceipt): Promise<void>;
}

/** A row as a scan over partitions gives it: only the selected columns are in `values`. */
export interface ScannedRow extends Row {
  readonly partitionKey: string;
  /** Epoch ms of the last change, set by the storage service. */
  readonly timestamp: number;
}

/** Reads across partitions; for the sweep and for operator commands alone, since it costs a request a page. */
export interface TableScanPort {
  /** Rows with from <= PartitionKey < to, ordered by partition and row key. */
  scan(from: string, to: string, columns: readonly string[]): AsyncIterable<ScannedRow>;
}

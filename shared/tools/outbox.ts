/** Placeholder contract; the outbox's owner replaces the body, not the names. */
export interface OutboxOperation<Result> {
  /** Idempotency key text; hashed into the row key and, by HMAC, into the marker. */
  readonly key: string;
  readonly kind: 'review' | 'thread' | 'reply' | 'resolve' | 'summary' | 'status';
  /** Renews the lease or checks the head right before the provider is called. */
  confirm(): Promise<void>;
  /** The provider call; `marker` is the first line the body must carry. */
  write(marker: string): Promise<Result>;
  /** Looks for the write at the provider; undefined when it is not there. */
  readBack(marker: string): Promise<Result | undefined>;
  encode(result: Result): string;
  decode(stored: string): Result;
}
export interface Outbox {
  run<Result>(partitionKey: string, operation: OutboxOperation<Result>): Promise<Result>;
}

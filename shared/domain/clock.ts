/** Time and randomness are passed in everywhere, so that tests own them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface RandomSource {
  /** A number in [0, 1). */
  number(): number;
  /** `bytes` random bytes as lower-case hex (2 characters a byte). */
  hex(bytes: number): string;
}

import type { Side } from './finding.ts';
import type { Account } from './pull-request.ts';

/** One comment in a thread, as the provider returns it. `body` is untrusted text. */
export interface ThreadComment {
  readonly id: string;
  readonly author: Account;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly url?: string;
}

/** A discussion on a pull request; the same shape for three providers. Pending comments never appear. */
export interface Thread {
  readonly id: string;
  readonly path?: string;
  /** 1-based on `side`; absent for file and pull-request level threads and for outdated ones. */
  readonly line?: number;
  readonly startLine?: number;
  readonly side?: Side;
  readonly isResolved: boolean;
  readonly isOutdated: boolean;
  readonly comments: readonly ThreadComment[];
}

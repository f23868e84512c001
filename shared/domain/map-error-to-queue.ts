import { isAppError } from './app-error.ts';

/** What becomes of a job that threw. */
export type QueueVerdict =
  /** The pull request moved on: there is nothing to do any more, and nothing to say. */
  | { readonly kind: 'finish'; readonly code: string }
  /** 429, 5xx, network, storage, overload: later again, without costing an attempt. */
  | { readonly kind: 'retry'; readonly code: string; readonly retryAfterMs: number | undefined }
  /** Trying again cannot help: the run ends as failed and says so once. */
  | { readonly kind: 'fail'; readonly code: string }
  /** A bug or a time-out: costs an attempt. */
  | { readonly kind: 'attempt' };

/** Errors at the queue edge. A job that was rejected or denied is reported too: no job may vanish without a word. */
export function mapErrorToQueue(error: unknown): QueueVerdict {
  if (!isAppError(error)) return { kind: 'attempt' };
  const { code } = error;
  switch (error.kind) {
    case 'stale':
      return { kind: 'finish', code };
    case 'transient':
      return { kind: 'retry', code, retryAfterMs: error.retryAfterMs };
    case 'rejected':
    case 'denied':
    case 'permanent':
      return { kind: 'fail', code };
  }
}

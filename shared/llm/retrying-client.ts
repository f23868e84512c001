import { isAppError } from '../domain/app-error.ts';
import type { Clock, RandomSource } from '../domain/clock.ts';
import type { Logger } from '../observability/ports.ts';
import type { ModelClient } from './ports.ts';

export interface RetryingClientOptions {
  readonly client: ModelClient;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Logger;
  /** Repeats after the first try. */
  readonly maxRetries: number;
  /** The longest single wait in ms; an answer that asks for more goes to the caller, who reschedules the job. */
  readonly maxWaitMs: number;
}

const FIRST_WAIT_MS = 1_000;

/**
 * Repeats a transient failure a few times with short, jittered waits, so that one overloaded moment does not
 * throw away a long tool loop. Everything longer stays transient for the job.
 */
export function createRetryingClient(options: RetryingClientOptions): ModelClient {
  const { client, clock, random, log, maxRetries, maxWaitMs } = options;
  return {
    async create(request, signal) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await client.create(request, signal);
        } catch (error) {
          if (!isAppError(error, 'transient') || tries >= maxRetries || signal.aborted) throw error;
          const backoff = Math.round(FIRST_WAIT_MS * 2 ** tries * (0.75 + random.number() / 4));
          const wait = Math.max(error.retryAfterMs ?? 0, backoff);
          if (wait > maxWaitMs) throw error;
          log.info('model.callRepeated', { code: error.code, tries: tries + 1, waitMs: wait });
          await clock.sleep(wait, signal);
        }
      }
    },
  };
}

import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import { readWait } from '../http/read-wait.ts';

/** Waits when the service asked to slow down, which it may do with an answer that is good otherwise. */
export interface Pacing {
  /** Returns once the next request may go out. @throws AppError `transient` provider_rate_limited for longer waits. */
  waitForTurn(isRead: boolean, signal?: AbortSignal): Promise<void>;
  note(response: Response): void;
}

const MAX_READ_WAIT_MS = 30_000;
/** A write has its own deadline, which goes on while it waits. */
const MAX_WRITE_WAIT_MS = 5_000;

/** Source: Azure DevOps documentation, "Rate and usage limits": clients should obey Retry-After. */
export function createPacing(instance: string, clock: Clock): Pacing {
  let notBefore = 0;
  return {
    async waitForTurn(isRead, signal) {
      const wait = notBefore - clock.now();
      if (wait <= 0) return;
      if (wait <= (isRead ? MAX_READ_WAIT_MS : MAX_WRITE_WAIT_MS)) return clock.sleep(wait, signal);
      throw new AppError({
        kind: 'transient',
        code: 'provider_rate_limited',
        message: `Instance ${instance} asked to slow down; the call will be made later.`,
        retryAfterMs: wait,
        details: { instance },
      });
    },
    note(response) {
      if (!response.headers.has('retry-after')) return;
      const wait = readWait(response.headers, clock.now());
      if (wait !== undefined) notBefore = Math.max(notBefore, clock.now() + wait);
    },
  };
}

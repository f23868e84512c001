import type { QueueClient } from '@azure/storage-queue';
import type { Clock } from '../../../shared/domain/clock.ts';
import { isMessageGone, statusOf } from './storage-status.ts';
import type { HostLog } from './host-log.ts';

export interface KeptMessage {
  readonly messageId: string;
  /** Changes with every renewal; the receipt that was received becomes invalid. */
  popReceipt: string;
}

export interface KeepMessageOptions {
  readonly queue: QueueClient;
  readonly message: KeptMessage;
  readonly visibilityMs: number;
  /** Renewals speed up to this interval after failures. */
  readonly minRenewalMs: number;
  readonly clock: Clock;
  readonly log: HostLog;
}

/**
 * Keeps a received message hidden while its function runs: renewed at half of its visibility time, at shorter
 * intervals after a failure (azure-sdk-for-net, UpdateQueueMessageVisibilityCommand, LinearSpeedupStrategy).
 * @returns a function that ends the renewals; after it resolves `message.popReceipt` is the last one.
 */
export function keepMessage(options: KeepMessageOptions): () => Promise<void> {
  const { queue, message, visibilityMs, clock, log } = options;
  const normal = visibilityMs / 2;
  const shortest = Math.min(options.minRenewalMs, normal);
  const ended = new AbortController();
  const renewals = (async () => {
    let interval = normal;
    while (!ended.signal.aborted) {
      try {
        await clock.sleep(interval, ended.signal);
      } catch {
        return;
      }
      try {
        const update = await queue.updateMessage(
          message.messageId,
          message.popReceipt,
          undefined,
          Math.ceil(visibilityMs / 1000),
        );
        message.popReceipt = update.popReceipt ?? message.popReceipt;
        interval = normal;
      } catch (error) {
        if (isMessageGone(error)) return;
        log('warning', `renewing message ${message.messageId} failed with ${statusOf(error) ?? 'no answer'}`);
        interval = Math.max(interval / 2, shortest);
      }
    }
  })();
  return async () => {
    ended.abort();
    await renewals;
  };
}

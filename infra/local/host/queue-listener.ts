import type { DequeuedMessageItem } from '@azure/storage-queue';
import { createPollBackoff } from './poll-backoff.ts';
import { processMessage, type MessageContext } from './process-message.ts';
import { statusOf } from './storage-status.ts';

export interface QueueListener {
  /** Polls at once: a message was added to the queue in this process. */
  wake(): void;
  /** Takes no new messages; resolves when the running ones are settled. */
  stop(): Promise<void>;
}

/**
 * The loop of azure-sdk-for-net, QueueListener: receive a batch, start all of it, receive again when no more than
 * `newBatchThreshold` run. It does not create the queue, it waits for it to exist.
 */
export function startQueueListener(context: MessageContext, random: () => number): QueueListener {
  const { settings, clock } = context;
  const backoff = createPollBackoff(settings.maxPollingIntervalMs, random);
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let pause = new AbortController();
  let exists = false;
  let missing = false;
  let found = false;

  const receive = async (): Promise<readonly DequeuedMessageItem[]> => {
    try {
      exists ||= await context.queue.exists();
      if (!exists) {
        if (!missing) context.log('warning', `queue "${context.queue.name}" does not exist; waiting for it`);
        missing = true;
        return [];
      }
      missing = false;
      const answer = await context.queue.receiveMessages({
        numberOfMessages: settings.batchSize,
        visibilityTimeout: Math.ceil(context.visibilityMs / 1000),
      });
      return answer.receivedMessageItems;
    } catch (error) {
      exists = false;
      if (!stopping.signal.aborted) {
        context.log(
          'warning',
          `polling "${context.queue.name}" failed with ${statusOf(error) ?? 'no answer'}`,
        );
      }
      return [];
    }
  };
  const wait = async (ms: number): Promise<void> => {
    try {
      await clock.sleep(ms, AbortSignal.any([pause.signal, stopping.signal]));
    } catch {
      // Woken or stopped.
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Before the poll, so that a wake during it is not lost.
      pause = new AbortController();
      const batch = await receive();
      for (const message of batch) {
        const task = processMessage(context, message).finally(() => running.delete(task));
        running.add(task);
      }
      if (batch.length === 0) {
        await wait(backoff.next(found));
        found = false;
      } else {
        found = true;
        while (running.size > settings.newBatchThreshold) await Promise.race(running);
      }
    }
  };
  const looping = loop();
  return {
    wake: () => pause.abort(),
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all(running);
    },
  };
}

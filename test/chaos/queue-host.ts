import { QueueClient, type DequeuedMessageItem } from '@azure/storage-queue';
import { decodeMessage } from '../../shared/state/message-encoding.ts';
import { HOST_HIDE_MS } from '../sessions/scaled-timings.ts';

const POLL_MS = 50;
const RETRY_SECONDS = 1;
const MAX_DEQUEUE_COUNT = 20;

/**
 * The loop of a queue trigger: receives one message at a time per slot, renews it while the handler runs, deletes
 * it afterwards, shows it again when the handler threw, and gives it to the poison queue after too many tries.
 * Never returns.
 */
export async function listen(
  connectionString: string,
  queueName: string,
  poisonQueueName: string | undefined,
  handle: (body: unknown) => Promise<unknown>,
): Promise<never> {
  const queue = new QueueClient(connectionString, queueName);
  const poison =
    poisonQueueName === undefined ? undefined : new QueueClient(connectionString, poisonQueueName);
  for (;;) {
    const message = await receive(queue);
    if (message === undefined) await pause(POLL_MS);
    // Storage may be down while it restarts: the message then shows up again by itself.
    else await handleOne(queue, poison, message, handle).catch(() => pause(POLL_MS));
  }
}

async function receive(queue: QueueClient): Promise<DequeuedMessageItem | undefined> {
  try {
    const answer = await queue.receiveMessages({ visibilityTimeout: HOST_HIDE_MS / 1_000 });
    return answer.receivedMessageItems[0];
  } catch {
    return undefined;
  }
}

async function handleOne(
  queue: QueueClient,
  poison: QueueClient | undefined,
  message: DequeuedMessageItem,
  handle: (body: unknown) => Promise<unknown>,
): Promise<void> {
  const { messageId, messageText } = message;
  let { popReceipt } = message;
  if (message.dequeueCount > MAX_DEQUEUE_COUNT && poison !== undefined) {
    await poison.sendMessage(messageText, { messageTimeToLive: -1 });
    await queue.deleteMessage(messageId, popReceipt);
    return;
  }
  let isRenewing = true;
  const renewals = (async () => {
    for (;;) {
      await pause(HOST_HIDE_MS / 2);
      if (!isRenewing) return;
      const renewed = await queue
        .updateMessage(messageId, popReceipt, messageText, HOST_HIDE_MS / 1_000)
        .catch(() => undefined);
      popReceipt = renewed?.popReceipt ?? popReceipt;
    }
  })();
  try {
    await handle(decodeMessage(messageText));
  } catch {
    isRenewing = false;
    await queue.updateMessage(messageId, popReceipt, messageText, RETRY_SECONDS);
    return;
  } finally {
    isRenewing = false;
    void renewals;
  }
  await queue.deleteMessage(messageId, popReceipt);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

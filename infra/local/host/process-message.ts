import type { DequeuedMessageItem, QueueClient } from '@azure/storage-queue';
import type { Clock } from '../../../shared/domain/clock.ts';
import type { RpcTypedData } from './core-types.ts';
import type { HostLog } from './host-log.ts';
import type { QueueSettings } from './host-settings.ts';
import { keepMessage, type KeptMessage } from './keep-message.ts';
import { isMessageGone, statusOf } from './storage-status.ts';

export interface MessageContext {
  readonly queue: QueueClient;
  /** Undefined when the queue can have none: failed messages then only stay hidden. */
  readonly poisonQueue: QueueClient | undefined;
  readonly settings: QueueSettings;
  readonly visibilityMs: number;
  readonly minRenewalMs: number;
  readonly clock: Clock;
  readonly log: HostLog;
  /** Runs the function; rejects when it failed. */
  readonly invoke: (
    data: RpcTypedData,
    triggerMetadata: Readonly<Record<string, RpcTypedData>>,
  ) => Promise<unknown>;
  readonly onPoisoned: () => void;
}

/** One received message from begin to end, with the steps of azure-sdk-for-net, QueueProcessor. Never rejects. */
export async function processMessage(context: MessageContext, received: DequeuedMessageItem): Promise<void> {
  const { settings, log } = context;
  const message: KeptMessage = { messageId: received.messageId, popReceipt: received.popReceipt };
  try {
    if (received.dequeueCount > settings.maxDequeueCount) {
      await moveToPoison(context, message, received);
      return;
    }
    const succeeded = await runFunction(context, message, received);
    if (succeeded) await settle(context.queue.deleteMessage(message.messageId, message.popReceipt));
    else if (context.poisonQueue !== undefined) await fail(context, message, received);
  } catch (error) {
    log('error', `message ${received.messageId} could not be settled: ${statusOf(error) ?? String(error)}`);
  }
}

async function runFunction(
  context: MessageContext,
  message: KeptMessage,
  received: DequeuedMessageItem,
): Promise<boolean> {
  const text = decodeMessage(received.messageText, context.settings.messageEncoding);
  if (text === undefined) {
    context.log('error', `message ${received.messageId} is not base64; it counts as failed`);
    return false;
  }
  const release = keepMessage({ ...context, message });
  try {
    await context.invoke({ string: text }, triggerMetadata(received, text));
    return true;
  } catch {
    return false;
  } finally {
    await release();
  }
}

async function fail(
  context: MessageContext,
  message: KeptMessage,
  received: DequeuedMessageItem,
): Promise<void> {
  if (received.dequeueCount >= context.settings.maxDequeueCount) {
    await moveToPoison(context, message, received);
    return;
  }
  const seconds = Math.round(context.settings.visibilityTimeoutMs / 1000);
  await settle(context.queue.updateMessage(message.messageId, message.popReceipt, undefined, seconds));
}

/** A copy with the same body, a new id and a new time to live; then the original goes. */
async function moveToPoison(
  { queue, poisonQueue, settings, log, onPoisoned }: MessageContext,
  message: KeptMessage,
  received: DequeuedMessageItem,
): Promise<void> {
  if (poisonQueue === undefined) return;
  log(
    'warning',
    `message has reached maxDequeueCount of ${settings.maxDequeueCount}: moving it to "${poisonQueue.name}"`,
  );
  try {
    await poisonQueue.sendMessage(received.messageText);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    await poisonQueue.createIfNotExists();
    await poisonQueue.sendMessage(received.messageText);
  }
  onPoisoned();
  await settle(queue.deleteMessage(message.messageId, message.popReceipt));
}

async function settle(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isMessageGone(error)) throw error;
  }
}

/** Text of a message body; undefined when it should be base64 and is not. */
export function decodeMessage(body: string, encoding: QueueSettings['messageEncoding']): string | undefined {
  if (encoding === 'none') return body;
  const compact = body.replaceAll(/\s/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) return undefined;
  return Buffer.from(compact, 'base64').toString('utf8');
}

function json(value: unknown): RpcTypedData {
  return { json: JSON.stringify(value) };
}

/** Names and kinds as the host sends them; the library makes them camelCase (measured). */
function triggerMetadata(received: DequeuedMessageItem, text: string): Record<string, RpcTypedData> {
  return {
    QueueTrigger: { string: text },
    DequeueCount: json(received.dequeueCount),
    ExpirationTime: json(received.expiresOn),
    Id: { string: received.messageId },
    InsertionTime: json(received.insertedOn),
    NextVisibleTime: json(received.nextVisibleOn),
    PopReceipt: { string: received.popReceipt },
  };
}

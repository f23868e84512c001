import { QueueClient } from '@azure/storage-queue';
import type { StorageConfig } from '../config/config.ts';
import { encodeMessage, wholeSeconds } from './message-encoding.ts';
import type { MessageReceipt, QueuePort } from './ports.ts';
import { managedIdentity } from './storage-credential.ts';
import { readFailure, storageError, unclearResult } from './storage-error.ts';

const REQUEST_TIMEOUT_MS = 10_000;
const RETRIES = { maxTries: 4, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 } as const;
/** A message lives until it is handled; the default is 7 days. */
const NEVER_EXPIRES = -1;

/**
 * A queue of Azure Queue Storage (or Azurite) behind QueuePort. Nothing is sent before the first call.
 * @throws AppError from its methods: `storage_unavailable` (transient; the message may have been sent all the
 * same), `storage_denied`, `storage_missing`, `storage_refused` (permanent).
 */
export function createQueue(config: StorageConfig, queueName: string): QueuePort {
  const client = connect(config, queueName);

  return {
    async send(body, delayMs) {
      try {
        const { messageId, popReceipt } = await client.sendMessage(encodeMessage(body), {
          visibilityTimeout: wholeSeconds(delayMs),
          messageTimeToLive: NEVER_EXPIRES,
          abortSignal: abortSignal(),
        });
        return { messageId, popReceipt };
      } catch (error) {
        throw storageError(error, `${queueName} send`);
      }
    },

    async reschedule(receipt, body, delayMs) {
      try {
        await client.updateMessage(
          receipt.messageId,
          receipt.popReceipt,
          encodeMessage(body),
          wholeSeconds(delayMs),
          { abortSignal: abortSignal() },
        );
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw storageError(error, `${queueName} update`);
      }
    },

    async delete(receipt: MessageReceipt) {
      try {
        await client.deleteMessage(receipt.messageId, receipt.popReceipt, { abortSignal: abortSignal() });
      } catch (error) {
        if (isGone(error)) return;
        throw storageError(error, `${queueName} delete`);
      }
    },
  };
}

function abortSignal(): AbortSignal {
  return AbortSignal.timeout(REQUEST_TIMEOUT_MS);
}

function connect(config: StorageConfig, queueName: string): QueueClient {
  const options = { retryOptions: RETRIES };
  if (config.kind === 'connection-string') {
    return new QueueClient(config.connectionString.reveal(), queueName, options);
  }
  const url = `${config.queueServiceUri.href.replace(/\/$/, '')}/${queueName}`;
  return new QueueClient(url, managedIdentity(config.clientId), options);
}

/** True when the receipt no longer holds, or when nobody can say (the callers are prepared for either). */
function isGone(error: unknown): boolean {
  if (unclearResult(error) !== undefined) return true;
  const failure = readFailure(error);
  return failure?.status === 400 && failure.code === 'PopReceiptMismatch';
}

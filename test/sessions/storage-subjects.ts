import { QueueClient } from '@azure/storage-queue';
import { createQueue } from '../../shared/state/azure-queue.ts';
import { createTable } from '../../shared/state/azure-table.ts';
import { createInMemoryQueue, createQueueMemory } from '../../shared/state/in-memory-queue.ts';
import { createInMemoryTable } from '../../shared/state/in-memory-table.ts';
import { decodeMessage } from '../../shared/state/message-encoding.ts';
import { QUEUES, TABLES } from '../../shared/state/names.ts';
import type { QueuePort, TablePort, TableScanPort } from '../../shared/state/ports.ts';
import { startStorage } from './azurite-storage.ts';

export interface Delivered {
  readonly body: unknown;
  readonly dequeueCount: number;
}

/** One implementation of the ports, with what the tests need to look at it from the other side. */
export interface Subject {
  readonly table: TablePort & TableScanPort;
  readonly queue: QueuePort;
  /** The next visible message, received and deleted; undefined when none is visible. */
  take(): Promise<Delivered | undefined>;
  stop(): Promise<void>;
}

async function inMemory(): Promise<Subject> {
  const memory = createQueueMemory(() => Date.now());
  return {
    table: createInMemoryTable(() => Date.now()),
    queue: createInMemoryQueue(memory),
    async take() {
      const message = memory.receive(30_000);
      if (message !== undefined) memory.delete(message);
      return message;
    },
    stop: async () => undefined,
  };
}

async function onAzurite(): Promise<Subject> {
  const storage = await startStorage();
  const receiver = new QueueClient(storage.azurite.connectionString, QUEUES.wake);
  return {
    table: createTable(storage.config, TABLES.sessions),
    queue: createQueue(storage.config, QUEUES.wake),
    async take() {
      const { receivedMessageItems } = await receiver.receiveMessages({ visibilityTimeout: 30 });
      const [message] = receivedMessageItems;
      if (message === undefined) return undefined;
      await receiver.deleteMessage(message.messageId, message.popReceipt);
      return { body: decodeMessage(message.messageText), dequeueCount: message.dequeueCount };
    },
    stop: () => storage.azurite.stop(),
  };
}

/** The implementations that have to keep the same promises. */
export const SUBJECTS = [
  { name: 'the in-memory twins', startSubject: inMemory },
  { name: 'Azurite', startSubject: onAzurite },
] as const;

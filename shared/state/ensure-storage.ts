import { TableClient } from '@azure/data-tables';
import { QueueClient } from '@azure/storage-queue';
import type { StorageConfig } from '../config/config.ts';
import { AppError } from '../domain/app-error.ts';
import { QUEUES, TABLES } from './names.ts';

/**
 * Creates all tables and queues of the product that are missing. For Azurite only: in Azure the infrastructure
 * templates create them, and the app's identity may not.
 * @throws AppError `permanent` when the storage is not a local one.
 */
export async function ensureStorage(config: StorageConfig): Promise<void> {
  if (config.kind !== 'connection-string') {
    throw new AppError({
      kind: 'permanent',
      code: 'storage_not_local',
      message: 'Tables and queues are created by the infrastructure templates, not by the app.',
    });
  }
  const connectionString = config.connectionString.reveal();
  await Promise.all([
    // The SDK treats "exists already" as success in both calls.
    ...Object.values(TABLES).map((name) =>
      TableClient.fromConnectionString(connectionString, name, {
        allowInsecureConnection: true,
      }).createTable(),
    ),
    ...Object.values(QUEUES).map((name) => new QueueClient(connectionString, name).createIfNotExists()),
  ]);
}

import { QueueServiceClient } from '@azure/storage-queue';

/**
 * Creates queues that do not exist yet. The listener never does: in Azure the template creates them, and an app
 * that forgot one must fail here as it would there.
 */
export async function createQueues(connectionString: string, names: readonly string[]): Promise<void> {
  const service = QueueServiceClient.fromConnectionString(connectionString);
  await Promise.all(names.map((name) => service.getQueueClient(name).createIfNotExists()));
}

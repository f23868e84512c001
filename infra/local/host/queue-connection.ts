import { QueueServiceClient, type StoragePipelineOptions } from '@azure/storage-queue';
import type { HostEnvironment } from './function-catalog.ts';
import { HostRefusal } from './host-refusal.ts';

/** The listener has its own pace: a long retry inside the SDK would only hide that storage is down. */
const PIPELINE: StoragePipelineOptions = {
  retryOptions: { maxTries: 2, retryDelayInMs: 200, tryTimeoutInMs: 15_000 },
};

/**
 * Resolves a connection name as the host does (azure-sdk-for-net, StorageClientProvider): the setting
 * `AzureWebJobs<NAME>` or `<NAME>` holds a connection string, or `<NAME>__queueServiceUri` or
 * `<NAME>__accountName` names the service, which is then used with the identity of whoever runs this.
 * @throws HostRefusal when no such setting exists.
 */
export async function openQueueService(
  connection: string,
  environment: HostEnvironment,
): Promise<QueueServiceClient> {
  for (const name of [`AzureWebJobs${connection}`, connection]) {
    const text = environment[name];
    if (text !== undefined && text !== '') {
      try {
        return QueueServiceClient.fromConnectionString(text, PIPELINE);
      } catch (error) {
        // The SDK's message is dropped: it may repeat a part of the connection string.
        throw new HostRefusal(`setting "${name}" is no storage connection string`, error);
      }
    }
    const account = environment[`${name}__accountName`];
    const uri =
      environment[`${name}__queueServiceUri`] ??
      (account === undefined ? undefined : `https://${account}.queue.core.windows.net`);
    if (uri !== undefined && uri !== '') return openByIdentity(uri, environment[`${name}__clientId`]);
  }
  throw new HostRefusal(
    `connection "${connection}": set ${connection} (a connection string) or ${connection}__queueServiceUri`,
  );
}

async function openByIdentity(uri: string, clientId: string | undefined): Promise<QueueServiceClient> {
  const { DefaultAzureCredential } = await import('@azure/identity');
  const credential = new DefaultAzureCredential(
    clientId === undefined ? {} : { managedIdentityClientId: clientId },
  );
  return new QueueServiceClient(uri, credential, PIPELINE);
}

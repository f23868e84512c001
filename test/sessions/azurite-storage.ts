import { Secret } from '../../shared/config/secret.ts';
import type { StorageConfig } from '../../shared/config/config.ts';
import { ensureStorage } from '../../shared/state/ensure-storage.ts';
import { startAzurite, type Azurite, type AzuriteOptions } from '../../infra/local/azurite.ts';

export interface AzuriteStorage {
  readonly azurite: Azurite;
  readonly config: StorageConfig;
}

/** Starts Azurite and creates the product's tables and queues in it. */
export async function startStorage(options: AzuriteOptions = {}): Promise<AzuriteStorage> {
  const azurite = await startAzurite(options);
  const config = storageConfig(azurite.connectionString);
  await ensureStorage(config);
  return { azurite, config };
}

export function storageConfig(connectionString: string): StorageConfig {
  return { kind: 'connection-string', connectionString: new Secret(connectionString) };
}

import type { ManagedIdentityCredential } from '@azure/identity';

type AccessToken = Awaited<ReturnType<ManagedIdentityCredential['getToken']>>;
type GetTokenOptions = Parameters<ManagedIdentityCredential['getToken']>[1];

/** What the storage SDKs need of a credential. */
export interface StorageCredential {
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>;
}

/** Identity of the app; @azure/identity costs a tenth of a second to load, so it loads with the first token. */
export function managedIdentity(clientId: string | undefined): StorageCredential {
  let loading: Promise<StorageCredential> | undefined;
  const load = async (): Promise<StorageCredential> => {
    const { ManagedIdentityCredential: Credential } = await import('@azure/identity');
    return clientId === undefined ? new Credential() : new Credential({ clientId });
  };
  return {
    async getToken(scopes, options) {
      loading ??= load();
      return (await loading).getToken(scopes, options);
    },
  };
}

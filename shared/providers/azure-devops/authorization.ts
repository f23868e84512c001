import type { AzureDevOpsInstance } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';

/** A source of Entra access tokens, e.g. the managed identity of @azure/identity. */
export interface EntraCredential {
  /** @returns null when the identity has none. */
  getToken(scopes: string): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

/** Azure DevOps as a resource of Entra (Microsoft documentation, "Use managed identities in Azure DevOps"). */
export const AZURE_DEVOPS_SCOPE = '499b84ac-1321-427f-aa17-267ca6975798/.default';

/** Gives the header to send; `refresh` asks for a new one and answers undefined when there is no other. */
export type Authorize = (refresh: boolean) => Promise<string | undefined>;

/** A token with less time left is not used: a run's next requests could meet its end. */
const MIN_LEFT_MS = 5 * 60_000;

/** @throws AppError `permanent` provider_credentials when there is neither a token nor an identity. */
export function createAuthorize(
  instance: AzureDevOpsInstance,
  credential: EntraCredential | undefined,
  clock: Clock,
): Authorize {
  const { token } = instance;
  if (token !== undefined) {
    return async (refresh) =>
      refresh ? undefined : `Basic ${Buffer.from(`:${token.reveal()}`).toString('base64')}`;
  }
  if (credential === undefined) throw missingCredential(instance.id);
  let known: { readonly token: string; readonly expiresOnTimestamp: number } | undefined;
  return async (refresh) => {
    const isFresh = known !== undefined && known.expiresOnTimestamp - clock.now() >= MIN_LEFT_MS;
    if (known === undefined || refresh || !isFresh) {
      const before = known?.token;
      known = await getToken(credential, instance.id);
      // The identity's own cache may still hold what was just refused.
      if (refresh && known.token === before) return undefined;
    }
    return `Bearer ${known.token}`;
  };
}

async function getToken(credential: EntraCredential, instance: string) {
  let token;
  try {
    token = await credential.getToken(AZURE_DEVOPS_SCOPE);
  } catch (cause) {
    throw new AppError({
      kind: 'transient',
      code: 'identity_unavailable',
      message:
        `No access token could be had for instance ${instance}; it will be asked for again. Check that the app ` +
        'has a managed identity, or set AZURE_DEVOPS_TOKEN.',
      details: { instance },
      cause,
    });
  }
  if (token === null) throw missingCredential(instance);
  return token;
}

function missingCredential(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'provider_credentials',
    message:
      `Instance ${instance} has no credential. Give the app a managed identity that is a user of the organization, ` +
      'or set AZURE_DEVOPS_TOKEN (with the suffix of the instance, if it is not the first).',
    details: { instance },
  });
}

import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { Account } from '../../domain/pull-request.ts';
import type { IdentityReader } from '../ports.ts';
import type { AzureDevOpsClient } from './azure-devops-client.ts';
import { isApplication, loginOf } from './identity-names.ts';

/** An IdentityRef. Null for accounts that are gone; `uniqueName` may be empty for service principals. */
export const Identity = z
  .object({
    id: z.string(),
    displayName: z.string().nullish(),
    uniqueName: z.string().nullish(),
    descriptor: z.string().nullish(),
  })
  .nullish();

const ConnectionData = z.object({
  authenticatedUser: z.object({
    id: z.string(),
    subjectDescriptor: z.string().nullish(),
    providerDisplayName: z.string().nullish(),
    properties: z.object({ Account: z.object({ $value: z.string() }).nullish() }).nullish(),
  }),
});

export const GHOST: Account = { id: 'ghost', login: 'ghost', isBot: false };
/** Who asks without a valid credential where a project is public. */
const ANONYMOUS = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';

/** `id` is the storage key that comments and pull requests name. */
export function toAccount(identity: z.output<typeof Identity>): Account {
  if (identity === null || identity === undefined) return GHOST;
  return { id: identity.id, login: loginOf(identity), isBot: isApplication(identity) };
}

/** Asked once: it does not change while a credential lives. */
export function createIdentityReader(client: AzureDevOpsClient): IdentityReader {
  let known: Promise<Account> | undefined;
  const ask = async (): Promise<Account> => {
    const { authenticatedUser: user } = await client.root.get('/_apis/connectionData', {}, ConnectionData);
    if (user.id === ANONYMOUS) throw anonymous(client.instance);
    return toAccount({
      id: user.id,
      displayName: user.providerDisplayName,
      uniqueName: user.properties?.Account?.$value,
      descriptor: user.subjectDescriptor,
    });
  };
  return {
    async whoAmI() {
      known ??= ask();
      try {
        return await known;
      } catch (error) {
        known = undefined;
        throw error;
      }
    },
  };
}

function anonymous(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'provider_credentials',
    message: `Azure DevOps takes instance ${instance} for an anonymous visitor. Check AZURE_DEVOPS_TOKEN.`,
    details: { instance },
  });
}

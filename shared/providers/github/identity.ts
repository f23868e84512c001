import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { Account } from '../../domain/pull-request.ts';
import type { IdentityReader } from '../ports.ts';
import type { GitHubClient } from './github-client.ts';
import { listInstallations } from './installations.ts';
import { User, toAccount } from './schemas.ts';

const App = z.object({ slug: z.string().min(1) });

/**
 * Who we are. An App writes as the user `<slug>[bot]`, whose id is another than the App's; a token as its owner.
 * Asked once: neither changes while a credential lives.
 */
export function createIdentityReader(client: GitHubClient): IdentityReader {
  let known: Promise<Account> | undefined;
  const ask = async (): Promise<Account> => {
    if (client.credential === 'token') return toAccount(await client.self.get('/user', {}, User));
    const { slug } = await client.self.get('/app', {}, App);
    const [installation] = await listInstallations(client);
    if (installation === undefined) throw noInstallation(client.instance);
    const session = client.forInstallation(installation);
    return toAccount(await session.get('/users/{username}', { username: `${slug}[bot]` }, User));
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

function noInstallation(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'app_not_installed',
    message: `The GitHub App of instance ${instance} is installed nowhere. Install it on a repository first.`,
    details: { instance },
  });
}

import { z } from 'zod';
import type { Account } from '../../domain/pull-request.ts';
import type { IdentityReader } from '../ports.ts';
import { toAccount } from './accounts.ts';
import type { GitLabClient } from './gitlab-client.ts';

const Me = z.object({ id: z.int(), username: z.string(), bot: z.boolean().nullish() });

/** Asked once: it does not change while a token lives. */
export function createIdentityReader(client: GitLabClient): IdentityReader {
  let known: Promise<Account> | undefined;
  return {
    async whoAmI() {
      known ??= client.root.get('/user', {}, Me).then(toAccount);
      try {
        return await known;
      } catch (error) {
        known = undefined;
        throw error;
      }
    },
  };
}

import { describe, expect, it } from 'vitest';
import type { EntraCredential } from '../../../shared/providers/azure-devops/authorization.ts';
import { createAzureWorld } from './setup.ts';

const thread = (commit: string) => ({ kind: 'file', commit, path: 'src/app.ts', body: 'Once.' }) as const;

describe('a credential', () => {
  it.each(['401', 'page', 'redirect'] as const)(
    'that is not accepted is told as such when the answer is %s',
    async (signIn) => {
      await using world = await createAzureWorld({ simulator: { signIn } });
      const { ref, head, simulator, connect } = world;
      const provider = connect({ token: 'revoked' });
      const expected = { kind: 'permanent', code: 'provider_credentials' };
      await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject(expected);
      await expect(provider.threads.listThreads(ref)).rejects.toMatchObject(expected);
      await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject(expected);
      await expect(provider.snapshots.openArchive(ref, head)).rejects.toMatchObject(expected);
      expect(simulator.generalComments(ref.number)).toEqual([]);
    },
  );

  it.each([200, 203])('is doubted when a sign-in page comes with status %i', async (status) => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({ match: { path: '/threads' }, action: { kind: 'html', status }, times: 2 });
    const expected = { kind: 'permanent', code: 'provider_credentials' };
    await expect(provider.threads.listThreads(ref)).rejects.toMatchObject(expected);
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject(expected);
  });

  it('never stands in a message, and in the log there are neither queries nor headers', async () => {
    await using world = await createAzureWorld();
    const { ref, connect, log } = world;
    const error: unknown = await connect({ token: 'secret-token' })
      .pullRequests.getPullRequest(ref)
      .catch((caught: unknown) => caught);
    expect(JSON.stringify([error, String(error), log.lines])).not.toContain('secret-token');
    expect(JSON.stringify(log.lines)).not.toContain('api-version');
  });

  it('says who we are', async () => {
    await using world = await createAzureWorld();
    const { provider, simulator } = world;
    expect(await provider.identity.whoAmI()).toEqual({
      id: simulator.state.ensureIdentity('gatehouse@example.com').id,
      login: 'gatehouse@example.com',
      isBot: false,
    });
  });

  it('of a managed identity is asked for once, for the right scope, and again when it was refused', async () => {
    await using world = await createAzureWorld();
    const { ref, head, simulator, connect } = world;
    const scopes: string[] = [];
    const credential: EntraCredential = {
      async getToken(scope) {
        scopes.push(scope);
        const token = `entra-${scopes.length}`;
        simulator.addToken({ token, login: 'gatehouse-app', kind: 'bearer' });
        return { token, expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    };
    const provider = connect({ credential });
    expect(await provider.identity.whoAmI()).toMatchObject({ login: 'gatehouse-app', isBot: true });
    await provider.pullRequests.getPullRequest(ref);
    expect(scopes).toEqual(['499b84ac-1321-427f-aa17-267ca6975798/.default']);
    simulator.revokeToken('entra-1');
    await provider.pullRequests.getPullRequest(ref);
    expect(scopes).toHaveLength(2);
    // Between what the write reads and the write itself.
    simulator.faults.next({ match: { method: 'POST' }, action: { kind: 'token-expired' } });
    await provider.threadWriter?.createThread(ref, thread(head));
    expect(scopes).toHaveLength(3);
    expect(await simulator.comments(ref.number)).toHaveLength(1);
  });

  it('that ends within five minutes is renewed before it does', async () => {
    await using world = await createAzureWorld();
    const { ref, simulator, connect } = world;
    let minted = 0;
    const provider = connect({
      credential: {
        async getToken() {
          minted += 1;
          simulator.addToken({ token: `entra-${minted}`, login: 'gatehouse-app', kind: 'bearer' });
          return {
            token: `entra-${minted}`,
            expiresOnTimestamp: Date.now() + (minted === 1 ? 299_000 : 3_600_000),
          };
        },
      },
    });
    await provider.pullRequests.getPullRequest(ref);
    expect(minted).toBe(2);
  });

  it('that is missing is said before anything is asked', async () => {
    await using world = await createAzureWorld();
    const { ref, connect } = world;
    const provider = connect({ credential: { getToken: async () => null } });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_credentials',
    });
  });

  it('without the right to contribute reads and does not write', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.setPermission('gatehouse@example.com', 'read');
    await provider.pullRequests.getPullRequest(ref);
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_permission',
      details: { errorCode: 'TF401027' },
    });
    simulator.setPermission('gatehouse@example.com', 'none');
    await expect(provider.threads.listThreads(ref)).rejects.toMatchObject({ code: 'not_found' });
  });
});

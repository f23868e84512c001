import { describe, expect, it } from 'vitest';
import type { PullRequestRef } from '../../../shared/domain/pull-request.ts';
import type { Provider } from '../../../shared/providers/ports.ts';
import { createScopedProvider } from '../../../shared/tools/scoped-provider.ts';
import { createFakeProvider, createWorld, PULL_REQUEST, REF } from './fake-provider.ts';

const OTHERS: readonly [string, PullRequestRef][] = [
  ['number', { ...REF, number: 13 }],
  ['repository id', { ...REF, repositoryId: '1' }],
  ['instance', { ...REF, instance: 'second' }],
  ['provider', { ...REF, provider: 'gitlab' }],
  // Same ids, other name: a client may build its address from the name.
  ['repository name', { ...REF, repository: 'acme/secrets' }],
  ['dotted name', { ...REF, repository: 'acme/../acme/widgets' }],
];

describe('scoped provider', () => {
  const world = createWorld();
  const provider: Provider = createScopedProvider(createFakeProvider(world), REF);

  it('reaches its own pull request', async () => {
    expect(await provider.pullRequests.getPullRequest(REF)).toBe(PULL_REQUEST);
    expect(await provider.pullRequests.listChangedFiles(PULL_REQUEST)).toHaveLength(2);
    expect(await provider.identity.whoAmI()).toMatchObject({ login: 'gatehouse[bot]' });
    expect(provider.limits).toEqual({ maxBodyLength: 65_536 });
    expect(provider.id).toBe('github');
    expect(provider.statuses).toBeUndefined();
  });

  it.each(OTHERS)('refuses every call for another %s', async (_what, other) => {
    const review = { commit: 'c', body: 'b', comments: [] };
    const calls: (() => Promise<unknown>)[] = [
      async () => provider.pullRequests.getPullRequest(other),
      async () => provider.pullRequests.listChangedFiles({ ...PULL_REQUEST, ref: other }),
      async () => provider.snapshots.openArchive(other, 'c'),
      async () => provider.snapshots.readBlob(other, 's', 1),
      async () => provider.snapshots.findEntry(other, 'c', 'p'),
      async () => provider.threads.listThreads(other),
      async () => provider.reviews?.createReview(other, review),
      async () => provider.reviews?.listReviews(other),
      async () =>
        provider.threadWriter?.createThread(other, { kind: 'file', commit: 'c', path: 'p', body: 'b' }),
      async () => provider.generalComments?.createGeneralComment(other, 'b'),
      async () => provider.replies?.reply(other, 't', 'b'),
      async () => provider.threadResolver?.setResolved(other, 't', true),
      async () => provider.pendingReviews?.findPendingReview(other),
      async () => provider.comments?.listGeneralComments(other),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({ kind: 'denied', code: 'out_of_scope' });
    expect(world.writes).toEqual([]);
  });

  it('refuses what names no pull request at all, such as a look through all repositories', async () => {
    const wide = createScopedProvider(
      {
        ...createFakeProvider(world),
        directory: {
          locate: async () => REF,
          listRepositories: async () => [{ repositoryId: '1', repository: 'acme/secrets' }],
          listOpenPullRequests: async () => [],
        },
        deliveries: { listFailedDeliveries: async () => [], requestRedelivery: async () => undefined },
      },
      REF,
    );
    const calls: (() => Promise<unknown>)[] = [
      async () => wide.directory?.locate('acme/widgets', 12),
      async () => wide.directory?.listRepositories(),
      async () => wide.directory?.listOpenPullRequests({ repositoryId: '4711', repository: 'acme/widgets' }),
      async () => wide.deliveries?.listFailedDeliveries(0),
      async () => wide.deliveries?.requestRedelivery('1'),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'out_of_scope' });
  });

  it('hands on its own reference in the place of the one it was given', async () => {
    const seen: unknown[] = [];
    const inner: Provider = {
      ...createFakeProvider(world),
      threads: {
        listThreads: async (ref) => {
          seen.push(ref);
          return [];
        },
      },
      pullRequests: {
        getPullRequest: async () => PULL_REQUEST,
        listChangedFiles: async (pullRequest) => {
          seen.push(pullRequest.ref);
          return [];
        },
      },
    };
    const scoped = createScopedProvider(inner, REF);
    const sameButSpelled = { ...REF, repository: 'ACME/widgets' };
    await scoped.threads.listThreads(sameButSpelled);
    await scoped.pullRequests.listChangedFiles({ ...PULL_REQUEST, ref: sameButSpelled });
    expect(seen).toEqual([REF, REF]);
    expect(seen[0]).toBe(REF);
  });

  it('keeps `this` of capabilities that are classes', async () => {
    class Threads {
      readonly #threads = ['t'];
      async listThreads(_ref: PullRequestRef): Promise<never[]> {
        return this.#threads.length === 1 ? [] : Promise.reject(new Error('lost this'));
      }
    }
    const scoped = createScopedProvider({ ...createFakeProvider(world), threads: new Threads() }, REF);
    expect(await scoped.threads.listThreads(REF)).toEqual([]);
  });
});

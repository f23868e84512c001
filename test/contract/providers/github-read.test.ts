import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createGitHubWorld, lines } from './github-setup.ts';

function blobHash(content: string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

describe('a pull request on GitHub', () => {
  it('is read by the id of its repository; names come from the answer', async () => {
    await using world = await createGitHubWorld();
    const ref = { ...world.ref, repository: 'someone/renamed' };
    expect(await world.provider.pullRequests.getPullRequest(ref)).toEqual({
      ref: { ...world.ref, repository: 'acme/shop' },
      title: 'Say ten',
      description: '',
      state: 'open',
      isDraft: false,
      author: { id: expect.stringMatching(/^\d+$/), login: 'contributor', isBot: false },
      isFork: false,
      headSha: world.head,
      headRef: 'feature',
      baseSha: world.base,
      baseRef: 'main',
      mergeBaseSha: world.base,
      changedFiles: 1,
      webUrl: `${world.simulator.webUrl}/acme/shop/pull/1`,
    });
  });

  it('is measured from the merge base, not from where the target branch went since', async () => {
    await using world = await createGitHubWorld();
    world.git.git('checkout', '-q', 'main');
    world.git.write('other.txt', 'x\n');
    const moved = world.git.commit('main goes on');
    await world.simulator.retarget(1, { revision: 'main' });
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    expect(pull).toMatchObject({ baseSha: moved, mergeBaseSha: world.base, changedFiles: 1 });
  });

  it('says fork, deleted fork, draft, closed, merged and a deleted author', async () => {
    await using world = await createGitHubWorld({
      pull: { fork: { fullName: 'bob/shop' }, draft: true, author: null },
    });
    const { provider, ref, simulator } = world;
    expect(await provider.pullRequests.getPullRequest(ref)).toMatchObject({
      isFork: true,
      isDraft: true,
      author: { login: 'ghost', isBot: false },
    });
    await simulator.createPullRequest({
      base: 'main',
      head: 'feature',
      title: 'x',
      fork: { fullName: 'bob/gone', deleted: true },
    });
    simulator.closePullRequest(2);
    expect(await provider.pullRequests.getPullRequest({ ...ref, number: 2 })).toMatchObject({
      isFork: true,
      state: 'closed',
    });
    simulator.closePullRequest(1, { merged: true });
    expect((await provider.pullRequests.getPullRequest(ref)).state).toBe('merged');
  });

  it('that does not exist, or is not ours to see, is not_found or app_not_installed', async () => {
    await using world = await createGitHubWorld();
    const { pullRequests } = world.provider;
    await expect(pullRequests.getPullRequest({ ...world.ref, number: 99 })).rejects.toMatchObject({
      kind: 'permanent',
      code: 'not_found',
    });
    await expect(
      pullRequests.getPullRequest({ ...world.ref, repositoryId: '999', repository: 'acme/shop' }),
    ).rejects.toMatchObject({ kind: 'permanent', code: 'app_not_installed' });
    await expect(
      pullRequests.getPullRequest({ ...world.ref, repositoryId: '999', repository: 'acme/nowhere' }),
    ).rejects.toMatchObject({ kind: 'permanent', code: 'app_not_installed' });
  });

  it('can be read with a token, and from an Enterprise Server', async () => {
    await using world = await createGitHubWorld();
    for (const options of [{ credential: 'token' }, { enterprise: true }] as const) {
      const provider = world.connect(options);
      expect(await provider.pullRequests.getPullRequest(world.ref)).toMatchObject({ headSha: world.head });
      expect(await provider.threads.listThreads(world.ref)).toEqual([]);
    }
    const paths = world.simulator.requests().map((request) => request.path);
    expect(paths).toContain('/api/graphql');
    expect(paths).toContain('/graphql');
  });
});

describe('the changed files', () => {
  it('are all 2,500 of them, over 25 pages', async () => {
    await using world = await createGitHubWorld({
      after: (git) => {
        for (let index = 0; index < 2_499; index += 1) git.write(`many/${index}.txt`, `${index}\n`);
      },
    });
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    const files = await world.provider.pullRequests.listChangedFiles(pull);
    expect(files).toHaveLength(2_500);
    expect(new Set(files.map((file) => file.path)).size).toBe(2_500);
    const pages = world.simulator.requests().filter((request) => request.path.endsWith('/pulls/1/files'));
    expect(pages).toHaveLength(25);
  });

  it('over what GitHub lists are refused with the reason, before one page is read', async () => {
    await using world = await createGitHubWorld();
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    await expect(
      world.provider.pullRequests.listChangedFiles({ ...pull, changedFiles: 3_001 }),
    ).rejects.toMatchObject({
      kind: 'permanent',
      code: 'too_many_files',
      message: expect.stringContaining('Split the pull request'),
    });
  });

  it('carry their change, old path and blob hash', async () => {
    await using world = await createGitHubWorld({
      before: (git) => {
        git.write('old/name.ts', lines(30, 'keep'));
        git.write('gone.ts', 'bye\n');
        git.write('logo.png', new Uint8Array([0x89, 0x50, 0, 1]));
      },
      after: (git) => {
        git.remove('old/name.ts');
        git.write('new/größe name.ts', lines(30, 'keep').replace('keep 3\n', 'kept 3\n'));
        git.remove('gone.ts');
        git.write('logo.png', new Uint8Array([0x89, 0x50, 0, 2]));
        git.write('added.ts', 'hello\n');
      },
    });
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    const files = await world.provider.pullRequests.listChangedFiles(pull);
    const byPath = Object.fromEntries(files.map((file) => [file.path, file]));
    expect(byPath['new/größe name.ts']).toMatchObject({
      change: 'renamed',
      previousPath: 'old/name.ts',
      additions: 1,
      deletions: 1,
    });
    expect(byPath['gone.ts']).toMatchObject({ change: 'deleted', blobSha: blobHash('bye\n') });
    expect(byPath['added.ts']).toEqual({
      path: 'added.ts',
      change: 'added',
      additions: 1,
      deletions: 0,
      blobSha: blobHash('hello\n'),
      patch: '@@ -0,0 +1 @@\n+hello',
    });
    expect(byPath['logo.png']).toMatchObject({ change: 'modified' });
    expect(byPath['logo.png']).not.toHaveProperty('patch');
  });

  it('of a head that moved meanwhile are stale', async () => {
    await using world = await createGitHubWorld();
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    world.git.write('late.txt', 'x\n');
    world.git.commit('late');
    await world.simulator.pushHead(1);
    await expect(world.provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'stale',
      code: 'head_moved',
    });
  });

  it('of a head that moved while keeping the count are stale too', async () => {
    await using world = await createGitHubWorld();
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    world.git.write('src/app.ts', lines(20).replace('line 10\n', 'line zehn\n'));
    world.git.commit('same file again');
    await world.simulator.pushHead(1);
    await expect(world.provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'stale',
      code: 'head_moved',
    });
  });

  it('of an earlier head than the one read are read again later', async () => {
    await using world = await createGitHubWorld();
    const { simulator, provider } = world;
    const pull = await provider.pullRequests.getPullRequest(world.ref);
    const file = {
      sha: 'a'.repeat(40),
      filename: 'src/app.ts',
      status: 'modified',
      additions: 1,
      deletions: 1,
      contents_url: `https://api.github.com/repos/acme/shop/contents/src/app.ts?ref=${'b'.repeat(40)}`,
    };
    simulator.faults.next({
      match: { path: '/files' },
      action: { kind: 'answer', status: 200, body: [file] },
    });
    await expect(provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'transient',
      code: 'listing_outdated',
    });
  });

  it('are refused when a page is empty although more is promised, or repeats', async () => {
    await using world = await createGitHubWorld({
      after: (git) => {
        for (let index = 0; index < 250; index += 1) git.write(`many/${index}.txt`, `${index}\n`);
      },
    });
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    const match = { pattern: '/files\\?.*page=2' };
    world.simulator.faults.next({ match, action: { kind: 'empty-page' } });
    await expect(world.provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'files_incomplete',
    });
    world.simulator.faults.next({ match, action: { kind: 'repeat-page' } });
    await expect(world.provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'transient',
      code: 'page_repeated',
    });
    expect(await world.provider.pullRequests.listChangedFiles(pull)).toHaveLength(251);
  });
});

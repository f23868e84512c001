import { describe, expect, it } from 'vitest';
import { FULL_NAME, REPOSITORY_ID, createAzureWorld, lines } from './setup.ts';

describe('a pull request', () => {
  it('is read by its ids, with the merge base of its latest iteration', async () => {
    await using world = await createAzureWorld({ pull: { body: 'Because.' } });
    const { provider, ref, base, head, simulator, git } = world;
    git.git('checkout', '-q', 'main');
    git.write('other.txt', 'moved on\n');
    git.commit('main moves on');
    expect(await provider.pullRequests.getPullRequest({ ...ref, repository: 'old/name' })).toEqual({
      ref: { ...ref, repository: FULL_NAME },
      title: 'Say ten',
      description: 'Because.',
      state: 'open',
      isDraft: false,
      author: {
        id: simulator.state.ensureIdentity('author@example.com').id,
        login: 'author@example.com',
        isBot: false,
      },
      isFork: false,
      headSha: head,
      headRef: 'feature',
      baseSha: base,
      baseRef: 'main',
      mergeBaseSha: base,
      changedFiles: 1,
      webUrl: `${simulator.webUrl}/Fabrikam%20Fiber/_git/Shop/pullrequest/${ref.number}`,
    });
  });

  it.each([
    ['of a fork', { fork: { name: 'Fork' } }, { isFork: true }],
    ['of a fork that was deleted', { fork: 'deleted' as const }, { isFork: true }],
    ['that is a draft', { draft: true }, { isDraft: true }],
    [
      'of an account that is gone',
      { author: null },
      { author: { id: 'ghost', login: 'ghost', isBot: false } },
    ],
    [
      'of an application without a sign-in name',
      { author: 'deploy-bot' },
      { author: { login: 'deploy-bot', isBot: true } },
    ],
    ['without a description', {}, { description: '' }],
  ])('%s is told as such, and its files are listed', async (_what, pull, expected) => {
    await using world = await createAzureWorld({ pull });
    const { provider, ref } = world;
    const found = await provider.pullRequests.getPullRequest(ref);
    expect(found).toMatchObject(expected);
    expect(await provider.pullRequests.listChangedFiles(found)).toMatchObject([{ path: 'src/app.ts' }]);
  });

  it('is open, closed or merged', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const state = async (): Promise<string> => (await provider.pullRequests.getPullRequest(ref)).state;
    simulator.closePullRequest(ref.number);
    expect(await state()).toBe('closed');
    simulator.reopenPullRequest(ref.number);
    expect(await state()).toBe('open');
    simulator.closePullRequest(ref.number, { merged: true });
    expect(await state()).toBe('merged');
  });

  it('with conflicts is measured from its merge base, not from a merge that does not exist', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator, git, base, head } = world;
    git.git('checkout', '-q', 'main');
    git.write('src/app.ts', lines(20).replace('line 10\n', 'line X\n'));
    git.commit('conflict');
    git.git('checkout', '-q', 'feature');
    await simulator.pushHead(ref.number, head);
    const pull = await provider.pullRequests.getPullRequest(ref);
    expect(pull).toMatchObject({ mergeBaseSha: base, headSha: head });
    expect(pull.baseSha).not.toBe(base);
    expect(await provider.pullRequests.listChangedFiles(pull)).toHaveLength(1);
  });

  it('that was retargeted has another base, and its former listing is stale', async () => {
    await using world = await createAzureWorld({
      before: (git) => {
        git.commit('first');
        git.git('branch', 'release');
        git.write('later.txt', 'later\n');
      },
    });
    const { provider, ref, simulator } = world;
    const before = await provider.pullRequests.getPullRequest(ref);
    await simulator.retarget(ref.number, 'release');
    const after = await provider.pullRequests.getPullRequest(ref);
    expect(after).toMatchObject({ baseRef: 'release', changedFiles: 2 });
    expect(after.mergeBaseSha).not.toBe(before.mergeBaseSha);
    expect((await provider.pullRequests.listChangedFiles(after)).map(({ path }) => path).toSorted()).toEqual([
      'later.txt',
      'src/app.ts',
    ]);
  });

  it('whose head moves while its files are listed is stale, unless the old iteration is still there', async () => {
    await using world = await createAzureWorld();
    const { provider, ref } = world;
    const pull = await provider.pullRequests.getPullRequest(ref);
    await expect(
      provider.pullRequests.listChangedFiles({ ...pull, headSha: '0'.repeat(40) }),
    ).rejects.toMatchObject({ kind: 'stale', code: 'head_moved' });
  });

  it('whose latest push is not an iteration yet is read again later', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator, git, head } = world;
    git.write('src/app.ts', lines(3));
    git.commit('more');
    await simulator.pushHead(ref.number);
    const first = { id: 1, sourceRefCommit: { commitId: head }, targetRefCommit: { commitId: head } };
    simulator.faults.next({
      match: { path: '/iterations' },
      action: {
        kind: 'answer',
        status: 200,
        body: { value: [{ ...first, commonRefCommit: { commitId: head } }] },
      },
    });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'transient',
      code: 'iteration_pending',
      retryAfterMs: 5000,
    });
  });

  it.each([
    ['a pull request', { number: 999 }],
    ['a repository', { repositoryId: '00000000-0000-4000-8000-000000000000' }],
    ['a repository whose id is no GUID', { repositoryId: '../../x' }],
  ])('%s that does not exist is not found', async (_what, change) => {
    await using world = await createAzureWorld();
    const { provider, ref } = world;
    await expect(provider.pullRequests.getPullRequest({ ...ref, ...change })).rejects.toMatchObject({
      kind: 'permanent',
      code: 'not_found',
    });
  });
});

describe('what is around it', () => {
  it('commits come oldest first, all pages', async () => {
    await using world = await createAzureWorld({
      after: (git) => {
        for (let index = 1; index <= 120; index += 1) git.commit(`step ${index}`);
      },
    });
    const { provider, ref, head } = world;
    const commits = await provider.commits?.listCommits(ref);
    expect(commits).toHaveLength(121);
    expect(commits?.[0]?.message).toBe('step 1');
    expect(commits?.at(-1)).toMatchObject({ sha: head, message: 'head' });
    expect(commits?.[0]?.authoredAt).toBeGreaterThan(Date.UTC(2026, 0, 1));
  });

  it('ancestry is told by merge bases', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, base, head, git } = world;
    git.git('checkout', '-q', 'main');
    git.write('x', 'x');
    const other = git.commit('other');
    const compare = async (older: string, newer: string) =>
      provider.ancestry?.compareCommits(ref, older, newer);
    expect(await compare(base, head)).toEqual({ relation: 'ahead', mergeBaseSha: base });
    expect(await compare(head, base)).toEqual({ relation: 'behind', mergeBaseSha: base });
    expect(await compare(head, head)).toEqual({ relation: 'identical', mergeBaseSha: head });
    expect(await compare(head, other)).toEqual({ relation: 'diverged', mergeBaseSha: base });
    expect(await compare('0'.repeat(40), head)).toEqual({ relation: 'unknown' });
  });

  it('repositories and open pull requests are found by name and listed, all pages', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator } = world;
    expect(await provider.directory?.locate('fabrikam fiber/shop', ref.number)).toEqual(ref);
    expect(await provider.directory?.listRepositories()).toEqual([
      { repositoryId: REPOSITORY_ID, repository: FULL_NAME },
    ]);
    for (let index = 0; index < 101; index += 1)
      await simulator.createPullRequest({ base: 'main', head: 'feature', title: 'x' });
    const open = await provider.directory?.listOpenPullRequests({
      repositoryId: REPOSITORY_ID,
      repository: FULL_NAME,
    });
    expect(open).toHaveLength(102);
    expect(open).toContainEqual({ ref, headSha: head, baseRef: 'main', isDraft: false });
    await expect(provider.directory?.locate('Shop', 1)).rejects.toMatchObject({ code: 'not_found' });
  });
});

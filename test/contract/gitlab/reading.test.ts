import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FULL_NAME, LOGIN, createGitLabWorld, lines } from './setup.ts';

async function text(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer());
}

describe('a merge request', () => {
  it('is read by its ids, from its latest version', async () => {
    await using world = await createGitLabWorld({ pull: { body: 'Because.' } });
    const { provider, ref, base, head, simulator } = world;
    expect(await provider.pullRequests.getPullRequest({ ...ref, repository: 'old/name' })).toEqual({
      ref: { ...ref, repository: FULL_NAME },
      title: 'Say ten',
      description: 'Because.',
      state: 'open',
      isDraft: false,
      author: { id: '2', login: 'author', isBot: false },
      isFork: false,
      headSha: head,
      headRef: 'feature',
      baseSha: base,
      baseRef: 'main',
      mergeBaseSha: base,
      changedFiles: 1,
      webUrl: `${simulator.webUrl}/acme/tools/shop/-/merge_requests/1`,
    });
    expect(await provider.identity.whoAmI()).toEqual({ id: '1', login: LOGIN, isBot: true });
  });

  it.each([
    ['of a fork', { fork: { fullName: 'ada/shop' } }, { isFork: true }],
    ['of a fork that was deleted', { fork: 'deleted' as const }, { isFork: true }],
    ['that is a draft', { draft: true }, { isDraft: true }],
    [
      'of an account that is gone',
      { author: null },
      { author: { id: 'ghost', login: 'ghost', isBot: false } },
    ],
    ['without a description', {}, { description: '' }],
  ])('%s is told as such, and its files are listed', async (_what, pull, expected) => {
    await using world = await createGitLabWorld({ pull });
    const { provider, ref, head } = world;
    const found = await provider.pullRequests.getPullRequest(ref);
    expect(found).toMatchObject(expected);
    expect(await provider.pullRequests.listChangedFiles(found)).toMatchObject([
      { path: 'src/app.ts', additions: 2, deletions: 1 },
    ]);
    expect(await provider.snapshots.findEntry(ref, head, 'src/app.ts')).toMatchObject({ kind: 'file' });
  });

  it('is open, closed or merged', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    const state = async (): Promise<string> => (await provider.pullRequests.getPullRequest(ref)).state;
    simulator.closePullRequest(ref.number);
    expect(await state()).toBe('closed');
    simulator.reopenPullRequest(ref.number);
    expect(await state()).toBe('open');
    simulator.closePullRequest(ref.number, { merged: true });
    expect(await state()).toBe('merged');
  });

  it('that is not prepared yet is read again later', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    simulator.setPrepared(ref.number, false);
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'transient',
      code: 'diff_pending',
      retryAfterMs: 5000,
    });
  });

  it('whose files are not counted yet is read again later', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator, ask } = world;
    const pull: unknown = await (await ask('GET', '/merge_requests/1')).json();
    const body = { ...Object(pull), changes_count: null };
    simulator.faults.next({
      match: { pattern: '/merge_requests/1$' },
      action: { kind: 'answer', status: 200, body },
    });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({ code: 'diff_pending' });
    expect((await provider.pullRequests.getPullRequest(ref)).changedFiles).toBe(1);
  });

  it('with 2,500 files is listed as a whole', async () => {
    await using world = await createGitLabWorld({
      after: (git) => {
        for (let index = 0; index < 2_499; index += 1) git.write(`many/${index}.txt`, `${index}\n`);
      },
      simulator: { limits: { maxFiles: 3_000 } },
    });
    const { provider, ref } = world;
    const pull = await provider.pullRequests.getPullRequest(ref);
    const files = await provider.pullRequests.listChangedFiles(pull);
    expect(new Set(files.map(({ path }) => path)).size).toBe(2_500);
  });

  it('with more files than are kept is refused', async () => {
    await using world = await createGitLabWorld({
      after: (git) => git.write('other.txt', 'x\n'),
      simulator: { limits: { maxFiles: 1 } },
    });
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    await expect(world.provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'too_many_files',
    });
  });

  it('whose head or target moves while its files are listed is stale', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator, git } = world;
    const pull = await provider.pullRequests.getPullRequest(ref);
    git.write('more.txt', 'x\n');
    const revision = git.commit('more');
    simulator.faults.next({
      match: { path: '/diffs' },
      action: { kind: 'head-moves-now', number: ref.number, revision },
    });
    const stale = { kind: 'stale', code: 'head_moved' };
    await expect(provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject(stale);
    await expect(provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject(stale);
  });

  it.each([
    ['a merge request', { number: 999 }],
    ['a project', { repositoryId: '8' }],
    ['a project without a number', { repositoryId: '../7' }],
  ])('%s that does not exist is not found', async (_what, change) => {
    await using world = await createGitLabWorld();
    await expect(
      world.provider.pullRequests.getPullRequest({ ...world.ref, ...change }),
    ).rejects.toMatchObject({ kind: 'permanent', code: 'not_found' });
  });
});

describe('changed files', () => {
  it('tell what became of each, and carry hunks where GitLab shows them', async () => {
    await using world = await createGitLabWorld({
      before: (git) => {
        git.write('gone.txt', 'a\nb\n');
        git.write('old name.txt', lines(20, 'same'));
        git.write('image.bin', new Uint8Array([0, 1, 2]));
      },
      after: (git) => {
        git.remove('gone.txt');
        git.remove('old name.txt');
        git.write('ünicode/new#name.txt', lines(20, 'same').replace('same 3\n', 'other 3\n'));
        git.write('image.bin', new Uint8Array([0, 1, 3]));
        git.write('large.txt', lines(200));
        git.write('huge.txt', lines(2_000));
        git.write('new.txt', 'x');
      },
      simulator: { limits: { maxPatchBytes: 10_000 } },
    });
    const { provider, ref } = world;
    const files = await provider.pullRequests.listChangedFiles(
      await provider.pullRequests.getPullRequest(ref),
    );
    const seen = files
      .toSorted((one, other) => one.path.localeCompare(other.path, 'en'))
      .map((file) => [file.path, file.change, file.previousPath, file.patch?.split('\n')[0]]);
    expect(seen).toEqual([
      ['gone.txt', 'deleted', undefined, '@@ -1,2 +0,0 @@'],
      ['huge.txt', 'added', undefined, undefined],
      ['image.bin', 'modified', undefined, undefined],
      ['large.txt', 'added', undefined, undefined],
      ['new.txt', 'added', undefined, '@@ -0,0 +1 @@'],
      ['src/app.ts', 'modified', undefined, '@@ -7,7 +7,8 @@ line 6'],
      ['ünicode/new#name.txt', 'renamed', 'old name.txt', '@@ -1,6 +1,6 @@'],
    ]);
  });
});

describe('what is around it', () => {
  it('files, directories and archives of a commit', async () => {
    await using world = await createGitLabWorld({
      before: (git) => git.write('a b/ü#%.txt', 'content\n'),
    });
    const { provider, ref, head } = world;
    const entry = await provider.snapshots.findEntry(ref, head, 'a b/ü#%.txt');
    expect(entry).toMatchObject({ path: 'a b/ü#%.txt', kind: 'file' });
    expect(await provider.snapshots.findEntry(ref, head, 'src')).toMatchObject({ kind: 'directory' });
    expect(await provider.snapshots.findEntry(ref, head, 'nowhere/x')).toBeUndefined();
    expect(await provider.snapshots.findEntry(ref, head, 'nothing')).toBeUndefined();
    const missing = { kind: 'permanent', code: 'not_found' };
    await expect(provider.snapshots.findEntry(ref, '0'.repeat(40), 'src')).rejects.toMatchObject(missing);
    const sha = entry?.sha ?? '';
    expect(Buffer.from(await provider.snapshots.readBlob(ref, sha, 8)).toString()).toBe('content\n');
    await expect(provider.snapshots.readBlob(ref, sha, 7)).rejects.toMatchObject({ code: 'blob_too_large' });
    const { body, format } = await provider.snapshots.openArchive(ref, head);
    expect(format).toBe('tar.gz');
    expect(gunzipSync(await text(body)).includes('line ten and a half')).toBe(true);
    const tree = await provider.trees?.listTree(ref, head);
    expect(tree?.isComplete).toBe(true);
    expect(tree?.entries.map(({ path }) => path)).toEqual(['a b', 'a b/ü#%.txt', 'src', 'src/app.ts']);
  });

  it('what only the fork has comes from the fork', async () => {
    await using world = await createGitLabWorld({ pull: { fork: { fullName: 'ada/shop' } } });
    const { provider, ref, head, simulator } = world;
    simulator.faults.next({
      match: { path: '/projects/7/repository' },
      action: { kind: 'answer', status: 404, body: { message: '404 File Not Found' } },
    });
    const { body } = await provider.snapshots.openArchive(ref, head);
    expect((await text(body)).length).toBeGreaterThan(100);
  });

  it('commits come oldest first, all pages', async () => {
    await using world = await createGitLabWorld({
      after: (git) => {
        for (let index = 1; index <= 120; index += 1) git.commit(`step ${index}`);
      },
    });
    const commits = await world.provider.commits?.listCommits(world.ref);
    expect(commits).toHaveLength(121);
    expect(commits?.[0]?.message).toBe('step 1');
    expect(commits?.at(-1)).toMatchObject({ sha: world.head, message: 'head' });
  });

  it('ancestry is told by the merge base', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, base, head, git } = world;
    git.git('checkout', '-q', 'main');
    const other = git.commit('other');
    const compare = (older: string, newer: string) => provider.ancestry?.compareCommits(ref, older, newer);
    expect(await compare(base, head)).toEqual({ relation: 'ahead', mergeBaseSha: base });
    expect(await compare(head, base)).toEqual({ relation: 'behind', mergeBaseSha: base });
    expect(await compare(head, head)).toEqual({ relation: 'identical', mergeBaseSha: head });
    expect(await compare(head, other)).toEqual({ relation: 'diverged', mergeBaseSha: base });
    expect(await compare('0'.repeat(40), head)).toEqual({ relation: 'unknown' });
  });

  it.each([
    [50, 'admin'],
    [40, 'admin'],
    [30, 'write'],
    [20, 'read'],
    [10, 'none'],
    [0, 'none'],
  ] as const)('access level %i is %s', async (level, expected) => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    simulator.setPermission('ada', level);
    const { id } = simulator.state.ensureUser('ada');
    expect(await provider.permissions?.getPermission(ref, { id: String(id), login: 'x', isBot: false })).toBe(
      expected,
    );
  });

  it('projects and open merge requests are found by name and listed, all pages', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, head, simulator } = world;
    expect(await provider.directory?.locate('Acme/Tools/Shop', 1)).toEqual(ref);
    expect(await provider.directory?.listRepositories()).toEqual([
      { repositoryId: '7', repository: FULL_NAME },
    ]);
    for (let index = 0; index < 100; index += 1)
      await simulator.createPullRequest({ base: 'main', head: 'feature', title: 'x' });
    const open = await provider.directory?.listOpenPullRequests({ repositoryId: '7', repository: FULL_NAME });
    expect(open).toHaveLength(101);
    expect(open).toContainEqual({ ref, headSha: head, baseRef: 'main', isDraft: false });
  });
});

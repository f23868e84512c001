import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { TestRepository } from '../../support/git.ts';
import { createGitHubWorld } from './github-setup.ts';

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function blobHash(content: string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function hashObject(git: TestRepository, text: string): string {
  git.write('.target', text);
  return git.git('hash-object', '-w', '.target').trim();
}

describe('files of a commit', () => {
  it('come as an archive from another origin, which gets none of our headers', async () => {
    await using world = await createGitHubWorld();
    const archive = await world.provider.snapshots.openArchive(world.ref, world.head);
    expect(archive.format).toBe('tar.gz');
    expect(gunzipSync(await readAll(archive.body)).includes('line ten and a half')).toBe(true);
    expect(world.simulator.forwardedCredentials()).toBe(0);
    const hosts = new Set(world.log.lines.map((line) => line.fields['host']));
    expect(hosts).toContain(new URL(world.simulator.archiveOrigin).host);
  });

  it('are found one by one with what they are, links and submodules told apart', async () => {
    await using world = await createGitHubWorld({
      after: (git) => {
        git.write('docs/deep/readme.md', '# hi\n');
        git.git('update-index', '--add', '--cacheinfo', `120000,${hashObject(git, 'target')},link`);
        git.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendored`);
        git.git('commit', '-q', '-m', 'special entries');
      },
    });
    const special = world.git.git('rev-parse', 'HEAD~1').trim();
    const { snapshots } = world.provider;
    const find = (path: string) => snapshots.findEntry(world.ref, special, path);
    expect(await find('link')).toMatchObject({ kind: 'link', path: 'link' });
    expect(await find('vendored')).toMatchObject({ kind: 'submodule', sha: '1'.repeat(40) });
    expect(await find('src')).toMatchObject({ kind: 'directory' });
    expect(await find('src/app.ts')).toMatchObject({ kind: 'file', path: 'src/app.ts' });
    expect(await find('src/nothing.ts')).toBeUndefined();
    expect(await find('src/app.ts/below')).toBeUndefined();
    expect(await snapshots.findEntry(world.ref, world.head, 'docs/deep/readme.md')).toEqual({
      path: 'docs/deep/readme.md',
      kind: 'file',
      sha: blobHash('# hi\n'),
      size: 5,
    });
  });

  it('are read by hash as raw bytes, up to the given size', async () => {
    await using world = await createGitHubWorld({
      after: (git) => git.write('ü.bin', new Uint8Array([0, 255, 13, 10])),
    });
    const sha = world.git.git('rev-parse', 'HEAD:ü.bin').trim();
    const { snapshots } = world.provider;
    expect([...(await snapshots.readBlob(world.ref, sha, 4))]).toEqual([0, 255, 13, 10]);
    await expect(snapshots.readBlob(world.ref, sha, 3)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'blob_too_large',
    });
    await expect(snapshots.readBlob(world.ref, 'f'.repeat(40), 4)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are listed whole, and a listing that was cut says so', async () => {
    await using world = await createGitHubWorld({
      simulator: { limits: { maxTreeEntries: 2 } },
      after: (git) => git.write('z.txt', 'z\n'),
    });
    const cut = await world.provider.trees?.listTree(world.ref, world.head);
    expect(cut).toMatchObject({ isComplete: false });
    expect(cut?.entries.map((entry) => entry.path)).toEqual(['src', 'src/app.ts']);
    expect((await world.provider.trees?.listTree(world.ref, world.base))?.isComplete).toBe(true);
  });
});

describe('facts about a repository', () => {
  it('permissions are those of the account meant, by id', async () => {
    await using world = await createGitHubWorld();
    const { simulator, provider, ref } = world;
    const ada = simulator.state.ensureUser('ada');
    const account = { id: String(ada.id), login: 'ada', isBot: false };
    expect(await provider.permissions?.getPermission(ref, account)).toBe('write');
    expect(await provider.permissions?.getPermission(ref, { ...account, id: '1' })).toBe('none');
    simulator.setPermission('ada', 'triage');
    expect(await provider.permissions?.getPermission(ref, account)).toBe('read');
    simulator.setPermission('ada', 'maintain');
    expect(await provider.permissions?.getPermission(ref, account)).toBe('write');
    expect(await provider.permissions?.getPermission(ref, { ...account, login: 'nobody-there' })).toBe(
      'none',
    );
  });

  it('commits and ancestry', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, base, head } = world;
    expect(await provider.commits?.listCommits(ref)).toMatchObject([{ sha: head, message: 'head' }]);
    const compare = (older: string, newer: string) => provider.ancestry?.compareCommits(ref, older, newer);
    expect(await compare(base, head)).toEqual({ relation: 'ahead', mergeBaseSha: base });
    expect(await compare(head, base)).toEqual({ relation: 'behind', mergeBaseSha: base });
    expect(await compare(head, head)).toEqual({ relation: 'identical', mergeBaseSha: head });
    expect(await compare('f'.repeat(40), head)).toEqual({ relation: 'unknown' });
  });

  it('names lead to ids, for an App and for a token', async () => {
    await using world = await createGitHubWorld();
    const { directory } = world.provider;
    expect(await directory?.locate('ACME/shop', 1)).toEqual(world.ref);
    expect(await world.connect({ credential: 'token' }).directory?.locate('acme/shop', 1)).toEqual(world.ref);
    await expect(directory?.locate('acme/none', 1)).rejects.toMatchObject({ code: 'app_not_installed' });
    await expect(directory?.locate('acme', 1)).rejects.toMatchObject({ code: 'not_found' });
    expect(await directory?.listRepositories()).toEqual([
      { repositoryId: world.ref.repositoryId, repository: 'acme/shop' },
    ]);
    expect(
      await directory?.listOpenPullRequests({
        repositoryId: world.ref.repositoryId,
        repository: 'acme/shop',
      }),
    ).toEqual([{ ref: world.ref, headSha: world.head, baseRef: 'main', isDraft: false }]);
  });

  it('who we are: the App as its bot user, a token as its owner', async () => {
    await using world = await createGitHubWorld();
    expect(await world.provider.identity.whoAmI()).toEqual({
      id: String(world.simulator.state.app?.bot.id),
      login: 'gatehouse[bot]',
      isBot: true,
    });
    expect(await world.connect({ credential: 'token' }).identity.whoAmI()).toMatchObject({
      login: 'ada',
      isBot: false,
    });
  });
});

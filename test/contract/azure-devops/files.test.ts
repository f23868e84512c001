import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseHunks } from '../../../infra/local/simulators/git/hunks.ts';
import type { TestRepository } from '../../support/git.ts';
import { createAzureWorld, lines } from './setup.ts';

/** A submodule that nobody fetched: its directory is empty. */
function addSubmodule(git: TestRepository, commit: string): void {
  mkdirSync(join(git.directory, 'lib'), { recursive: true });
  git.git('update-index', '--add', '--cacheinfo', `160000,${commit},lib`);
}

describe('changed files', () => {
  it('of every kind have their patch, their blob and their former path', async () => {
    await using world = await createAzureWorld({
      before: (git) => {
        git.write('gone.ts', lines(3, 'gone'));
        git.write('old-name.ts', lines(20, 'keep'));
        git.write('moved.ts', lines(20, 'move'));
        git.write('image.bin', new Uint8Array([0, 1, 2, 3]));
        git.write('big.txt', 'x'.repeat(1024 * 1024 + 1));
      },
      after: (git) => {
        git.remove('gone.ts');
        git.remove('old-name.ts');
        git.remove('moved.ts');
        git.write('new-name.ts', lines(20, 'keep').replace('keep 5\n', 'kept 5\n'));
        git.write('dir/moved.ts', lines(20, 'move'));
        git.write('image.bin', new Uint8Array([0, 9, 9]));
        git.write('big.txt', 'y'.repeat(1024 * 1024 + 1));
        git.write('fresh ü #1.ts', 'a\nb');
      },
    });
    const { provider, ref, git } = world;
    const pull = await provider.pullRequests.getPullRequest(ref);
    const files = await provider.pullRequests.listChangedFiles(pull);
    const byPath = new Map(files.map((file) => [file.path, file]));
    expect([...byPath.keys()].toSorted()).toEqual([
      'big.txt',
      'dir/moved.ts',
      'fresh ü #1.ts',
      'gone.ts',
      'image.bin',
      'new-name.ts',
      'src/app.ts',
    ]);
    expect(byPath.get('src/app.ts')).toMatchObject({ change: 'modified', additions: 2, deletions: 1 });
    expect(byPath.get('fresh ü #1.ts')).toEqual({
      path: 'fresh ü #1.ts',
      change: 'added',
      additions: 2,
      deletions: 0,
      blobSha: git.git('rev-parse', 'feature:fresh ü #1.ts').trim(),
      patch: '@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file',
    });
    expect(byPath.get('gone.ts')).toMatchObject({
      change: 'deleted',
      deletions: 3,
      blobSha: git.git('rev-parse', 'main:gone.ts').trim(),
      patch: '@@ -1,3 +0,0 @@\n-gone 1\n-gone 2\n-gone 3',
    });
    expect(byPath.get('new-name.ts')).toMatchObject({
      change: 'renamed',
      previousPath: 'old-name.ts',
      additions: 1,
      deletions: 1,
    });
    expect(byPath.get('dir/moved.ts')).toMatchObject({ change: 'renamed', previousPath: 'moved.ts' });
    const moved = git.git('rev-parse', 'main:moved.ts').trim();
    expect(world.simulator.requests().filter(({ path }) => path.endsWith(moved))).toEqual([]);
    for (const path of ['dir/moved.ts', 'image.bin', 'big.txt'])
      expect(byPath.get(path)).not.toHaveProperty('patch');
  });

  it('have the hunks git prints', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, git } = world;
    const [file] = await provider.pullRequests.listChangedFiles(
      await provider.pullRequests.getPullRequest(ref),
    );
    const printed = git.git('diff', '--no-color', 'main', 'feature');
    const expected = parseHunks(printed.slice(printed.indexOf('@@ ')).trimEnd());
    expect(parseHunks(file?.patch ?? '').map((hunk) => hunk.lines)).toEqual(
      expected.map((hunk) => hunk.lines),
    );
  });

  it('that are submodules say which commits, and need no blob', async () => {
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
    await using world = await createAzureWorld({
      before: (git) => addSubmodule(git, one),
      after: (git) => addSubmodule(git, two),
    });
    const { provider, ref } = world;
    const files = await provider.pullRequests.listChangedFiles(
      await provider.pullRequests.getPullRequest(ref),
    );
    expect(files.find(({ path }) => path === 'lib')?.patch).toBe(
      `@@ -1 +1 @@\n-Subproject commit ${one}\n+Subproject commit ${two}`,
    );
  });

  it('are all listed when there are 2,500, over several pages', async () => {
    await using world = await createAzureWorld({
      after: (git) => {
        for (let index = 0; index < 2_499; index += 1) git.write(`many/${index}.txt`, `${index}\n`);
      },
    });
    const { provider, ref, simulator } = world;
    const pull = await provider.pullRequests.getPullRequest(ref);
    expect(pull.changedFiles).toBe(2_500);
    const pages = simulator.requests().filter((request) => request.path.endsWith('/changes'));
    expect(pages.map(({ query }) => new URLSearchParams(query).get('$skip'))).toEqual(['0', '2000']);
    const files = await provider.pullRequests.listChangedFiles(pull);
    expect(new Set(files.map(({ path }) => path)).size).toBe(2_500);
    expect(files.every(({ patch }) => patch !== undefined)).toBe(true);
  });

  it.each([
    ['empty although more is promised', 'empty-page', 0, 'page_empty'],
    ['the one before', 'repeat-page', 1, 'page_repeated'],
  ] as const)('are not taken from a page that is %s', async (_what, kind, skip, code) => {
    await using world = await createAzureWorld({
      after: (git) => {
        for (let index = 0; index < 30; index += 1) git.write(`many/${index}.txt`, `${index}\n`);
      },
      simulator: { limits: { maxChanges: 20 } },
    });
    const { provider, ref, simulator } = world;
    simulator.faults.next({ match: { path: '/changes' }, action: { kind }, skip, times: 3 });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'transient',
      code,
    });
    simulator.faults.clear();
    expect(await provider.pullRequests.getPullRequest(ref)).toMatchObject({ changedFiles: 31 });
  });
});

describe('files of a commit', () => {
  it('are found by path, told by kind, and read by hash up to a size', async () => {
    await using world = await createAzureWorld({
      before: (git) => addSubmodule(git, '1'.repeat(40)),
    });
    const { provider, ref, head, git } = world;
    const entry = await provider.snapshots.findEntry(ref, head, 'src/app.ts');
    expect(entry).toEqual({
      path: 'src/app.ts',
      kind: 'file',
      sha: git.git('rev-parse', 'feature:src/app.ts').trim(),
    });
    const bytes = await provider.snapshots.readBlob(ref, entry?.sha ?? '', 1000);
    expect(new TextDecoder().decode(bytes)).toContain('line ten and a half');
    await expect(provider.snapshots.readBlob(ref, entry?.sha ?? '', 10)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'blob_too_large',
    });
    expect(await provider.snapshots.findEntry(ref, head, 'src')).toMatchObject({ kind: 'directory' });
    expect(await provider.snapshots.findEntry(ref, head, 'lib')).toMatchObject({ kind: 'submodule' });
    expect(await provider.snapshots.findEntry(ref, head, 'none.ts')).toBeUndefined();
    await expect(provider.snapshots.findEntry(ref, '0'.repeat(40), 'src')).rejects.toMatchObject({
      code: 'not_found',
    });
    const tree = await provider.trees?.listTree(ref, head);
    expect(tree?.isComplete).toBe(true);
    expect(tree?.entries.map(({ path, kind }) => `${kind} ${path}`).toSorted()).toEqual([
      'directory src',
      'file src/app.ts',
      'submodule lib',
    ]);
  });

  it('come as a zip archive', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head } = world;
    const { body, format } = await provider.snapshots.openArchive(ref, head);
    expect(format).toBe('zip');
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(bytes.includes('src/app.ts')).toBe(true);
  });
});

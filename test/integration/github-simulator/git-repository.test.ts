import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGitError } from '../../../infra/local/simulators/git/git-error.ts';
import type { GitErrorCode } from '../../../infra/local/simulators/git/git-error.ts';
import { createSlots } from '../../../infra/local/simulators/git/git-runner.ts';
import type { GitRepository } from '../../../infra/local/simulators/git/open-repository.ts';
import { openRepository } from '../../../infra/local/simulators/git/open-repository.ts';
import type { TestRepository } from '../../support/git.ts';
import { createRepository } from '../../support/git.ts';

async function codeOf(promise: Promise<unknown>): Promise<[GitErrorCode, string]> {
  try {
    await promise;
  } catch (error) {
    if (isGitError(error)) return [error.code, error.message];
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('reading a local git repository', () => {
  let source: TestRepository;
  let git: GitRepository;
  let base: string;
  let head: string;
  beforeAll(async () => {
    source = createRepository();
    source.write('a.txt', 'one\ntwo\nthree\n');
    source.write('copied.txt', Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join(''));
    base = source.commit('Base');
    source.git('checkout', '-q', '-b', 'topic');
    source.write('a.txt', 'one\nTWO\nthree\n');
    source.write(
      'copied.txt',
      `${Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('')}end\n`,
    );
    source.write('copy.txt', Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join(''));
    head = source.commit('Head\n\nBody text');
    git = await openRepository(source.directory);
  });
  afterAll(() => {
    git.close();
    source.dispose();
  });

  it('says in one line what is wrong with a directory', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'no-repository-'));
    expect(await codeOf(openRepository(empty))).toEqual([
      'not_a_repository',
      `${empty} is not a git repository`,
    ]);
    rmSync(empty, { recursive: true });
    expect(await codeOf(openRepository(empty))).toEqual(['not_a_repository', `${empty} is not a directory`]);
    const file = join(source.directory, 'a.txt');
    expect(await codeOf(openRepository(file))).toEqual(['not_a_repository', `${file} is not a directory`]);
  });

  it.each([
    ['no-such-branch'],
    ['f'.repeat(40)],
    [''],
    ['--all'],
    ['main topic'],
    ['main\nHEAD'],
    ['HEAD:a.txt'],
    ['main..topic'],
  ])('says that the reference %j does not exist', async (revision) => {
    expect(await codeOf(git.resolveCommit(revision))).toEqual([
      'ref_not_found',
      `${JSON.stringify(revision)} does not exist in ${source.directory}`,
    ]);
  });

  it('resolves branches, tags, abbreviations and expressions', async () => {
    source.git('tag', '-a', '-m', 'x', 'v1', 'main');
    for (const [revision, expected] of [
      ['topic', head],
      ['refs/heads/topic', head],
      ['topic~1', base],
      ['v1', base],
      [head.slice(0, 9), head],
    ] as const) {
      expect(await git.resolveCommit(revision)).toBe(expected);
    }
  });

  it('reads commits, blobs and trees many at a time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const entry = index % 2 === 0 ? await git.findEntry(head, 'a.txt') : undefined;
        const blob = await git.readBlob(entry?.sha ?? (await git.findEntry(base, 'a.txt'))?.sha ?? '', 100);
        return blob.toString();
      }),
    );
    expect(answers).toEqual(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? 'one\nTWO\nthree\n' : 'one\ntwo\nthree\n',
      ),
    );
    expect(await git.readCommit(head)).toMatchObject({
      parents: [base],
      message: 'Head\n\nBody text',
      author: { name: 'Ada Author', email: 'ada@example.com', date: '2026-01-01T00:01:00Z' },
    });
  });

  it('reads binary and large blobs without loss', async () => {
    const bytes = Buffer.alloc(3_000_000, Buffer.from([0, 10, 13, 255]));
    source.write('large.bin', bytes);
    const commit = source.commit('Large');
    const entry = await git.findEntry(commit, 'large.bin');
    expect(entry?.size).toBe(3_000_000);
    expect((await git.readBlob(entry?.sha ?? '', 3_000_000)).equals(bytes)).toBe(true);
    expect((await codeOf(git.readBlob(entry?.sha ?? '', 2_999_999)))[0]).toBe('output_too_large');
    source.git('reset', '-q', '--hard', head);
  });

  it('answers undefined or a typed error for objects that are not there', async () => {
    expect(await git.objectInfo('0'.repeat(40))).toBeUndefined();
    // Only full names are objects: never an expression, never two requests in one.
    expect(await git.objectInfo('HEAD')).toBeUndefined();
    expect(await git.objectInfo(`${head}\n${base}`)).toBeUndefined();
    expect((await codeOf(git.readBlob(head, 1_000)))[0]).toBe('object_not_found');
    expect((await codeOf(git.readCommit('0'.repeat(40))))[0]).toBe('object_not_found');
    expect(await git.findEntry(head, 'no/such/path')).toBeUndefined();
  });

  it('counts and lists commits, and knows ancestors', async () => {
    expect(await git.listCommits(base, head, 0)).toEqual({ commits: [], total: 1 });
    expect((await git.listCommits(base, head, 9)).commits.map((commit) => commit.sha)).toEqual([head]);
    expect([await git.isAncestor(base, head), await git.isAncestor(head, base)]).toEqual([true, false]);
    expect(await git.mergeBase(base, head)).toBe(base);
  });

  it('says so when two histories have nothing in common', async () => {
    const tree = source.git('write-tree').trim();
    const orphan = source.git('commit-tree', tree, '-m', 'Orphan').trim();
    expect(await codeOf(git.mergeBase(orphan, head))).toEqual([
      'no_merge_base',
      `${orphan} and ${head} have no common ancestor`,
    ]);
  });

  it('calls a copy added, or copied when it is asked to look', async () => {
    const changes = async (repository: GitRepository) =>
      (await repository.changedFiles(base, head)).map((file) => [file.path, file.change, file.previousPath]);
    expect(await changes(git)).toEqual([
      ['a.txt', 'modified', undefined],
      ['copied.txt', 'modified', undefined],
      ['copy.txt', 'added', undefined],
    ]);
    const looking = await openRepository(source.directory, { changedFiles: { detectCopies: true } });
    expect(await changes(looking)).toContainEqual(['copy.txt', 'copied', 'copied.txt']);
    looking.close();
  });

  it('is not swayed by the settings and attributes of the working tree', async () => {
    const before = await git.changedFiles(base, head);
    source.git('config', 'diff.noprefix', 'true');
    source.git('config', 'diff.context', '0');
    source.git('config', 'diff.algorithm', 'patience');
    source.git('config', 'diff.external', 'false');
    source.git('config', 'color.ui', 'always');
    source.git('config', 'core.worktree', source.directory);
    source.write('.gitattributes', '*.txt -diff\n');
    const again = await openRepository(source.directory);
    expect(await again.changedFiles(base, head)).toEqual(before);
    expect(before[0]?.patch).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three');
    again.close();
    source.remove('.gitattributes');
    for (const name of [
      'diff.noprefix',
      'diff.context',
      'diff.algorithm',
      'diff.external',
      'color.ui',
      'core.worktree',
    ]) {
      source.git('config', '--unset', name);
    }
  });

  it('opens linked work trees, bare clones and directories inside', async () => {
    const place = mkdtempSync(join(tmpdir(), 'gatehouse-clones-'));
    source.git('worktree', 'add', '-q', '--detach', join(place, 'linked'), base);
    source.git('clone', '-q', '--bare', source.directory, join(place, 'bare.git'));
    for (const dir of [join(place, 'linked'), join(place, 'bare.git')]) {
      const opened = await openRepository(dir);
      expect(await opened.resolveCommit(head)).toBe(head);
      opened.close();
    }
    source.git('worktree', 'remove', '--force', join(place, 'linked'));
    rmSync(place, { recursive: true });
  });

  it('leaves no object behind in a trial merge', async () => {
    source.git('checkout', '-q', '-b', 'other', base);
    source.write('b.txt', 'another file\n');
    const other = source.commit('Other');
    source.git('checkout', '-q', 'topic');
    const count = () => source.git('count-objects');
    const before = count();
    expect(await git.mergesCleanly(other, head)).toBe(true);
    expect(count()).toBe(before);
  });

  it('works again after a reader was closed under it', async () => {
    const opened = await openRepository(source.directory);
    const entry = await opened.findEntry(head, 'a.txt');
    expect((await opened.readBlob(entry?.sha ?? '', 100)).length).toBe(14);
    opened.close();
    expect((await opened.readBlob(entry?.sha ?? '', 100)).length).toBe(14);
    opened.close();
  });
});

describe('slots', () => {
  it('let no more than their number run at once, in order, also after failures', async () => {
    const inSlot = createSlots(2);
    let running = 0;
    let most = 0;
    const started: number[] = [];
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        inSlot(async () => {
          started.push(index);
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          running -= 1;
          if (index % 3 === 0) throw new Error('no');
          return index;
        }),
      ),
    );
    expect([most, started]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(3);
  });
});

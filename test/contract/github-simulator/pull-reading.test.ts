import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import type { TestRepository } from '../../support/git.ts';
import {
  PULL,
  REPOSITORY,
  createSimulatorWorld,
  createWorldOf,
  numbered,
} from '../../fixtures/github/simulator-world.ts';

interface FileEntry {
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  patch?: string;
  previous_filename?: string;
}

describe('reading a simulated pull request', () => {
  let world: SimulatorWorld;
  beforeAll(async () => {
    world = await createSimulatorWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('answers mergeable null first, then what a trial merge says', async () => {
    await using fresh = await createSimulatorWorld();
    const first = await fresh.call('GET', PULL);
    const second = await fresh.call('GET', PULL);
    expect([first.body.mergeable, first.body.mergeable_state]).toEqual([null, 'unknown']);
    expect([second.body.mergeable, second.body.mergeable_state]).toEqual([true, 'clean']);
  });

  it('sees a conflict', async () => {
    await using conflicted = await createWorldOf({}, (repository) => {
      repository.write('a.txt', 'one\n');
      const base = repository.commit();
      repository.git('checkout', '-q', '-b', 'feature');
      repository.write('a.txt', 'two\n');
      const head = repository.commit();
      repository.git('checkout', '-q', 'main');
      repository.write('a.txt', 'three\n');
      repository.commit();
      return { base, head };
    });
    await conflicted.call('GET', PULL);
    expect((await conflicted.call('GET', PULL)).body.mergeable).toBe(false);
  });

  it('describes the pull request', async () => {
    const { body } = await world.call('GET', PULL);
    expect({
      number: body.number,
      title: body.title,
      state: body.state,
      draft: body.draft,
      author: body.user.login,
      base: [body.base.ref, body.base.sha, body.base.repo.id],
      head: [body.head.ref, body.head.sha, body.head.repo.id],
      counts: [body.changed_files, body.commits, body.additions, body.deletions],
    }).toEqual({
      number: 1,
      title: 'Change things',
      state: 'open',
      draft: false,
      author: 'author',
      base: ['main', world.base, 501],
      head: ['feature', world.head, 501],
      counts: [10, 1, 8, 8],
    });
    expect(body.id).toBeGreaterThan(2 ** 32);
  });

  it('lists every kind of change the way GitHub does', async () => {
    const { body } = await world.call('GET', `${PULL}/files?per_page=100`);
    const files: FileEntry[] = body;
    expect(files.map((file) => [file.filename, file.status, file.patch, file.previous_filename])).toEqual([
      ['config-link', 'changed', undefined, undefined],
      ['docs/ein Überblick #1.md', 'added', '@@ -0,0 +1,2 @@\n+alpha\n+beta', undefined],
      ['end.txt', 'modified', '@@ -1,2 +1,2 @@\n one\n-two\n+two\n\\ No newline at end of file', undefined],
      ['gone.txt', 'removed', '@@ -1,2 +0,0 @@\n-first\n-second', undefined],
      [
        'lib/moved.ts',
        'renamed',
        '@@ -13,7 +13,7 @@\n 212\n 213\n 214\n-215\n+changed\n 216\n 217\n 218',
        'src/moved.ts',
      ],
      ['picture.bin', 'modified', undefined, undefined],
      ['run.sh', 'modified', undefined, undefined],
      [
        'src/app.ts',
        'modified',
        '@@ -7,7 +7,8 @@\n 7\n 8\n 9\n-10\n+ten\n+ten and a half\n 11\n 12\n 13\n@@ -27,7 +28,6 @@\n 27\n 28\n 29\n-30\n 31\n 32\n 33',
        undefined,
      ],
      ['src/new-name.ts', 'renamed', undefined, 'src/old-name.ts'],
      [
        'vendor/lib',
        'modified',
        `@@ -1 +1 @@\n-Subproject commit ${'1'.repeat(40)}\n+Subproject commit ${'2'.repeat(40)}`,
        undefined,
      ],
    ]);
  });

  it('pages files with links that name the repository by its id', async () => {
    const first = await world.call('GET', `${PULL}/files?per_page=4`);
    expect(first.headers.get('link')).toBe(
      `<${world.simulator.apiUrl}/repositories/501/pulls/1/files?per_page=4&page=2>; rel="next", ` +
        `<${world.simulator.apiUrl}/repositories/501/pulls/1/files?per_page=4&page=3>; rel="last"`,
    );
    const seen: string[] = [];
    let path: string | undefined = `${PULL}/files?per_page=4`;
    let pages = 0;
    while (path !== undefined) {
      const answer = await world.call('GET', path);
      seen.push(...answer.body.map((file: FileEntry) => file.filename));
      pages += 1;
      const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      path = next?.slice(world.simulator.apiUrl.length);
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 10, 10]);
  });

  it('caps a page at 100 entries and stops listing at the file limit', async () => {
    await using many = await createWorldOf({ limits: { maxFiles: 120 } }, (repository) => {
      const base = repository.commit('Empty');
      repository.git('checkout', '-q', '-b', 'feature');
      for (let index = 0; index < 130; index += 1) repository.write(`f/${index}.txt`, `${index}\n`);
      return { base, head: repository.commit('Many') };
    });
    const sizes: number[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await many.call('GET', `${PULL}/files?per_page=500&page=${page}`);
      sizes.push(body.length);
    }
    expect(sizes).toEqual([100, 20, 0]);
    // The pull request itself tells the true number: the only way to notice.
    expect((await many.call('GET', PULL)).body.changed_files).toBe(130);
    const compared = await many.call('GET', `${REPOSITORY}/compare/main...feature`);
    expect(compared.body.files).toHaveLength(130);
  });

  it('leaves the patch out of a file over the limits, and keeps one right at them', async () => {
    const history = (size: number) => (repository: TestRepository) => {
      const base = repository.commit('Empty');
      repository.git('checkout', '-q', '-b', 'feature');
      repository.write('big.txt', numbered(size));
      return { base, head: repository.commit('Big') };
    };
    for (const [size, hasPatch] of [
      [99, true],
      [100, false],
    ] as const) {
      // A patch of n added lines has n + 1 lines: its hunk header counts.
      await using limited = await createWorldOf({ limits: { maxLines: 100 } }, history(size));
      const { body } = await limited.call('GET', `${PULL}/files`);
      expect([body[0].additions, 'patch' in body[0]]).toEqual([size, hasPatch]);
    }
    await using short = await createWorldOf({ limits: { maxBytes: 50 } }, history(40));
    expect((await short.call('GET', `${PULL}/files`)).body[0]).not.toHaveProperty('patch');
  });

  it('compares three dots, with status and counts', async () => {
    const ahead = await world.call('GET', `${REPOSITORY}/compare/${world.base}...${world.head}`);
    expect([ahead.body.status, ahead.body.ahead_by, ahead.body.merge_base_commit.sha]).toEqual([
      'ahead',
      1,
      world.base,
    ]);
    const behind = await world.call('GET', `${REPOSITORY}/compare/${world.head}...${world.base}`);
    expect([behind.body.status, behind.body.behind_by, behind.body.files]).toEqual(['behind', 1, []]);
    const same = await world.call('GET', `${REPOSITORY}/compare/main...main`);
    expect(same.body.status).toBe('identical');
    const gone = await world.call('GET', `${REPOSITORY}/compare/${'a'.repeat(40)}...main`);
    expect(gone.status).toBe(404);
    const second = await world.call('GET', `${REPOSITORY}/compare/main...feature?page=2`);
    expect(second.body.files).toEqual([]);
  });

  it('lists the commits of the pull request', async () => {
    const { body } = await world.call('GET', `${PULL}/commits`);
    expect(
      body.map((commit: { sha: string; commit: { message: string } }) => [commit.sha, commit.commit.message]),
    ).toEqual([[world.head, 'Head']]);
  });

  it('answers 404 for a pull request that does not exist', async () => {
    expect((await world.call('GET', `${REPOSITORY}/pulls/9`)).status).toBe(404);
    expect((await world.call('GET', `${REPOSITORY}/pulls/x`)).status).toBe(404);
  });

  it('shows forks, deleted forks and deleted accounts', async () => {
    await using forks = await createSimulatorWorld();
    const { simulator } = forks;
    await simulator.createPullRequest({
      base: 'main',
      head: 'feature',
      title: 'Fork',
      author: null,
      fork: { fullName: 'someone/shop', id: 77 },
    });
    await simulator.createPullRequest({
      base: 'main',
      head: 'feature',
      title: 'Lost fork',
      fork: { fullName: 'someone/shop', deleted: true },
      draft: true,
    });
    const fork = (await forks.call('GET', `${REPOSITORY}/pulls/2`)).body;
    expect([fork.user, fork.head.repo.id, fork.head.repo.fork, fork.head.label]).toEqual([
      null,
      77,
      true,
      'someone:feature',
    ]);
    const lost = (await forks.call('GET', `${REPOSITORY}/pulls/3`)).body;
    expect([lost.head.repo, lost.draft]).toEqual([null, true]);
    const open = await forks.call('GET', `${REPOSITORY}/pulls?state=open`);
    expect(open.body.map((pull: { number: number }) => pull.number)).toEqual([3, 2, 1]);
  });
});

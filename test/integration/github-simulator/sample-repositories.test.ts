import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createPlantedRepository } from '../../../infra/local/demo/planted-defects.ts';
import { matchingRules } from '../../../infra/local/demo/rule-examples.ts';
import { createSampleRepository } from '../../../infra/local/demo/sample-repository.ts';
import type { PlantedDefect } from '../../../infra/local/demo/sample-repository.ts';
import { sortDefects } from '../../../infra/local/demo/sample-repository.ts';
import { createSeededRandom } from '../../../infra/local/demo/seeded-random.ts';
import { openRepository } from '../../../infra/local/simulators/git/open-repository.ts';
import { parseHunks } from '../../../infra/local/simulators/git/hunks.ts';

/** What a reviewer of added lines finds in the real diff. */
async function findDefects(dir: string, base: string, head: string): Promise<PlantedDefect[]> {
  const git = await openRepository(dir);
  const files = await git.changedFiles(await git.resolveCommit(base), await git.resolveCommit(head));
  git.close();
  const found = files.flatMap(({ path, patch }) =>
    parseHunks(patch ?? '').flatMap((hunk) => {
      let line = hunk.newStart;
      return hunk.lines.flatMap((row) => {
        if (row.startsWith('-')) return [];
        const here = line++;
        if (!row.startsWith('+')) return [];
        return matchingRules(path, row.slice(1)).map(({ rule }) => ({ path, line: here, rule }));
      });
    }),
  );
  return sortDefects(found);
}

describe('the sample repository', () => {
  it('is the same everywhere, down to the commit', async () => {
    const sample = await createSampleRepository();
    const log = execFileSync('git', ['log', '--format=%H', sample.head], {
      cwd: sample.dir,
      encoding: 'utf8',
    });
    const changes = execFileSync('git', ['diff', '-M', '--name-status', sample.base, sample.head], {
      cwd: sample.dir,
      encoding: 'utf8',
    });
    await sample.dispose();
    expect(log.trim().split('\n')).toEqual([
      'af549e2177fb90c29378beb3406ac64ff6a0d5ef',
      'e55bbe08baea18af9c4ec192963f07ef823dfe95',
    ]);
    expect(
      changes
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('\t', ' ')),
    ).toEqual([
      'M CHANGELOG.md',
      'M README.md',
      'M config/default.json',
      'A docs/discounts.md',
      'M src/config.ts',
      'R086 src/http/fetch-json.ts src/http/request-json.ts',
      'A src/orders/discount.ts',
      'M src/orders/store.ts',
      'M src/orders/total.ts',
      'M src/payments/client.ts',
      'M src/server.ts',
      'A test/discount.test.ts',
      'M test/total.test.ts',
    ]);
  });

  it('plants one defect of each rule and nothing else that a reviewer finds', async () => {
    const sample = await createSampleRepository();
    const found = await findDefects(sample.dir, sample.base, sample.head);
    await sample.dispose();
    expect(found).toEqual(sample.planted);
    expect(found).toEqual([
      { path: 'CHANGELOG.md', line: 3, rule: 'conflict-marker' },
      { path: 'src/config.ts', line: 7, rule: 'committed-secret' },
      { path: 'src/orders/discount.ts', line: 7, rule: 'eval-of-input' },
      { path: 'src/orders/store.ts', line: 20, rule: 'empty-catch' },
      { path: 'src/orders/total.ts', line: 12, rule: 'leftover-debugger' },
      { path: 'src/payments/client.ts', line: 4, rule: 'tls-verification-off' },
      { path: 'test/discount.test.ts', line: 5, rule: 'focused-test' },
      { path: 'test/total.test.ts', line: 9, rule: 'disabled-test' },
    ]);
  });
});

describe('random repositories with planted defects', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'hold exactly what they say, and their twins nothing (seed %i)',
    async (seed) => {
      const repository = await createPlantedRepository({ random: createSeededRandom(seed) });
      const { dir, base, head, cleanHead, planted } = repository;
      const found = await findDefects(dir, base, head);
      const clean = await findDefects(dir, base, cleanHead);
      await repository.dispose();
      expect(found).toEqual(planted);
      expect(planted.length).toBeGreaterThan(0);
      expect(clean).toEqual([]);
    },
  );

  it('give the same commits for the same seed, and others for another', async () => {
    const heads: string[] = [];
    for (const seed of [5, 5, 6]) {
      const repository = await createPlantedRepository({ random: createSeededRandom(seed), files: 4 });
      heads.push(
        execFileSync('git', ['rev-parse', 'change'], { cwd: repository.dir, encoding: 'utf8' }).trim(),
      );
      await repository.dispose();
    }
    expect(heads[0]).toBe(heads[1]);
    expect(heads[0]).not.toBe(heads[2]);
  });

  it('can be large', async () => {
    const repository = await createPlantedRepository({
      random: createSeededRandom(3),
      files: 300,
      defects: 40,
    });
    const found = await findDefects(repository.dir, repository.base, repository.head);
    await repository.dispose();
    expect(found).toEqual(repository.planted);
    expect(found).toHaveLength(40);
  });
});

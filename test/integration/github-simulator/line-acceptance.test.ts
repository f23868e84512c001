import { execFileSync } from 'node:child_process';
import { parsePatch } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlantedRepository } from '../../../infra/local/demo/planted-defects.ts';
import { createSeededRandom } from '../../../infra/local/demo/seeded-random.ts';
import { startGitHubSimulator } from '../../../infra/local/simulators/github/start-github-simulator.ts';
import { resolveAnchor } from '../../../infra/local/simulators/github/state/anchors.ts';
import type { DiffSide } from '../../../infra/local/simulators/github/state/model.ts';

interface ShownLines {
  readonly LEFT: Map<number, number>;
  readonly RIGHT: Map<number, number>;
}

/** What `git diff` shows, read by another parser: path -> side -> line -> index of its hunk. */
function shownByGit(dir: string, base: string, head: string): Map<string, ShownLines> {
  const text = execFileSync('git', ['-c', 'core.quotePath=false', 'diff', '-M', '-U3', `${base}...${head}`], {
    cwd: dir,
    encoding: 'utf8',
  });
  const shown = new Map<string, ShownLines>();
  for (const file of parsePatch(text)) {
    const name = file.newFileName === '/dev/null' ? file.oldFileName : file.newFileName;
    const path = (name ?? '').replace(/^[ab]\//, '');
    const lines: ShownLines = { LEFT: new Map(), RIGHT: new Map() };
    file.hunks.forEach((hunk, index) => {
      let left = hunk.oldStart;
      let right = hunk.newStart;
      for (const line of hunk.lines) {
        if (line.startsWith('\\')) continue;
        if (!line.startsWith('+')) lines.LEFT.set(left++, index);
        if (!line.startsWith('-')) lines.RIGHT.set(right++, index);
      }
    });
    shown.set(path, lines);
  }
  return shown;
}

describe('the lines that take comments', () => {
  it('are exactly those that git shows, on both sides, in random repositories', async () => {
    let accepted = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_000_000 }), async (seed) => {
        const repository = await createPlantedRepository({ random: createSeededRandom(seed) });
        const simulator = await startGitHubSimulator({
          repositories: [{ dir: repository.dir, fullName: 'acme/random' }],
        });
        try {
          const pull = await simulator.createPullRequest({
            base: repository.base,
            head: repository.head,
            title: 'Random',
          });
          const shown = shownByGit(repository.dir, repository.base, repository.head);
          expect(shown.size).toBeGreaterThan(0);
          for (const [path, lines] of shown) {
            for (const side of ['LEFT', 'RIGHT'] as const) {
              const last = Math.max(0, ...lines.LEFT.keys(), ...lines.RIGHT.keys());
              for (let line = 0; line <= last + 5; line += 1) {
                const result = await resolveAnchor(pull, pull.headSha, { path, side, line });
                const isShown = lines[side].has(line);
                expect([path, side, line, result.ok]).toEqual([path, side, line, isShown]);
                if (isShown) accepted += 1;
                else refused += 1;
              }
            }
          }
        } finally {
          await simulator.stop();
          await repository.dispose();
        }
      }),
      { numRuns: 6 },
    );
    expect(accepted).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(200);
  });

  it('make ranges exactly where both ends stand in one hunk in order', async () => {
    const repository = await createPlantedRepository({ random: createSeededRandom(11), files: 6 });
    const simulator = await startGitHubSimulator({
      repositories: [{ dir: repository.dir, fullName: 'acme/random' }],
    });
    try {
      const pull = await simulator.createPullRequest({
        base: repository.base,
        head: repository.head,
        title: 'Random',
      });
      const shown = shownByGit(repository.dir, repository.base, repository.head);
      const paths = [...shown.keys()];
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...paths),
          fc.constantFrom<DiffSide>('LEFT', 'RIGHT'),
          fc.integer({ min: 1, max: 70 }),
          fc.integer({ min: 1, max: 70 }),
          async (path, side, startLine, line) => {
            const lines = shown.get(path)?.[side];
            const hunk = lines?.get(line);
            const isRange = startLine < line && hunk !== undefined && lines?.get(startLine) === hunk;
            const result = await resolveAnchor(pull, pull.headSha, { path, side, line, startLine });
            expect(result.ok).toBe(isRange);
            if (isRange) accepted += 1;
          },
        ),
        { numRuns: 600 },
      );
      expect(accepted).toBeGreaterThan(5);
    } finally {
      await simulator.stop();
      await repository.dispose();
    }
  });
});

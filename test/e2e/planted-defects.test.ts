import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlantedRepository, type PlantedRepository } from '../../infra/local/demo/planted-defects.ts';
import { createSeededRandom } from '../../infra/local/demo/seeded-random.ts';
import { startGitHubStack, type GitHubStack } from '../../infra/local/stack/github-stack.ts';
import { startLocalStack, type LocalStack } from '../../infra/local/stack/start-local-stack.ts';
import { QUICK_HOST } from './support/quick-host.ts';
import { reviewRange } from './support/review-range.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

let repositories: readonly PlantedRepository[];
let stack: LocalStack<GitHubStack>;

const nameOf = (seed: number): string => `acme/planted-${seed}`;

beforeAll(async () => {
  repositories = await Promise.all(
    SEEDS.map((seed) => createPlantedRepository({ random: createSeededRandom(seed) })),
  );
  stack = await startLocalStack({
    startProvider: startGitHubStack,
    repositories: repositories.map(({ dir }, index) => ({ dir, fullName: nameOf(SEEDS[index] ?? 0) })),
    model: { kind: 'offline' },
    hostJsonFile: QUICK_HOST,
  });
});

afterAll(async () => {
  await stack.stop();
  await Promise.all(repositories.map((repository) => repository.dispose()));
});

describe('every planted defect is posted on its line and nothing else is', () => {
  it.each(SEEDS)('seed %i, and its clean twin ends clean', async (seed) => {
    const repository = repositories[SEEDS.indexOf(seed)];
    if (repository === undefined) throw new Error('no repository for this seed');
    const range = { repository: nameOf(seed), base: repository.base };

    const planted = await reviewRange(stack, { ...range, head: repository.head });
    expect(planted.places).toEqual(repository.planted.map(({ path, line }) => `${path}:${line}`).toSorted());
    expect(planted.outcome).toBe('posted');

    const twin = await reviewRange(stack, { ...range, head: repository.cleanHead });
    expect({ outcome: twin.outcome, places: twin.places }).toEqual({ outcome: 'clean', places: [] });
  });
});

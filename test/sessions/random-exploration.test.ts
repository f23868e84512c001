import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { RECIPES } from './recipes.ts';
import { runChild } from './run-child.ts';

const RUNS = 20_000;
const PROCESSES = 2;
/** `EXPLORE_SEED=<n>` explores other runs; a failure names the seed that repeats it. */
const SEED = Number(process.env['EXPLORE_SEED'] ?? 20_261_130);
const LEAST_HITS = 100;

const Result = z.object({
  runs: z.number(),
  steps: z.number(),
  hits: z.record(z.string(), z.number()),
  failure: z.unknown().optional(),
});

it(
  `keeps every promise in ${RUNS} random runs, with a crash at every step`,
  { timeout: 180_000 },
  async () => {
    const program = fileURLToPath(new URL('explore-random-main.ts', import.meta.url));
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, (_, n) => runChild(program, [`${RUNS / PROCESSES}`, `${SEED + n}`])),
    );
    const results = outputs.map(([line]) => Result.parse(line));
    for (const [n, { failure }] of results.entries()) {
      expect(failure, `seed ${SEED + n}: ${JSON.stringify(failure, null, 1)}`).toBeUndefined();
    }

    const crashes = Object.keys(RECIPES).flatMap((step) => [`${step} crash-before`, `${step} crash-after`]);
    const counts = crashes.map((point) => {
      const count = results.reduce((sum, { hits }) => sum + (hits[point] ?? 0), 0);
      return { point, count };
    });
    const runs = results.reduce((sum, result) => sum + result.runs, 0);
    const steps = results.reduce((sum, result) => sum + result.steps, 0);
    process.stdout.write(
      `random exploration: seed ${SEED}, ${runs} runs, ${steps} steps; crashes: ${counts
        .toSorted((a, b) => a.count - b.count)
        .map(({ point, count }) => `${point} ${count}`)
        .join(', ')}\n`,
    );
    expect(runs).toBe(RUNS);
    expect(counts.filter(({ count }) => count < LEAST_HITS)).toEqual([]);
  },
);

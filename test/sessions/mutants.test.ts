import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MUTANTS } from './mutants/mutants.ts';
import { runChild } from './run-child.ts';
import { INVARIANTS } from './sim/violation.ts';

const PROCESSES = 2;
const Result = z.object({
  name: z.string(),
  foundBy: z.string(),
  violation: z.object({ invariant: z.enum(INVARIANTS), detail: z.string() }).optional(),
});

describe('every mistake in the protocol breaks a promise that is watched', () => {
  const results = new Map<string, z.infer<typeof Result>>();

  beforeAll(async () => {
    const program = fileURLToPath(new URL('mutants/run-mutants.ts', import.meta.url));
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, (_, n) => runChild(program, [`${n}`, `${PROCESSES}`])),
    );
    for (const line of outputs.flat()) {
      const result = Result.parse(line);
      results.set(result.name, result);
      process.stdout.write(
        `mutant killed: ${result.name}: ${result.violation?.invariant} (${result.foundBy})\n`,
      );
    }
  }, 180_000);

  it.each(MUTANTS)('$name', ({ name, killedBy }) => {
    const result = results.get(name);
    expect(result?.violation, 'the mutant survived').toBeDefined();
    expect(killedBy).toContain(result?.violation?.invariant);
  });
});

import { DIRECTED, runDirected } from '../directed.ts';
import { exploreRandom } from '../explore-random.ts';
import type { Protocol } from '../sim/protocol.ts';
import type { Violation } from '../sim/violation.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { loadPatched } from './patched-protocol.ts';

/** What became of one mutant. */
export interface MutantResult {
  readonly name: string;
  readonly violation: Violation | undefined;
  /** `directed: <name>` or `random run <n>`. */
  readonly foundBy: string;
  readonly ms: number;
}

const MAX_RANDOM_RUNS = 4_000;
const SEED = 20_261_130;

async function explore(protocol: Protocol): Promise<Omit<MutantResult, 'name' | 'ms'>> {
  for (const directed of DIRECTED) {
    const { violation } = await runDirected(protocol, directed);
    if (violation !== undefined) return { violation, foundBy: `directed: ${directed.name}` };
  }
  const { failure, runs } = await exploreRandom(protocol, {
    runs: MAX_RANDOM_RUNS,
    seed: SEED,
    shrink: false,
  });
  return { violation: failure?.violation, foundBy: `random run ${runs}` };
}

async function run(mutant: Mutant): Promise<MutantResult> {
  const startedAt = performance.now();
  const patched = await loadPatched(mutant);
  try {
    const result = await explore(patched.protocol);
    return { name: mutant.name, ...result, ms: Math.round(performance.now() - startedAt) };
  } finally {
    await patched.dispose();
  }
}

// One process for every `of`-th mutant: a patched copy of the modules must not meet the transforms of a test runner.
const [index = '0', of = '1'] = process.argv.slice(2);
for (const [n, mutant] of MUTANTS.entries()) {
  if (n % Number(of) !== Number(index)) continue;
  process.stdout.write(`${JSON.stringify(await run(mutant))}\n`);
}

import { PROJECT_ROOT, runTool, type ToolRun } from './run/run-tool.ts';

const HELP = `npm run check [-- --json]

Checks types (tsc), lint (oxlint, type-aware), format (prettier) and structure (test/architecture).
Prints what failed and a table with times; exit code 0 when all is good, 1 when anything failed.

  --json   one JSON object {"ok", "checks": [{"name", "ok", "ms"}]} as the last line
`;

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

interface Checked extends Check {
  readonly run: ToolRun;
}

const CHECKS: readonly Check[] = [
  { name: 'structure', command: 'vitest', args: ['run', 'test/architecture', '--reporter=dot'] },
  {
    name: 'format',
    command: 'prettier',
    args: ['--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.'],
  },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['--project', PROJECT_ROOT] },
];

/** More at once only makes each of them slower: two cores is what a small build machine has. */
const AT_ONCE = 2;

async function runChecks(): Promise<readonly Checked[]> {
  const waiting = [...CHECKS];
  const done: Checked[] = [];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      done.push({ ...check, run: await runTool(check.command, check.args, { collect: true }) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return CHECKS.flatMap(({ name }) => done.filter((checked) => checked.name === name));
}

function table(checks: readonly Checked[], totalMs: number): string {
  const failed = checks.filter(({ run }) => run.exitCode !== 0).length;
  return [
    ...checks.map(({ name, run }) => row(name, run.exitCode === 0 ? 'ok' : 'FAILED', run.ms)),
    row('check', failed === 0 ? 'ok' : 'FAILED', totalMs),
  ].join('\n');
}

function row(name: string, result: string, ms: number): string {
  return `${name.padEnd(10)} ${result.padEnd(7)} ${(ms / 1000).toFixed(1).padStart(6)} s`;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) {
    process.stderr.write(`unknown option ${unknown}\n${HELP}`);
    return 2;
  }
  const startedAt = performance.now();
  const checks = await runChecks();
  const isGood = checks.every(({ run }) => run.exitCode === 0);
  for (const { name, run } of checks) {
    if (run.exitCode !== 0) process.stderr.write(`--- ${name} ---\n${run.output.trimEnd()}\n`);
  }
  if (args.includes('--json')) {
    const figures = checks.map(({ name, run }) => ({
      name,
      ok: run.exitCode === 0,
      ms: Math.round(run.ms),
    }));
    process.stdout.write(`${JSON.stringify({ ok: isGood, checks: figures })}\n`);
  } else {
    process.stdout.write(`${table(checks, performance.now() - startedAt)}\n`);
  }
  return isGood ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));

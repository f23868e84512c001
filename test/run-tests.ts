import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests, totalsLine } from './run/count-tests.ts';
import { runTool } from './run/run-tool.ts';

const HELP = `npm test [-- <path filters and vitest options>]

Runs every test that needs no network beyond loopback: all of test/ except test/bench and test/chaos.

  npm test                                   everything
  npm test -- test/unit/diff                 one folder
  npm test -- test/unit/diff -t "renamed"    tests by name

The last line is "N passed, N failed". Exit code 0 when at least one test ran and none failed, else 1.
`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tests-'));
  try {
    const reportFile = join(folder, 'report.json');
    const { exitCode } = await runTool('vitest', [
      'run',
      '--exclude=test/bench/**',
      '--exclude=test/chaos/**',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...args,
    ]);
    const totals = countTests(await readFile(reportFile, 'utf8').catch(() => ''), exitCode);
    process.stdout.write(`${totalsLine(totals)}\n`);
    return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureRoot, spawnFixture } from './fixture-host.ts';

const main = fileURLToPath(new URL('../../../infra/local/host/main.ts', import.meta.url));
const scratch = await mkdtemp(path.join(tmpdir(), 'local-host-test-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function run(args: readonly string[], env: Record<string, string> = {}) {
  // A piped stdin: a host that wrongly starts ends with this process.
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
const runFixture = (entry: string, env: Record<string, string> = {}) =>
  run(['--app-root', fixtureRoot, '--entry', entry], env);

describe.concurrent('the command', () => {
  it('prints its help', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--app-root DIR');
  });

  it.each([
    [['--port', 'x'], '--port must be a number'],
    [['--nonsense'], "Unknown option '--nonsense'"],
    [['--app-root', path.join(scratch, 'missing')], 'host.json cannot be read'],
  ])('refuses %j with exit code 2', async (args, reason) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('    at ');
  });

  it('says "0 functions" when package.json or its main is missing', async () => {
    await writeFile(path.join(scratch, 'host.json'), '{}');
    expect((await run(['--app-root', scratch])).stderr).toMatch(
      /^local host: 0 functions: .*package\.json cannot be read/,
    );
    await writeFile(path.join(scratch, 'package.json'), '{"type":"module"}');
    expect((await run(['--app-root', scratch])).stderr).toMatch(/^local host: 0 functions: .*has no "main"/);
  });
});

describe.concurrent('an app is refused with exit code 2', () => {
  it('when a file throws while it is loaded', async () => {
    const { code, stderr } = await runFixture('refused/throws.ts');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'entry point "refused/throws.ts" failed while it was loaded: Error: planned import failure',
    );
  });

  it('when no file matches', async () => {
    const { code, stderr } = await runFixture('refused/none-*.ts');
    expect(code).toBe(2);
    expect(stderr).toContain('0 functions: no file matches the entry point "refused/none-*.ts"');
  });

  it.each<[string, [string, string, string[]][], string]>([
    [
      'a catch-all that is not last',
      [['f', 'a/{*rest}/b', ['GET']]],
      'function "f": route "a/{*rest}/b": catch-all',
    ],
    ['a parameter name used twice', [['f', 'a/{b}/{b}', ['GET']]], 'parameter "b" occurs twice'],
    ['a leading slash', [['f', '/a', ['GET']]], 'a route may not start with "/"'],
    ['a route of the host', [['f', 'admin/x', ['GET']]], 'belong to the host'],
    ['another route of the host', [['f', 'runtime/x', ['GET']]], 'belong to the host'],
    ['a constraint that is not known', [['f', 'a/{b:regex(x)}', ['GET']]], 'constraint "regex(x)"'],
    [
      'a name used twice',
      [
        ['f', 'a', ['GET']],
        ['f', 'b', ['GET']],
      ],
      'A function with id "f" has already been registered.',
    ],
    [
      'one route for two functions',
      [
        ['f', 'a/{b}', ['GET', 'POST']],
        ['g', 'a/{b}', ['POST']],
      ],
      'functions "f" and "g" have the same route "a/{b}" and a method in common',
    ],
    [
      'an order of routes that Azure does not keep',
      [
        ['a', 'x/{b}', ['GET']],
        ['b', 'x/y', ['GET']],
      ],
      'would always run "a"',
    ],
  ])('for %s', async (_, functions, reason) => {
    const { code, stderr } = await runFixture('refused/from-environment.ts', {
      FUNCTIONS: JSON.stringify(functions),
    });
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  it('for a trigger that is not imitated', async () => {
    const { code, stderr } = await runFixture('refused/blob.ts');
    expect([code, stderr]).toEqual([
      2,
      'local host: function "blob": trigger "blobTrigger" is not implemented by the local host\n',
    ]);
  });

  it('for a connection that is not set', async () => {
    const { code, stderr } = await runFixture('queues/*.ts', { JOBS_QUEUE: 'jobs' });
    expect(code).toBe(2);
    expect(stderr).toContain('connection "JOBS_STORAGE": set JOBS_STORAGE');
  });

  it('for a connection string that is none, without repeating it', async () => {
    const { code, stderr } = await runFixture('queues/*.ts', {
      JOBS_QUEUE: 'jobs',
      JOBS_STORAGE: 'AccountKey=c2VjcmV0',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('setting "JOBS_STORAGE" is no storage connection string');
    expect(stderr).not.toContain('c2VjcmV0');
  });

  it('and the parent learns why', async () => {
    await expect(spawnFixture({ entry: 'refused/throws.ts' })).rejects.toThrow(
      /code 2[^]*planned import failure/,
    );
  });
});

describe('an app without functions', () => {
  it('starts, says so and answers 404', async () => {
    const host = await spawnFixture({ entry: 'refused/empty.ts' });
    expect(host.functions).toEqual([]);
    expect(host.logs.find(({ level }) => level === 'warning')?.message).toMatch(/^0 functions: /);
    expect((await fetch(host.url)).status).toBe(404);
    await host.stop();
  });
});

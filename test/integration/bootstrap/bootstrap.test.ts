import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PACKAGE_LOCK = {
  name: 'clone',
  lockfileVersion: 3,
  packages: { '': {}, 'node_modules/a': { version: '1.0.0' } },
};

/** Stands in for npm: takes a moment, fails when it runs beside itself, leaves what npm leaves. */
const FAKE_NPM = `#!/bin/sh
echo "$@" >> "$CLONE/npm-calls"
mkdir "$CLONE/npm-is-running" || { echo overlap >> "$CLONE/npm-calls"; exit 9; }
sleep 0.3
rm -rf "$CLONE/node_modules"
mkdir -p "$CLONE/node_modules/node/bin"
ln -s "$REAL_NODE" "$CLONE/node_modules/node/bin/node"
rmdir "$CLONE/npm-is-running"
if [ -n "$NPM_FAILS" ]; then echo "registry says no"; exit 7; fi
`;

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('bootstrap', () => {
  let clone: string;

  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), 'bootstrap-'));
    await mkdir(join(clone, 'infra/local'), { recursive: true });
    await cp('infra/local/bootstrap.mjs', join(clone, 'infra/local/bootstrap.mjs'));
    await cp('infra/local/bootstrap', join(clone, 'infra/local/bootstrap'), { recursive: true });
    await mkdir(join(clone, 'bin'));
    await writeFile(join(clone, 'bin/npm'), FAKE_NPM, { mode: 0o755 });
    await writeFile(join(clone, 'package-lock.json'), JSON.stringify(PACKAGE_LOCK));
    await writeFile(join(clone, 'package.json'), '{"type":"module"}');
    await writeFile(
      join(clone, 'script.ts'),
      'const args: string[] = process.argv.slice(2);\nconsole.log(JSON.stringify({ args, node: process.execPath }));\nprocess.exit(args.length);\n',
    );
  });

  afterEach(async () => {
    await rm(clone, { recursive: true, force: true });
  });

  function start(args: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['infra/local/bootstrap.mjs', ...args], {
      cwd: clone,
      env: { PATH: `${join(clone, 'bin')}:/usr/bin:/bin`, CLONE: clone, REAL_NODE: process.execPath, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const finished = new Promise<Finished>((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
    return { child, finished, output: () => stdout };
  }

  const npmCalls = async (): Promise<string[]> =>
    (await readFile(join(clone, 'npm-calls'), 'utf8')).trim().split('\n');

  it('installs first, runs the script on the installed Node and returns its exit code', async () => {
    const { code, stdout, stderr } = await start(['script.ts', 'one', 'two words', '--three']).finished;
    expect(JSON.parse(stdout)).toEqual({ args: ['one', 'two words', '--three'], node: process.execPath });
    expect(code).toBe(3);
    expect(stderr).toContain('installing dependencies');
    expect(await npmCalls()).toEqual(['ci --include=dev --no-audit --no-fund --loglevel=warn']);
  });

  it('does not install again while the lock file is the same, and does when it changed', async () => {
    await start(['script.ts']).finished;
    const second = await start(['script.ts']).finished;
    expect(second.stderr).toBe('');
    expect(await npmCalls()).toHaveLength(1);
    await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ ...PACKAGE_LOCK, changed: true }));
    await start(['script.ts']).finished;
    expect(await npmCalls()).toHaveLength(2);
  });

  it('keeps a node_modules that npm filled by itself with the same versions, and replaces one that differs', async () => {
    const listing = join(clone, 'node_modules/.package-lock.json');
    await mkdir(join(clone, 'node_modules'), { recursive: true });
    await writeFile(listing, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
    expect(await start(['script.ts']).finished).toMatchObject({ code: 0, stderr: '' });
    await writeFile(listing, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.1' } } }));
    expect((await start(['script.ts']).finished).stderr).toContain('installing dependencies');
    expect(await npmCalls()).toHaveLength(1);
  });

  it('installs once when several commands start at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => start(['script.ts']).finished));
    expect(runs.map((run) => run.code)).toEqual([0, 0, 0, 0]);
    expect(await npmCalls()).toEqual(['ci --include=dev --no-audit --no-fund --loglevel=warn']);
    expect(await readdir(join(clone, '.local'))).toEqual([]);
  });

  it('takes over the lock of a process that died while it installed', async () => {
    const dead = await start(['script.ts']).finished;
    expect(dead.code).toBe(0);
    await rm(join(clone, 'node_modules'), { recursive: true });
    await mkdir(join(clone, '.local/install.lock'), { recursive: true });
    const gone = spawn('true');
    await new Promise((resolve) => gone.on('close', resolve));
    await writeFile(
      join(clone, '.local/install.lock/owner.json'),
      JSON.stringify({ pid: gone.pid, token: 'old' }),
    );
    const runs = await Promise.all([start(['script.ts']).finished, start(['script.ts']).finished]);
    expect(runs.map((run) => run.code)).toEqual([0, 0]);
    expect(await npmCalls()).toHaveLength(2);
  });

  it('shows what npm said and one line of advice when npm fails, and does not run the script', async () => {
    const { code, stdout, stderr } = await start(['script.ts'], { NPM_FAILS: '1' }).finished;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('registry says no');
    expect(stderr.trim().split('\n').at(-1)).toBe(
      'gatehouse: npm ci failed (exit code 7, its output is above); check that the package registry can be reached, then run the same command again',
    );
  });

  it('says so when npm itself is missing', async () => {
    await rm(join(clone, 'bin/npm'));
    const { code, stderr } = await start(['script.ts'], { PATH: join(clone, 'bin') }).finished;
    expect(code).toBe(2);
    expect(stderr).toContain('npm ci failed (exit code 127');
  });

  it('passes SIGTERM on to the script and reports its own exit code', async () => {
    await writeFile(
      join(clone, 'wait.ts'),
      "process.on('SIGTERM', () => process.exit(5));\nsetInterval(() => {}, 1000);\nconsole.log('ready');\n",
    );
    const run = start(['wait.ts']);
    await expect.poll(() => run.output(), { timeout: 20_000 }).toBe('ready\n');
    run.child.kill('SIGTERM');
    expect((await run.finished).code).toBe(5);
  });

  it('answers a missing script with the usage and exit code 2', async () => {
    const { code, stderr } = await start([]).finished;
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'gatehouse: usage: node infra/local/bootstrap.mjs <script.ts> [arguments...]\n',
    });
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fixtureRoot, spawnFixture, userLogs } from './fixture-host.ts';
import { isAlive, waitUntil } from './wait-until.ts';

describe('a spawned host', () => {
  it('answers running requests before it stops and takes no new ones', async () => {
    const host = await spawnFixture();
    const slow = fetch(`${host.url}/slow?ms=700`);
    await waitUntil('the call to begin', () => host.logs.some(({ functionName }) => functionName === 'slow'));
    const stopped = host.stop();
    await waitUntil('the listener to close', () =>
      fetch(`${host.url}/status/200`).then(
        () => false,
        () => true,
      ),
    );
    expect(await (await slow).text()).toBe('slow');
    await stopped;
    expect(userLogs(host)).toContain('slow is done');
    expect(isAlive(host.pid)).toBe(false);
    await host.stop();
  });

  it('sees exactly the given environment and PATH', async () => {
    process.env['LEAKED_SETTING'] = 'x';
    const host = await spawnFixture({
      entry: 'refused/from-environment.ts',
      env: { FUNCTIONS: '[["given","given",["GET"]]]' },
    });
    delete process.env['LEAKED_SETTING'];
    const environment = await readFile(`/proc/${host.pid}/environ`, 'utf8');
    const names = environment.split('\0').map((pair) => pair.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['FUNCTIONS', 'PATH', '']));
    await host.stop();
  });

  it('reports only what is asked for', async () => {
    const host = await spawnFixture({ logLevel: 'warning' });
    await fetch(`${host.url}/status/200`);
    await fetch(`${host.url}/throws`);
    await waitUntil('the error', () => host.logs.some(({ level }) => level === 'error'));
    expect(host.logs.map(({ functionName, level }) => [functionName, level])).toEqual([['throws', 'error']]);
    await host.kill();
    await host.exited;
  });

  it('ends when its parent is killed', async () => {
    const source = new URL('../../../infra/local/host/spawn-host.ts', import.meta.url).href;
    const script = `const { spawnLocalHost } = await import('${source}');
      const host = await spawnLocalHost({ appRoot: ${JSON.stringify(fixtureRoot)}, env: {} });
      console.log(host.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line]: unknown[] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitUntil('the orphan to end', () => !isAlive(pid));
  });
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnFixture, userLogs } from './fixture-host.ts';
import { waitUntil } from './wait-until.ts';

const stateDir = await mkdtemp(path.join(tmpdir(), 'local-host-timers-'));
afterAll(() => rm(stateDir, { recursive: true, force: true }));

const spawnTimers = (NIGHTLY: string, timerStateDir?: string) =>
  spawnFixture({
    entry: 'timers/*.ts',
    env: { NIGHTLY },
    ...(timerStateDir === undefined ? {} : { timerStateDir }),
  });

describe('a timer function', () => {
  it('runs at the start where it asks for it, by name, and tells when it fails', async () => {
    const host = await spawnTimers('0 0 3 1 1 *');
    await waitUntil('runOnStartup', () => userLogs(host).some((line) => line.startsWith('at-start ')));
    await host.invoke('nightly');
    const line = await waitUntil('the run', () => userLogs(host).find((text) => text.startsWith('nightly ')));
    expect(JSON.parse(line.slice('nightly '.length))).toEqual({
      isPastDue: false,
      schedule: { adjustForDST: true },
      scheduleStatus: null,
    });
    await expect(host.invoke('failing')).rejects.toThrow('ended with 500');
    await expect(host.invoke('missing')).rejects.toThrow('ended with 404');
    await host.stop();
    expect(userLogs(host).filter((text) => text.startsWith('at-start ')).length).toBe(1);
  });

  it("is started through the real host's admin route, which answers at once", async () => {
    const host = await spawnTimers('0 0 3 1 1 *');
    const start = (init: RequestInit) =>
      fetch(`${host.url}/admin/functions/Nightly`, { method: 'POST', ...init });
    const headers = { 'x-functions-key': host.keys.master };
    expect((await start({ body: '{}' })).status).toBe(401);
    expect((await start({ headers, body: 'no json' })).status).toBe(400);
    expect((await start({ headers, body: '{"input":""}' })).status).toBe(202);
    await waitUntil('the run', () => userLogs(host).some((line) => line.startsWith('nightly ')));
    await host.stop();
  });

  it('runs by its schedule', async () => {
    const host = await spawnTimers('*/1 * * * * *');
    const runs = () => userLogs(host).filter((line) => line.startsWith('nightly ')).length;
    await waitUntil('two runs', () => runs() >= 2);
    await host.stop();
    expect(runs()).toBeLessThan(5);
  });

  it('makes up for a run that was missed while the host was down', async () => {
    const first = await spawnTimers('0 0 3 1 1 *', stateDir);
    const file = path.join(stateDir, 'nightly.timer.json');
    await waitUntil('the status', () => readFile(file, 'utf8').catch(() => undefined));
    await first.stop();
    expect(userLogs(first).filter((line) => line.startsWith('nightly '))).toEqual([]);
    const missed = {
      Last: '2020-01-01T03:00:00.000Z',
      Next: '2021-01-01T03:00:00.000Z',
      LastUpdated: '2020-01-01T03:00:00.000Z',
    };
    await writeFile(file, JSON.stringify(missed));
    const second = await spawnTimers('0 0 3 1 1 *', stateDir);
    const line = await waitUntil('the run', () =>
      userLogs(second).find((text) => text.startsWith('nightly ')),
    );
    expect(JSON.parse(line.slice('nightly '.length))).toMatchObject({
      isPastDue: true,
      scheduleStatus: { next: '2021-01-01T03:00:00.000Z' },
    });
    await second.stop();
  });
});

import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { HostLogEntry } from '../../../infra/local/host/host-log.ts';
import { startLocalHost } from '../../../infra/local/host/start-local-host.ts';

const appRoot = fileURLToPath(new URL('../../fixtures/host-app', import.meta.url));
const logs: HostLogEntry[] = [];
const host = await startLocalHost({
  appRoot,
  entry: 'timers/*.ts',
  environment: { NIGHTLY: '0 0 3 1 1 *' },
  onLog: (entry) => logs.push(entry),
});
afterAll(() => host.stop());

describe('startLocalHost', () => {
  it('runs timers by name and reports to the sink', async () => {
    await host.invokeTimer('nightly');
    expect(
      logs.filter(({ category, message }) => category === 'user' && message.startsWith('nightly ')).length,
    ).toBe(1);
    await expect(host.invokeTimer('failing')).rejects.toThrow('planned failure');
    await expect(host.invokeTimer('missing')).rejects.toThrow('no timer function "missing"');
    expect(host.functions.map(({ name }) => name)).toEqual(['nightly', 'at-start', 'failing']);
  });

  it('can be started once in a process', async () => {
    await expect(startLocalHost({ appRoot, entry: 'timers/*.ts' })).rejects.toThrow(
      'already started in this process',
    );
  });
});

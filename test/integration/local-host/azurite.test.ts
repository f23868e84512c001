import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TableClient } from '@azure/data-tables';
import { QueueServiceClient } from '@azure/storage-queue';
import { afterAll, describe, expect, it } from 'vitest';
import { startAzurite } from '../../../infra/local/azurite.ts';
import { isAlive, waitUntil } from './wait-until.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'azurite-test-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('startAzurite', () => {
  it('serves queues and tables and keeps them on disk over a restart on the same ports', async () => {
    const first = await startAzurite({ dataDir });
    const queue = QueueServiceClient.fromConnectionString(first.connectionString).getQueueClient('kept');
    const table = TableClient.fromConnectionString(first.connectionString, 'kept', {
      allowInsecureConnection: true,
    });
    await queue.create();
    await queue.sendMessage('body');
    await table.createTable();
    await table.createEntity({ partitionKey: 'p', rowKey: 'r', value: 'row' });
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await startAzurite({ dataDir, queuePort: first.queuePort, tablePort: first.tablePort });
    expect([second.queueUrl, second.tableUrl]).toEqual([first.queueUrl, first.tableUrl]);
    const { peekedMessageItems } = await queue.peekMessages();
    expect(peekedMessageItems.map(({ messageText }) => messageText)).toEqual(['body']);
    expect(await table.getEntity('p', 'r')).toMatchObject({ value: 'row' });
    await second.kill();
    await second.stop();
    expect(isAlive(second.pid)).toBe(false);
  });

  it('ends when its parent is killed', async () => {
    const source = new URL('../../../infra/local/azurite.ts', import.meta.url).href;
    const script = `const { startAzurite } = await import('${source}'); console.log((await startAzurite()).pid);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line]: unknown[] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await waitUntil('the orphan to end', () => !isAlive(pid));
  });

  it('says why it does not start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const queuePort = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startAzurite({ queuePort })).rejects.toThrow(
      /ended before it listened \(code 1\).*EADDRINUSE/s,
    );
    taken.close();
    await expect(startAzurite({ dataDir, inMemory: true })).rejects.toThrow('either dataDir');
    await expect(startAzurite({ inMemory: false })).rejects.toThrow('either dataDir');
  });
});

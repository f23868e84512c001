import path from 'node:path';
import { QueueServiceClient } from '@azure/storage-queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAzurite, type Azurite } from '../../../infra/local/azurite.ts';
import { createQueues } from '../../../infra/local/host/create-queues.ts';
import type { SpawnedHost } from '../../../infra/local/host/spawn-host.ts';
import { fixtureRoot, spawnFixture, userLogs } from './fixture-host.ts';
import { waitUntil } from './wait-until.ts';

let azurite: Azurite;
let service: QueueServiceClient;
const hosts: SpawnedHost[] = [];
beforeAll(async () => {
  azurite = await startAzurite();
  service = QueueServiceClient.fromConnectionString(azurite.connectionString);
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.kill()));
  await azurite.stop();
});

const encode = (body: unknown) => Buffer.from(JSON.stringify(body)).toString('base64');
const send = (queue: string, body: unknown) => service.getQueueClient(queue).sendMessage(encode(body));

interface WorkerOptions {
  readonly hostJson?: string;
  readonly entry?: string;
  readonly create?: boolean;
}

/** A host whose function `jobs` listens to `queue`, which no other test uses. */
async function spawnWorker(queue: string, options: WorkerOptions = {}): Promise<SpawnedHost> {
  if (options.create !== false) await createQueues(azurite.connectionString, [queue]);
  const host = await spawnFixture({
    entry: options.entry ?? 'queues/jobs.ts',
    env: { JOBS_QUEUE: queue, JOBS_STORAGE: azurite.connectionString },
    hostJsonFile: path.join(fixtureRoot, options.hostJson ?? 'host.json'),
    messageVisibilitySeconds: 3,
  });
  hosts.push(host);
  return host;
}

/** Everything in a queue, hidden messages included, as the service counts it. */
async function countMessages(queue: string): Promise<number> {
  return (await service.getQueueClient(queue).getProperties()).approximateMessagesCount ?? -1;
}

const begun = (host: SpawnedHost, id: string) =>
  userLogs(host).filter((line) => line.startsWith(`begin ${id} `));
const ended = (host: SpawnedHost, id: string) => userLogs(host).filter((line) => line === `end ${id}`);

describe.concurrent('a queue function', () => {
  it('gets the message and its metadata once; success deletes it', async () => {
    const host = await spawnWorker('success');
    const sent = await send('success', { id: 'a' });
    await waitUntil('the queue to be empty', async () => (await countMessages('success')) === 0);
    await waitUntil('the log', () => ended(host, 'a').length > 0);
    expect(begun(host, 'a').length).toBe(1);
    const metadata: unknown = JSON.parse(begun(host, 'a')[0]?.slice('begin a '.length) ?? '');
    expect(metadata).toMatchObject({
      queueTrigger: { id: 'a' },
      dequeueCount: 1,
      id: sent.messageId,
      insertionTime: sent.insertedOn.toISOString(),
      expirationTime: sent.expiresOn.toISOString(),
      popReceipt: expect.any(String),
      nextVisibleTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(host.functions.find(({ name }) => name === 'jobs')).toEqual({
      name: 'jobs',
      trigger: 'queue',
      queueName: 'success',
    });
  });

  it('gets a failing message maxDequeueCount times, then its body goes to the poison queue', async () => {
    const host = await spawnWorker('failure');
    await send('failure', { id: 'b', fail: true });
    const poison = service.getQueueClient('failure-poison');
    const [poisoned] = await waitUntil('the poison message', async () => {
      if (!(await poison.exists())) return undefined;
      const { peekedMessageItems } = await poison.peekMessages();
      return peekedMessageItems.length > 0 && peekedMessageItems;
    });
    expect(poisoned?.messageText).toBe(encode({ id: 'b', fail: true }));
    await waitUntil('the log', () => begun(host, 'b').length >= 3);
    const counts = begun(host, 'b').map((line) => /"dequeueCount":(\d+)/.exec(line)?.[1]);
    expect(counts).toEqual(['1', '2', '3']);
    await waitUntil('the original to be gone', async () => (await countMessages('failure')) === 0);
  });

  it('whose last try failed gives the message up at once, not after another delay', async () => {
    await spawnWorker('one-try', { hostJson: 'host-one-try.json' });
    await send('one-try', { id: 'k', fail: true });
    const poison = service.getQueueClient('one-try-poison');
    await waitUntil(
      'the poison message',
      async () => (await poison.exists()) && (await countMessages('one-try-poison')) === 1,
    );
    expect(await countMessages('one-try')).toBe(0);
  });

  it('gets a failed message again after visibilityTimeout', async () => {
    const host = await spawnWorker('delayed', { hostJson: 'host-delayed.json' });
    await send('delayed', { id: 'l', fail: true });
    await waitUntil('the second try', () => begun(host, 'l').length === 2);
    const [first = '', second = ''] = host.logs
      .filter(({ message }) => message.startsWith('begin l '))
      .map(({ time }) => time);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThan(900);
  });

  it('never sees a message that was delivered too often already, nor one that is not base64', async () => {
    await createQueues(azurite.connectionString, ['worn']);
    const queue = service.getQueueClient('worn');
    await send('worn', { id: 'c' });
    for (let delivery = 1; delivery <= 3; delivery += 1) {
      const { receivedMessageItems } = await queue.receiveMessages();
      const [message] = receivedMessageItems;
      await queue.updateMessage(message?.messageId ?? '', message?.popReceipt ?? '', undefined, 0);
    }
    await queue.sendMessage('{"id":"plain"}');
    const host = await spawnWorker('worn');
    await waitUntil('both in the poison queue', async () => {
      const poison = service.getQueueClient('worn-poison');
      return (await poison.exists()) && (await countMessages('worn-poison')) === 2;
    });
    expect(userLogs(host).filter((line) => line.startsWith('begin'))).toEqual([]);
  });

  it('wakes the listener of the poison queue, whose messages have no poison queue of their own', async () => {
    await createQueues(azurite.connectionString, ['relay-poison']);
    const host = await spawnWorker('relay', { entry: 'queues/relay.ts' });
    await send('relay', { n: 1 });
    await waitUntil('the poison function', () => userLogs(host).includes('poisoned object {"n":1}'));
    expect(await service.getQueueClient('relay-poison-poison').exists()).toBe(false);
  });

  it('keeps a job that outlives the visibility time to itself', async () => {
    const [one, two] = await Promise.all([spawnWorker('long'), spawnWorker('long')]);
    await send('long', { id: 'd', ms: 5_000 });
    await waitUntil('the end', () => ended(one, 'd').length + ended(two, 'd').length === 1);
    await waitUntil('the queue to be empty', async () => (await countMessages('long')) === 0);
    expect(begun(one, 'd').length + begun(two, 'd').length).toBe(1);
  });

  it('gets the message of a killed host back once the visibility time is over', async () => {
    const first = await spawnWorker('crash');
    await send('crash', { id: 'e', ms: 60_000 });
    await waitUntil('the start', () => begun(first, 'e').length === 1);
    await first.kill();
    const second = await spawnWorker('crash');
    const again = await waitUntil('the second delivery', () => begun(second, 'e')[0]);
    expect(again).toContain('"dequeueCount":2');
  });

  it('runs at most batchSize + newBatchThreshold messages at a time', async () => {
    const host = await spawnWorker('parallel');
    await Promise.all(Array.from({ length: 12 }, (_, n) => send('parallel', { id: `p${n}`, ms: 300 })));
    await waitUntil(
      'all to end',
      () => userLogs(host).filter((line) => line.startsWith('end p')).length === 12,
    );
    let running = 0;
    let most = 0;
    for (const line of userLogs(host)) {
      if (line.startsWith('begin p')) running += 1;
      if (line.startsWith('end p')) running -= 1;
      most = Math.max(most, running);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
  });

  it('waits for a queue that does not exist yet and never creates it', async () => {
    const host = await spawnWorker('late', { create: false });
    await waitUntil('the host to poll', () =>
      host.logs.some(({ message }) => message === 'queue "late" does not exist; waiting for it'),
    );
    expect(await service.getQueueClient('late').exists()).toBe(false);
    await createQueues(azurite.connectionString, ['late']);
    await send('late', { id: 'f' });
    await waitUntil('the job', () => ended(host, 'f').length === 1);
  });

  it('finishes running work when the host stops, and takes no more', async () => {
    const host = await spawnWorker('drain');
    await send('drain', { id: 'g', ms: 1_000 });
    await waitUntil('the start', () => begun(host, 'g').length === 1);
    const stopped = host.stop();
    await waitUntil('intake to end', () =>
      fetch(host.url).then(
        () => false,
        () => true,
      ),
    );
    await send('drain', { id: 'h' });
    await stopped;
    expect(ended(host, 'g').length).toBe(1);
    expect(begun(host, 'h')).toEqual([]);
    expect(await countMessages('drain')).toBe(1);
  });

  it('runs by name with a text as its message', async () => {
    const host = await spawnWorker('byname');
    await host.invoke('jobs', '{"id":"i"}');
    await waitUntil('the log', () => ended(host, 'i').length === 1);
    await expect(host.invoke('jobs', '{"id":"j","fail":true}')).rejects.toThrow('ended with 500');
  });

  it('that was started by name is waited for when the host stops', async () => {
    const host = await spawnWorker('started');
    const started = await fetch(`${host.url}/admin/functions/jobs`, {
      method: 'POST',
      headers: { 'x-functions-key': host.keys.master },
      body: JSON.stringify({ input: '{"id":"m","ms":600}' }),
    });
    expect(started.status).toBe(202);
    await host.stop();
    expect(ended(host, 'm').length).toBe(1);
  });
});

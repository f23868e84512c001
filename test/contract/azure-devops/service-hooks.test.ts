import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../../shared/providers/ports.ts';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import { startLoopback } from '../../integration/providers/loopback.ts';
import { azureInstance } from '../../unit/azure-devops/deliveries.ts';
import type { AzureWorld } from './setup.ts';
import { createAzureWorld } from './setup.ts';

const source = createAzureDevOpsWebhookSource(azureInstance());

interface Received {
  readonly key: string;
  readonly event: WebhookEvent;
}

/** Connects the world to a receiver that authenticates and reads what comes, as the app does. */
async function receive(world: AzureWorld, automatic: boolean, secret = 'header') {
  const received: Received[] = [];
  const loopback = await startLoopback((response, { headers: given, body }) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    );
    const bytes = new TextEncoder().encode(body);
    if (source.authenticate(headers, bytes)) {
      received.push({ key: source.deliveryKey(headers, bytes), event: source.read(headers, bytes) });
      response.writeHead(202).end();
    } else response.writeHead(401).end();
  });
  world.simulator.setHook({
    url: loopback.url.href,
    user: 'gatehouse',
    password: 'pässword',
    headers: { 'X-Gatehouse-Secret': secret },
    automatic,
  });
  return { received, [Symbol.asyncDispose]: async () => loopback[Symbol.asyncDispose]() };
}

describe('service hooks', () => {
  it('tell of what people do, each once, and are understood', async () => {
    await using world = await createAzureWorld();
    await using hooks = await receive(world, true);
    const { simulator, git, provider, ref } = world;
    git.write('more.txt', 'more\n');
    const head = git.commit('more');
    await simulator.pushHead(ref.number);
    const thread = simulator.comment(ref.number, { author: 'ada@example.com', body: '/review stop' });
    await provider.replies?.reply(
      ref,
      String(thread.id),
      '<!-- gatehouse:0123456789abcdef01234567 -->\nStopped.',
    );
    await simulator.settled();
    simulator.closePullRequest(ref.number, { merged: true });
    await simulator.settled();
    const requests = hooks.received.map(({ event }) => event);
    expect(requests.map(({ name }) => name).toSorted()).toEqual([
      'git.pullrequest.merged',
      'git.pullrequest.updated',
      'git.pullrequest.updated',
      'ms.vss-code.git-pullrequest-comment-event',
      'ms.vss-code.git-pullrequest-comment-event',
    ]);
    expect(requests).toContainEqual(
      expect.objectContaining({
        pullRequest: { ...ref },
        request: {
          kind: 'job',
          job: expect.objectContaining({ kind: 'review.incremental', ids: { headSha: head } }),
        },
      }),
    );
    const jobs = requests.flatMap(({ request }) => (request.kind === 'job' ? [request.job] : []));
    expect(
      jobs
        .map(({ ids }) => ids['action'])
        .filter((action) => action !== undefined)
        .toSorted(),
    ).toEqual(['merged', 'stop']);
    const reasons = requests.flatMap(({ request }) => (request.kind === 'ignore' ? [request.reason] : []));
    expect(reasons.toSorted()).toEqual(['merge_attempt', 'own_event']);
    const stop = jobs.find(({ ids }) => ids['action'] === 'stop');
    const commentId = stop?.ids['commentId'] ?? '';
    expect(commentId).toBe(`${thread.id}-1`);
    expect(await provider.comments?.getComment(ref, { kind: 'review', id: commentId })).toMatchObject({
      body: '/review stop',
    });
  });

  it('tell of a new pull request, and their retry has the same key', async () => {
    await using world = await createAzureWorld();
    await using hooks = await receive(world, false);
    const { simulator, ref } = world;
    const first = await simulator.deliverHook({ event: 'created', number: ref.number });
    const again = await simulator.redeliver(first.notificationId);
    const other = await simulator.deliverHook({ event: 'created', number: ref.number });
    expect([first, again, other].map(({ statusCode, attempt }) => [statusCode, attempt])).toEqual([
      [202, 1],
      [202, 2],
      [202, 1],
    ]);
    const keys = hooks.received.map(({ key }) => key);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(hooks.received[0]?.event.request).toMatchObject({ kind: 'job', job: { kind: 'review.full' } });
  });

  it('of version 1.0 do not say in which thread a comment stands, and are ignored', async () => {
    await using world = await createAzureWorld();
    await using hooks = await receive(world, false);
    const { simulator, ref } = world;
    const { id } = simulator.comment(ref.number, { author: 'ada@example.com', body: 'Hello.' });
    await simulator.deliverHook({
      event: 'comment',
      number: ref.number,
      threadId: id,
      resourceVersion: '1.0',
    });
    expect(hooks.received[0]?.event.request).toEqual({
      kind: 'ignore',
      reason: 'unsupported_resource_version',
    });
  });

  it('with another secret are not taken', async () => {
    await using world = await createAzureWorld();
    await using hooks = await receive(world, false, 'other');
    const { simulator, ref } = world;
    expect(await simulator.deliverHook({ event: 'created', number: ref.number })).toMatchObject({
      statusCode: 401,
    });
    expect(hooks.received).toEqual([]);
  });
});

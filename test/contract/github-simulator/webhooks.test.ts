import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signature256 } from '../../../infra/local/simulators/github/webhooks/sign.ts';
import type { SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  appToken,
  createSharedHistory,
  createSimulatorWorld,
} from '../../fixtures/github/simulator-world.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The published examples of GitHub's webhook payloads. */
const examples: { name: string; examples: Record<string, unknown>[] }[] = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
);

/** What an example has and a payload of ours may lack: nothing in the product reads it. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  issue: [
    'labels_url',
    'events_url',
    'timeline_url',
    'active_lock_reason',
    'reactions',
    'performed_via_github_app',
  ],
};

describe('webhook deliveries of the simulated GitHub', () => {
  let history: SharedHistory;
  let world: SimulatorWorld;
  let receiver: Server;
  let url: string;
  let status: number;
  let received: Received[];
  beforeAll(async () => {
    history = createSharedHistory();
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
        response.writeHead(status).end('thanks');
      });
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    const address = receiver.address();
    if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
    url = `http://127.0.0.1:${address.port}/hook`;
  });
  afterAll(() => {
    receiver.close();
    history.repository.dispose();
  });
  beforeEach(async () => {
    status = 202;
    received = [];
    world = await createSimulatorWorld({ webhook: { url, secrets: ['new secret', 'old secret'] } }, history);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const opened = () => world.simulator.deliverWebhook({ event: 'pull_request', action: 'opened', number: 1 });

  it('signs with the first secret over the very bytes it sends', async () => {
    const delivery = await opened();
    const [{ headers, body }] = received as [Received];
    expect(headers['x-hub-signature-256']).toBe(signature256('new secret', body));
    expect(headers).toMatchObject({
      'x-github-event': 'pull_request',
      'x-github-delivery': delivery.guid,
      'x-github-hook-installation-target-type': 'integration',
      'x-github-hook-installation-target-id': '1001',
      'content-type': 'application/json',
    });
    expect(headers['user-agent']).toMatch(/^GitHub-Hookshot\//);
    expect([delivery.statusCode, delivery.status, delivery.responseBody]).toEqual([202, 'OK', 'thanks']);
  });

  it('builds the payload from what it knows', async () => {
    await opened();
    const payload = JSON.parse(received[0]?.body ?? '');
    expect({
      action: payload.action,
      number: payload.number,
      head: payload.pull_request.head.sha,
      files: payload.pull_request.changed_files,
      repository: [payload.repository.id, payload.repository.full_name, payload.repository.owner.login],
      sender: payload.sender.login,
      installation: typeof payload.installation.id,
    }).toEqual({
      action: 'opened',
      number: 1,
      head: world.head,
      files: 10,
      repository: [501, 'acme/shop', 'acme'],
      sender: 'author',
      installation: 'number',
    });
  });

  it.each(['pull_request', 'issue_comment', 'pull_request_review', 'pull_request_review_comment'] as const)(
    'has the fields of the published examples of %s',
    async (event) => {
      const { simulator } = world;
      const comment = await simulator.commentOnLineAs('other', 1, {
        path: 'src/app.ts',
        line: 10,
        body: 'x',
      });
      const issueComment = simulator.commentAs('other', 1, 'x');
      const commentId = event === 'issue_comment' ? issueComment.id : comment.id;
      const action =
        event === 'pull_request' ? 'opened' : event === 'pull_request_review' ? 'submitted' : 'created';
      await simulator.deliverWebhook({ event, action, number: 1, commentId, reviewId: comment.review.id });
      const payload = JSON.parse(received[0]?.body ?? '');
      const example = examples
        .find((one) => one.name === event)
        ?.examples.find((one) => one['action'] === action);
      const parts = Object.keys(example ?? {}).filter((key) =>
        ['pull_request', 'issue', 'comment', 'review'].includes(key),
      );
      expect(parts.length).toBeGreaterThan(0);
      for (const part of parts) {
        const wanted = Object.keys(Object(example?.[part]));
        expect(wanted.length).toBeGreaterThan(8);
        const missing = wanted.filter(
          (key) => !(key in payload[part]) && UNREAD[part]?.includes(key) !== true,
        );
        expect({ part, missing }).toEqual({ part, missing: [] });
      }
    },
  );

  it('tells a push with the heads before and after', async () => {
    expect(await world.simulator.pushHead(1, world.base)).toBe(world.head);
    await world.simulator.pushHead(1, world.head);
    await world.simulator.deliverWebhook({ event: 'pull_request', action: 'synchronize', number: 1 });
    const payload = JSON.parse(received[0]?.body ?? '');
    expect([payload.before, payload.after]).toEqual([world.base, world.head]);
  });

  it('says whose reply it is and which comment it answers', async () => {
    const { simulator } = world;
    const root = await simulator.commentOnLineAs('other', 1, { path: 'src/app.ts', line: 10, body: 'x' });
    const reply = simulator.replyAs('author', 1, { commentId: root.id, body: 'why?' });
    await simulator.deliverWebhook({
      event: 'pull_request_review_comment',
      action: 'created',
      number: 1,
      commentId: reply.id,
    });
    const payload = JSON.parse(received[0]?.body ?? '');
    expect([payload.comment.in_reply_to_id, payload.comment.body, payload.sender.login]).toEqual([
      root.id,
      'why?',
      'author',
    ]);
    // The event knows no thread: it has to be found through the comment.
    expect(payload).not.toHaveProperty('thread');
  });

  it('records failures and sends the same bytes again on demand', async () => {
    status = 500;
    const failed = await opened();
    expect([failed.statusCode, failed.status]).toEqual([500, 'Internal Server Error']);
    status = 202;
    world.simulator.editPullRequest(1, { title: 'Changed meanwhile' });
    const again = await world.simulator.redeliver(failed.id);
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.headers['x-github-delivery']).toBe(failed.guid);
    expect(received[1]?.headers['x-hub-signature-256']).toBe(received[0]?.headers['x-hub-signature-256']);
    expect([again.id === failed.id, again.guid, again.isRedelivery]).toEqual([false, failed.guid, true]);
  });

  it('records a receiver that is not there', async () => {
    world.simulator.setWebhook({ url: 'http://127.0.0.1:9/', secrets: [] });
    expect(await opened()).toMatchObject({ statusCode: 0, status: 'failed to connect to host' });
  });

  it('does not sign without a secret', async () => {
    world.simulator.setWebhook({ url, secrets: [], enterprise: true });
    await opened();
    expect(received[0]?.headers).not.toHaveProperty('x-hub-signature-256');
    expect(received[0]?.headers['x-github-enterprise-version']).toBe('3.19.0');
    expect(JSON.parse(received[0]?.body ?? '').pull_request.url).toContain('/api/v3/repos/');
  });

  it('lists deliveries to the App by status and cursor, and redelivers', async () => {
    const asApp = { authorization: `Bearer ${appToken()}` };
    status = 503;
    const failed = await opened();
    status = 200;
    await opened();
    await opened();
    const failures = await world.call('GET', '/app/hook/deliveries?status=failure', asApp);
    expect(
      failures.body.map((one: { id: number; status_code: number }) => [one.id, one.status_code]),
    ).toEqual([[failed.id, 503]]);
    const first = await world.call('GET', '/app/hook/deliveries?per_page=2', asApp);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await world.call('GET', next.slice(world.simulator.apiUrl.length), asApp);
    expect([first.body.length, second.body.map((one: { id: number }) => one.id)]).toEqual([2, [failed.id]]);
    const one = await world.call('GET', `/app/hook/deliveries/${failed.id}`, asApp);
    expect(one.body.request.payload.number).toBe(1);
    expect((await world.call('POST', `/app/hook/deliveries/${failed.id}/attempts`, asApp)).status).toBe(202);
    await expect.poll(() => received.length).toBe(4);
    expect((await world.call('GET', '/app/hook/deliveries')).status).toBe(401);
  });

  it('delivers what writes cause, its own included, when it is told to', async () => {
    world.simulator.setWebhook({ url, secrets: ['s'], automatic: true });
    await world.call('POST', '/repos/acme/shop/pulls/1/reviews', {
      body: { event: 'COMMENT', body: 'x', comments: [{ path: 'src/app.ts', line: 10, body: 'y' }] },
    });
    await world.call('POST', '/repos/acme/shop/issues/1/comments', { body: { body: 'z' } });
    await world.simulator.settled();
    const seen = received.map(({ headers, body }) =>
      [headers['x-github-event'], JSON.parse(body).sender.login].join(' '),
    );
    expect(seen.toSorted()).toEqual([
      'issue_comment reviewer',
      'pull_request_review reviewer',
      'pull_request_review_comment reviewer',
    ]);
  });

  it('is told from another process what to deliver', async () => {
    const remote = (method: string, path: string, body: unknown = {}) =>
      world.call(method, `/_simulator${path}`, {
        body,
        headers: { 'x-simulator-key': world.simulator.adminKey },
      });
    expect((await remote('PUT', '/webhook', { url, secrets: ['s'] })).status).toBe(204);
    expect(
      (await remote('POST', '/pulls', { base: 'main', head: 'nowhere', title: 'x' })).body,
    ).toMatchObject({
      code: 'ref_not_found',
    });
    const pull = await remote('POST', '/pulls', { base: 'main', head: 'feature', title: 'Second' });
    expect([pull.status, pull.body.number]).toEqual([201, 2]);
    const moved = await remote('POST', '/pulls/2/push', { revision: world.base });
    expect(moved.body).toEqual({ before: world.head, after: world.base });
    const event = { event: 'pull_request', action: 'synchronize', number: 2 };
    const delivery = (await remote('POST', '/deliveries', event)).body;
    expect([delivery.statusCode, JSON.parse(received[0]?.body ?? '').after]).toEqual([202, world.base]);
    expect((await remote('POST', `/deliveries/${delivery.id}/redeliver`)).body.guid).toBe(delivery.guid);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect((await remote('POST', '/deliveries', { ...event, number: 9 })).status).toBe(400);
    expect((await remote('POST', '/deliveries', { event: 'star' })).status).toBe(400);
  });
});

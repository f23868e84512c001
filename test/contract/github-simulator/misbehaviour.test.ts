import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultSpec } from '../../../infra/local/simulators/http/faults.ts';
import type { SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  PULL,
  REPOSITORY,
  createSharedHistory,
  createSimulatorWorld,
  installationToken,
} from '../../fixtures/github/simulator-world.ts';

describe('misbehaviour of the simulated GitHub', () => {
  let history: SharedHistory;
  let world: SimulatorWorld;
  beforeAll(() => {
    history = createSharedHistory();
  });
  afterAll(() => history.repository.dispose());
  beforeEach(async () => {
    world = await createSimulatorWorld({}, history);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const comments = `${REPOSITORY}/issues/1/comments`;
  const comment = () => world.call('POST', comments, { body: { body: 'hello' } });

  it('loses a response after doing the work', async () => {
    const fault = world.simulator.faults.next({
      match: { method: 'POST' },
      action: { kind: 'lose-response' },
    });
    await expect(comment()).rejects.toThrow('fetch failed');
    expect([fault.hits(), world.simulator.issueComments(1).length]).toEqual([1, 1]);
    expect((await comment()).status).toBe(201);
    expect(world.simulator.issueComments(1)).toHaveLength(2);
  });

  it('loses a request before doing the work', async () => {
    world.simulator.faults.next({ match: { method: 'POST' }, action: { kind: 'lose-request' } });
    await expect(comment()).rejects.toThrow('fetch failed');
    expect(world.simulator.issueComments(1)).toHaveLength(0);
  });

  it('answers limits and server errors instead of working', async () => {
    world.simulator.faults.next({
      action: {
        kind: 'answer',
        status: 403,
        headers: { 'retry-after': '60' },
        body: { message: 'You have exceeded a secondary rate limit.' },
      },
    });
    const limited = await comment();
    expect([limited.status, limited.headers.get('retry-after'), limited.body.message]).toEqual([
      403,
      '60',
      'You have exceeded a secondary rate limit.',
    ]);
    world.simulator.faults.next({ action: { kind: 'answer', status: 502, body: 'Bad Gateway' } });
    expect(await comment()).toMatchObject({ status: 502, body: 'Bad Gateway' });
    expect(world.simulator.issueComments(1)).toHaveLength(0);
  });

  it('answers a page of HTML, a redirect, and JSON that ends in the middle', async () => {
    world.simulator.faults.next({ action: { kind: 'html' } });
    const html = await world.call('GET', PULL);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    world.simulator.faults.next({ action: { kind: 'redirect', location: 'https://elsewhere.example/' } });
    const moved = await world.call('GET', PULL);
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://elsewhere.example/']);
    world.simulator.faults.next({ action: { kind: 'truncated-json' } });
    await expect(world.call('GET', PULL)).rejects.toThrow(SyntaxError);
  });

  it('waits before it answers', async () => {
    world.simulator.faults.next({ action: { kind: 'delay', ms: 80 } });
    const started = performance.now();
    expect((await world.call('GET', PULL)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(79);
  });

  it('answers an empty page although more is promised, in REST and in GraphQL', async () => {
    const page = `${PULL}/files?per_page=4`;
    world.simulator.faults.next({ match: { path: '/files' }, action: { kind: 'empty-page' } });
    const empty = await world.call('GET', page);
    expect([empty.body, empty.headers.get('link')?.includes('rel="next"')]).toEqual([[], true]);
    for (const line of [10, 11]) {
      await world.simulator.commentOnLineAs('other', 1, { path: 'src/app.ts', line, body: 'x' });
    }
    world.simulator.faults.next({ match: { body: 'reviewThreads' }, action: { kind: 'empty-page' } });
    const { data } = await world.graphql(
      '{ repository(owner: "acme", name: "shop") { pullRequest(number: 1) { reviewThreads(first: 1) { nodes { id } pageInfo { hasNextPage } } } } }',
    );
    expect(data.repository.pullRequest.reviewThreads).toEqual({ nodes: [], pageInfo: { hasNextPage: true } });
  });

  it('repeats a page', async () => {
    const first = await world.call('GET', `${PULL}/files?per_page=4`);
    world.simulator.faults.next({ match: { pattern: 'page=2' }, action: { kind: 'repeat-page' } });
    const second = await world.call('GET', `${PULL}/files?per_page=4&page=2`);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('link')).toContain('page=3>; rel="next"');
  });

  it('moves the head right before a request', async () => {
    // Its parent is the head: a commit on top that no branch needs to know.
    const { git } = world.repository;
    const after = git(
      'commit-tree',
      `${world.head}^{tree}`,
      '-p',
      world.head,
      '-m',
      'Pushed meanwhile',
    ).trim();
    world.simulator.faults.next({
      match: { method: 'POST', path: '/reviews' },
      action: { kind: 'head-moves-now', number: 1, revision: after },
    });
    const review = await world.call('POST', `${PULL}/reviews`, {
      body: { body: 'x', event: 'COMMENT', commit_id: world.head },
    });
    expect([review.status, review.body.commit_id]).toEqual([200, world.head]);
    expect((await world.call('GET', PULL)).body.head.sha).toBe(after);
  });

  it('lets a token expire right before a request', async () => {
    const { body } = await installationToken(world);
    const authorization = `token ${body.token}`;
    world.simulator.faults.next({ match: { path: '/pulls/1' }, action: { kind: 'token-expired' } });
    expect((await world.call('GET', REPOSITORY, { authorization })).status).toBe(200);
    const answer = await world.call('GET', PULL, { authorization });
    expect([answer.status, answer.body.message]).toEqual([401, 'Bad credentials']);
    expect((await world.call('GET', PULL)).status).toBe(200);
  });

  it('lets some requests through first and hits as many as it was told', async () => {
    world.simulator.faults.next({ action: { kind: 'answer', status: 500 }, skip: 1, times: 2 });
    const seen: number[] = [];
    for (let index = 0; index < 4; index += 1) seen.push((await world.call('GET', PULL)).status);
    expect(seen).toEqual([200, 500, 500, 200]);
  });

  it('misbehaves on the download host too', async () => {
    const { simulator } = world;
    simulator.faults.next({
      match: { path: 'legacy.tar.gz' },
      action: { kind: 'answer', status: 200, bodyBase64: Buffer.from([31, 139, 0]).toString('base64') },
    });
    const answer = await world.call('GET', `${REPOSITORY}/tarball/${world.head}`);
    const archive = await fetch(answer.headers.get('location') ?? '');
    expect([...new Uint8Array(await archive.arrayBuffer())]).toEqual([31, 139, 0]);
    expect(simulator.archiveRequests().map(({ status, fault }) => [status, fault])).toEqual([
      [200, 'answer'],
    ]);
  });

  it('is steered from another process with the key alone', async () => {
    const remote = (method: string, path: string, body?: unknown, key = world.simulator.adminKey) =>
      world.call(method, `/_simulator${path}`, { body, headers: { 'x-simulator-key': key } });
    const spec: FaultSpec = { match: { method: 'GET' }, action: { kind: 'answer', status: 503 } };
    expect((await remote('POST', '/faults', spec, 'wrong')).status).toBe(403);
    expect((await remote('POST', '/faults', { action: { kind: 'explode' } })).status).toBe(400);
    expect((await remote('POST', '/faults', spec)).status).toBe(201);
    expect((await remote('GET', '/faults')).body).toHaveLength(1);
    expect((await world.call('GET', PULL)).status).toBe(503);
    await comment();
    expect((await remote('GET', '/pulls/1/issue-comments')).body[0].body).toBe('hello');
    const writes = (await remote('GET', '/writes')).body;
    expect(writes.map((write: { kind: string }) => write.kind)).toEqual([
      'pull_request.opened',
      'issue_comment.created',
    ]);
    const requests = (await remote('GET', '/requests')).body;
    expect(
      requests.map((one: { method: string; status: number; fault?: string }) => [
        one.method,
        one.status,
        one.fault,
      ]),
    ).toEqual([
      ['GET', 503, 'answer'],
      ['POST', 201, undefined],
    ]);
  });

  it('keeps no credential in its log', async () => {
    await comment();
    await world.call('GET', '/user', {
      authorization: `Basic ${Buffer.from('x:ghp_reviewer').toString('base64')}`,
    });
    const log = JSON.stringify(world.simulator.requests());
    expect(log).toContain('"authorization":"token [secret]"');
    expect(log).not.toContain('ghp_reviewer');
    expect(log).not.toContain(Buffer.from('x:ghp_reviewer').toString('base64'));
  });
});

import { describe, expect, it } from 'vitest';
import { TOKEN, createGitLabWorld } from './setup.ts';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  ({ kind: 'answer', status, body, headers }) as const;

describe('what GitLab answers instead', () => {
  it.each([
    [
      'a limit in plain text',
      answer(429, 'Retry later\n', { 'retry-after': '90' }),
      { kind: 'transient', code: 'provider_rate_limited', retryAfterMs: 90_000 },
    ],
    [
      'a limit without a time',
      answer(429, 'Retry later\n'),
      { kind: 'transient', code: 'provider_rate_limited', retryAfterMs: 60_000 },
    ],
    ['a web page', { kind: 'html' } as const, { kind: 'permanent', code: 'answer_html' }],
    ['plain text', answer(200, 'hello'), { kind: 'permanent', code: 'answer_not_json' }],
    ['null', answer(200, null), { kind: 'permanent', code: 'answer_unexpected' }],
    ['nulls inside', answer(200, { id: null }), { kind: 'permanent', code: 'answer_unexpected' }],
    [
      '401',
      answer(401, { message: '401 Unauthorized' }),
      { kind: 'permanent', code: 'provider_credentials' },
    ],
    ['403', answer(403, { error: 'insufficient_scope' }), { kind: 'permanent', code: 'provider_permission' }],
    [
      'another project',
      answer(200, { id: 8, path_with_namespace: 'x/y' }),
      { kind: 'permanent', code: 'answer_unexpected' },
    ],
    [
      'a redirect to another origin',
      { kind: 'redirect', location: 'http://127.0.0.1:9/' } as const,
      { kind: 'permanent', code: 'host_not_allowed' },
    ],
  ])('%s', async (_what, action, expected) => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({ action });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject(expected);
    expect(simulator.requests()).toHaveLength(1);
  });

  it.each(['lose-request', 'lose-response', 'truncated-json'] as const)(
    '%s of a reading request is made good by another',
    async (kind) => {
      await using world = await createGitLabWorld();
      const { provider, ref, simulator } = world;
      simulator.faults.next({ action: { kind } });
      expect((await provider.pullRequests.getPullRequest(ref)).title).toBe('Say ten');
    },
  );

  it.each(['lose-request', 'lose-response', 'truncated-json'] as const)(
    '%s of a write is transient, and the write is never sent twice',
    async (kind) => {
      await using world = await createGitLabWorld();
      const { provider, ref, simulator } = world;
      simulator.faults.next({ match: { method: 'POST' }, action: { kind } });
      await expect(provider.generalComments?.createGeneralComment(ref, 'Once.')).rejects.toMatchObject({
        kind: 'transient',
      });
      expect(simulator.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
      expect(simulator.generalComments(1)).toHaveLength(kind === 'lose-request' ? 0 : 1);
    },
  );

  it.each([
    ['empty-page', 'page_empty', 2],
    ['repeat-page', 'page_repeated', 2],
  ] as const)('%s of a listing is transient', async (kind, code, skip) => {
    await using world = await createGitLabWorld({
      after: (git) => {
        for (let index = 0; index < 299; index += 1) git.write(`many/${index}.txt`, 'x\n');
      },
    });
    const { provider, ref, simulator } = world;
    const pull = await provider.pullRequests.getPullRequest(ref);
    simulator.faults.next({ match: { path: '/diffs' }, skip: skip - 1, action: { kind } });
    await expect(provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
      kind: 'transient',
      code,
    });
    expect(await provider.pullRequests.listChangedFiles(pull)).toHaveLength(300);
  });

  it('a page of discussions that repeats is transient', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    for (let index = 0; index < 150; index += 1)
      simulator.comment(1, { author: 'ada', body: String(index), individual: true });
    simulator.faults.next({ match: { path: '/discussions' }, skip: 1, action: { kind: 'repeat-page' } });
    await expect(provider.comments?.listGeneralComments(ref)).rejects.toMatchObject({
      kind: 'transient',
      code: 'page_repeated',
    });
    expect(await provider.comments?.listGeneralComments(ref)).toHaveLength(150);
  });

  it('a page that leads back to itself is transient', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({
      match: { path: '/commits' },
      action: answer(200, [{ id: 'a' }], { 'x-next-page': '1' }),
    });
    await expect(provider.commits?.listCommits(ref)).rejects.toMatchObject({ code: 'page_repeated' });
  });

  it('a token that expires between reading and writing ends the write, and is in no message', async () => {
    await using world = await createGitLabWorld();
    const { provider, ref, simulator } = world;
    await provider.pullRequests.getPullRequest(ref);
    simulator.faults.next({ match: { method: 'POST' }, action: { kind: 'token-expired' } });
    const error: unknown = await provider.generalComments
      ?.createGeneralComment(ref, 'x')
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ kind: 'permanent', code: 'provider_credentials' });
    expect(JSON.stringify(error) + String(error)).not.toContain(TOKEN);
  });
});

describe('two instances side by side', () => {
  it('keep their names, tokens and comments apart', async () => {
    await using one = await createGitLabWorld();
    await using two = await createGitLabWorld();
    const other = two.connect({ id: 'second' });
    await one.provider.generalComments?.createGeneralComment(one.ref, 'one');
    await other.generalComments?.createGeneralComment({ ...two.ref, instance: 'second' }, 'two');
    expect([one, two].map(({ simulator }) => simulator.generalComments(1)[0]?.body)).toEqual(['one', 'two']);
    const stranger = one.connect({ token: 'someone-else' });
    await expect(stranger.identity.whoAmI()).rejects.toMatchObject({ code: 'provider_credentials' });
    expect(other.instance).toBe('second');
  });
});

describe('the simulator refuses what GitLab refuses', () => {
  const position = (world: { base: string; head: string }, change: Record<string, unknown> = {}) => ({
    position_type: 'text',
    base_sha: world.base,
    start_sha: world.base,
    head_sha: world.head,
    old_path: 'src/app.ts',
    new_path: 'src/app.ts',
    new_line: 10,
    ...change,
  });

  it.each([
    ['an added line with both numbers', { old_line: 10 }, 'line_code'],
    ['a context line with its new number alone', { new_line: 12 }, 'line_code'],
    ['a line outside the hunks with wrong numbers', { old_line: 30, new_line: 30 }, 'line_code'],
    ['a line behind the end', { old_line: 99, new_line: 100 }, 'line_code'],
    ['another file', { old_path: 'x', new_path: 'x' }, 'line_code'],
    ['no old path', { old_path: undefined }, 'are missing'],
    ['commits of no version', { head_sha: '0'.repeat(40) }, 'position'],
    [
      'a wrong line code in a range',
      {
        line_range: {
          start: { line_code: 'x_1_1', type: 'new', new_line: 10 },
          end: { line_code: 'x_1_1', type: 'new', new_line: 10 },
        },
      },
      'line_range',
    ],
  ])('a position with %s', async (_what, change, said) => {
    await using world = await createGitLabWorld();
    const response = await world.ask('POST', '/merge_requests/1/discussions', {
      body: 'x',
      position: position(world, change),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(said);
    expect(world.simulator.comments(1)).toEqual([]);
  });

  it.each([
    ['without a token', 'GET', '', undefined, 'wrong', 401],
    ['of a merge request that is not there', 'GET', '/merge_requests/9', undefined, undefined, 404],
    ['of an empty note', 'POST', '/merge_requests/1/notes', { body: ' ' }, undefined, 400],
    ['of a note without a body', 'POST', '/merge_requests/1/notes', {}, undefined, 400],
    [
      'of a note too long',
      'POST',
      '/merge_requests/1/notes',
      { body: 'x'.repeat(1_000_001) },
      undefined,
      400,
    ],
    ['of a state that does not exist', 'POST', '/statuses/main', { state: 'neutral' }, undefined, 400],
    ['on a commit that does not exist', 'POST', '/statuses/0000000', { state: 'success' }, undefined, 404],
  ])('a request %s', async (_what, method, path, body, token, status) => {
    await using world = await createGitLabWorld();
    expect((await world.ask(method, path, body, token)).status).toBe(status);
  });

  it('an edit of both body and resolved state, or of neither', async () => {
    await using world = await createGitLabWorld();
    const { simulator, ask } = world;
    const { id, notes } = simulator.comment(1, { author: 'project_7_bot_1', body: 'x' });
    const path = `/merge_requests/1/discussions/${id}/notes/${notes[0]?.id}`;
    expect((await ask('PUT', path, { body: 'y', resolved: true })).status).toBe(400);
    expect((await ask('PUT', path, {})).status).toBe(400);
    expect((await ask('PUT', path, { body: 'y' })).status).toBe(200);
  });

  it('writes of those who may not', async () => {
    await using world = await createGitLabWorld();
    const { simulator, ask, provider, ref } = world;
    simulator.setPermission('project_7_bot_1', 10);
    expect((await ask('POST', '/merge_requests/1/notes', { body: 'x' })).status).toBe(403);
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject({
      code: 'provider_permission',
    });
    const { notes } = simulator.comment(1, { author: 'ada', body: 'hers' });
    expect((await ask('PUT', `/merge_requests/1/notes/${notes[0]?.id}`, { body: 'mine' })).status).toBe(403);
    simulator.setPermission('project_7_bot_1', 0);
    expect((await ask('GET', '')).status).toBe(404);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  AUTHOR,
  OTHER,
  PULL,
  REPOSITORY,
  createSharedHistory,
  createSimulatorWorld,
  installationToken,
} from '../../fixtures/github/simulator-world.ts';

describe('single comments on the simulated GitHub', () => {
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

  const comment = (fields: Record<string, unknown>, authorization?: string): Promise<Answer> =>
    world.call('POST', `${PULL}/comments`, {
      body: { body: 'note', commit_id: world.head, path: 'src/app.ts', ...fields },
      ...(authorization === undefined ? {} : { authorization }),
    });

  it('posts on a line, with the hunk up to it', async () => {
    const { status, body } = await comment({ line: 10 });
    expect(status).toBe(201);
    expect({
      line: [body.line, body.original_line, body.start_line, body.side, body.subject_type, body.position],
      hunk: body.diff_hunk,
      commit: [body.commit_id, body.original_commit_id],
      reply: 'in_reply_to_id' in body,
    }).toEqual({
      line: [10, 10, null, 'RIGHT', 'line', 5],
      hunk: '@@ -7,7 +7,8 @@\n 7\n 8\n 9\n-10\n+ten',
      commit: [world.head, world.head],
      reply: false,
    });
    expect(world.simulator.reviews(1)[0]).toMatchObject({ state: 'COMMENTED', body: '' });
  });

  it('posts on a whole file, also a binary one', async () => {
    const { status, body } = await comment({ path: 'picture.bin', subject_type: 'file' });
    expect([status, body.subject_type, body.line, body.diff_hunk]).toEqual([201, 'file', null, '']);
  });

  it.each([
    [
      { line: 20 },
      'pull_request_review_thread.line',
      'pull_request_review_thread.line must be part of the diff',
    ],
    [
      { line: 10, path: 'nope' },
      'pull_request_review_thread.path',
      'pull_request_review_thread.path is invalid',
    ],
    [
      { path: 'nope', subject_type: 'file' },
      'pull_request_review_thread.path',
      'pull_request_review_thread.path is invalid',
    ],
    [
      { line: 10, start_line: 10 },
      'pull_request_review_thread.start_line',
      'pull_request_review_thread.start_line must precede the end line.',
    ],
    [
      { line: 30, start_line: 10 },
      'pull_request_review_thread.start_line',
      'pull_request_review_thread.start_line must be part of the same hunk as the line.',
    ],
    [{ line: 10, body: '' }, 'body', "body can't be blank"],
    [{ line: 10, body: 'x'.repeat(65_537) }, 'body', 'body is too long (maximum is 65536 characters)'],
    [{ line: 10, commit_id: 'main' }, 'commit_id', 'commit_id is not part of the pull request'],
  ])('refuses %j', async (fields, field, message) => {
    const answer = await comment(fields);
    expect([answer.status, answer.body.message, answer.body.errors]).toEqual([
      422,
      'Validation Failed',
      [{ resource: 'PullRequestReviewComment', code: 'custom', field, message }],
    ]);
    expect(world.simulator.reviews(1)).toEqual([]);
  });

  it('needs a body, a commit, a path and a line', async () => {
    const empty = await world.call('POST', `${PULL}/comments`, { body: {} });
    expect([empty.status, empty.body.message]).toEqual([
      422,
      'Invalid request.\n\n"body" wasn\'t supplied.\n"commit_id" wasn\'t supplied.\n"path" wasn\'t supplied.',
    ]);
    expect((await comment({})).status).toBe(422);
  });

  it('answers in a thread and ignores every other field', async () => {
    const root = await comment({ line: 10 });
    const reply = await comment(
      { in_reply_to: root.body.id, path: 'nope', line: 4_000, body: 'answer' },
      OTHER,
    );
    expect([reply.status, reply.body.in_reply_to_id, reply.body.line]).toEqual([201, root.body.id, 10]);
    const second = await comment({ in_reply_to: reply.body.id, body: 'more' });
    // Every reply points at the root, also a reply to a reply.
    expect(second.body.in_reply_to_id).toBe(root.body.id);
    expect((await comment({ in_reply_to: 1, body: 'x' })).status).toBe(404);
  });

  it('has a replies endpoint for people, for top-level comments, and not for Apps', async () => {
    const root = await comment({ line: 10 });
    const replies = `${PULL}/comments/${root.body.id}/replies`;
    const reply = await world.call('POST', replies, { body: { body: 'yes' } });
    expect([reply.status, reply.body.in_reply_to_id]).toEqual([201, root.body.id]);
    const nested = await world.call('POST', `${PULL}/comments/${reply.body.id}/replies`, {
      body: { body: 'x' },
    });
    expect(nested.status).toBe(404);
    const { body } = await installationToken(world);
    const app = await world.call('POST', replies, {
      body: { body: 'x' },
      authorization: `token ${body.token}`,
    });
    expect([app.status, app.body.message]).toEqual([403, 'Resource not accessible by integration']);
  });

  it('reads, edits and deletes', async () => {
    const { body } = await comment({ line: 10 });
    const url = `${REPOSITORY}/pulls/comments/${body.id}`;
    expect((await world.call('GET', url)).body.body).toBe('note');
    expect((await world.call('PATCH', url, { body: { body: 'edited' } })).body.body).toBe('edited');
    const foreign = await world.call('PATCH', url, { body: { body: 'x' }, authorization: OTHER });
    expect(foreign.status).toBe(403);
    expect((await world.call('DELETE', url, { authorization: OTHER })).status).toBe(403);
    expect((await world.call('PATCH', url, { body: { body: '' } })).status).toBe(422);
    expect((await world.call('DELETE', url)).status).toBe(204);
    expect((await world.call('GET', url)).status).toBe(404);
    expect(await world.simulator.comments(1)).toEqual([]);
  });

  it('lists comments oldest first, by page', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await comment({ line: 10 })).body.id);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => world.call('GET', `${PULL}/comments?per_page=2&page=${page}`)),
    );
    expect(pages.flatMap(({ body }) => body.map((one: { id: number }) => one.id))).toEqual(ids);
    const newest = await world.call('GET', `${PULL}/comments?direction=desc&per_page=1`);
    expect(newest.body[0].id).toBe(ids.at(-1));
  });

  it('keeps reactions once per person', async () => {
    const { body } = await comment({ line: 10 });
    const url = `${REPOSITORY}/pulls/comments/${body.id}/reactions`;
    const first = await world.call('POST', url, { body: { content: 'eyes' } });
    const second = await world.call('POST', url, { body: { content: 'eyes' } });
    expect([first.status, second.status, first.body.id === second.body.id]).toEqual([201, 200, true]);
    expect((await world.call('POST', url, { body: { content: 'wave' } })).status).toBe(422);
    await world.call('POST', url, { body: { content: '+1' }, authorization: OTHER });
    const { reactions } = (await world.call('GET', `${REPOSITORY}/pulls/comments/${body.id}`)).body;
    expect([reactions.total_count, reactions.eyes, reactions['+1']]).toEqual([2, 1, 1]);
    expect((await world.call('DELETE', `${url}/${first.body.id}`, { authorization: OTHER })).status).toBe(
      403,
    );
    expect((await world.call('DELETE', `${url}/${first.body.id}`)).status).toBe(204);
    expect((await world.call('GET', url)).body).toHaveLength(1);
  });

  it('keeps the conversation apart from the diff', async () => {
    const url = `${REPOSITORY}/issues/1/comments`;
    const created = await world.call('POST', url, { body: { body: 'hello' } });
    expect([created.status, created.body.performed_via_github_app]).toEqual([201, null]);
    const one = `${REPOSITORY}/issues/comments/${created.body.id}`;
    expect((await world.call('PATCH', one, { body: { body: 'changed' } })).body.body).toBe('changed');
    expect((await world.call('PATCH', one, { body: { body: 'x' }, authorization: AUTHOR })).status).toBe(403);
    const tooLong = await world.call('POST', url, { body: { body: 'x'.repeat(65_537) } });
    expect([tooLong.status, tooLong.body.errors[0].message]).toEqual([
      422,
      'body is too long (maximum is 65536 characters)',
    ]);
    expect((await world.call('POST', url, { body: { body: 'x'.repeat(65_536) } })).status).toBe(201);
    expect((await world.call('DELETE', one)).status).toBe(204);
    expect((await world.call('GET', url)).body).toHaveLength(1);
    const { body } = await installationToken(world);
    const app = await world.call('POST', url, {
      body: { body: 'bot' },
      authorization: `token ${body.token}`,
    });
    expect([app.body.user.login, app.body.performed_via_github_app.id]).toEqual(['gatehouse[bot]', 1001]);
  });

  it('shows nobody as the author of what a deleted account wrote', async () => {
    await comment({ line: 10 }, OTHER);
    world.simulator.deleteAccount('other');
    expect((await world.call('GET', `${PULL}/comments`)).body[0].user).toBeNull();
    expect((await world.simulator.comments(1))[0]?.author).toBe('ghost');
  });
});

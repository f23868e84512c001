import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, SharedHistory, SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import {
  AUTHOR,
  OTHER,
  PULL,
  createSharedHistory,
  createSimulatorWorld,
} from '../../fixtures/github/simulator-world.ts';

/** One comment of a batch, as it goes over the wire. */
type Comment = Readonly<Record<string, unknown>>;

describe('reviews on the simulated GitHub', () => {
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

  const post = (body: unknown, authorization?: string): Promise<Answer> =>
    world.call('POST', `${PULL}/reviews`, {
      body,
      ...(authorization === undefined ? {} : { authorization }),
    });
  const batch = (...comments: Comment[]): Promise<Answer> =>
    post({ body: 'Review', event: 'COMMENT', comments });
  const onApp = (fields: Comment): Comment => ({ path: 'src/app.ts', body: 'note', ...fields });

  it('accepts added, context and removed lines, ranges, new, deleted and renamed files', async () => {
    const answer = await batch(
      onApp({ line: 10 }),
      onApp({ line: 13, side: 'RIGHT' }),
      onApp({ line: 10, side: 'LEFT' }),
      onApp({ line: 12, start_line: 8, start_side: 'RIGHT' }),
      { path: 'docs/ein Überblick #1.md', line: 2, body: 'new file' },
      { path: 'gone.txt', line: 1, side: 'LEFT', body: 'deleted file' },
      { path: 'lib/moved.ts', line: 16, body: 'renamed file' },
    );
    expect([answer.status, answer.body.state, answer.body.user.login]).toEqual([
      200,
      'COMMENTED',
      'reviewer',
    ]);
    const posted = await world.simulator.comments(1);
    expect(posted.map(({ path, line, side, startLine }) => [path, line, side, startLine])).toEqual([
      ['src/app.ts', 10, 'RIGHT', null],
      ['src/app.ts', 13, 'RIGHT', null],
      ['src/app.ts', 10, 'LEFT', null],
      ['src/app.ts', 12, 'RIGHT', 8],
      ['docs/ein Überblick #1.md', 2, 'RIGHT', null],
      ['gone.txt', 1, 'LEFT', null],
      ['lib/moved.ts', 16, 'RIGHT', null],
    ]);
    expect(new Set(posted.map((comment) => comment.reviewId))).toEqual(new Set([answer.body.id]));
    expect(posted.every((comment) => comment.commit === world.head && comment.id > 2 ** 32)).toBe(true);
  });

  it('accepts a range that begins among removed lines and ends among added ones', async () => {
    const answer = await batch(onApp({ line: 10, side: 'RIGHT', start_line: 10, start_side: 'LEFT' }));
    expect(answer.status).toBe(200);
  });

  it.each<[string, Comment, string]>([
    ['a line between the hunks', onApp({ line: 20 }), 'Line could not be resolved'],
    ['the line above a hunk', onApp({ line: 6 }), 'Line could not be resolved'],
    ['the line below a hunk', onApp({ line: 34 }), 'Line could not be resolved'],
    ['a line that the file does not have', onApp({ line: 4_000 }), 'Line could not be resolved'],
    ['line zero', onApp({ line: 0 }), 'Line could not be resolved'],
    ['a comment without a line', onApp({}), 'Line could not be resolved'],
    [
      'an added line on the old side',
      { path: 'docs/ein Überblick #1.md', line: 1, side: 'LEFT', body: 'x' },
      'Line could not be resolved',
    ],
    [
      'the new side of a deleted file',
      { path: 'gone.txt', line: 1, body: 'x' },
      'Line could not be resolved',
    ],
    ['a binary file', { path: 'picture.bin', line: 1, body: 'x' }, 'Line could not be resolved'],
    ['a pure rename', { path: 'src/new-name.ts', line: 1, body: 'x' }, 'Line could not be resolved'],
    ['the old path of a rename', { path: 'src/moved.ts', line: 16, body: 'x' }, 'Path could not be resolved'],
    ['a file that was not changed', { path: 'secret.txt', line: 1, body: 'x' }, 'Path could not be resolved'],
    [
      'a range whose start is its end',
      onApp({ line: 10, start_line: 10 }),
      'Pull request review thread start line must precede the end line.',
    ],
    [
      'a range upside down',
      onApp({ line: 10, start_line: 12 }),
      'Pull request review thread start line must precede the end line.',
    ],
    [
      'a range over two hunks',
      onApp({ line: 30, start_line: 10 }),
      'Pull request review thread start line must be part of the same hunk as the line.',
    ],
    [
      'a range that starts outside the diff',
      onApp({ line: 10, start_line: 2 }),
      'Pull request review thread start line must be part of the same hunk as the line.',
    ],
    [
      'a range upwards over the sides',
      onApp({ line: 10, side: 'LEFT', start_line: 10, start_side: 'RIGHT' }),
      'Pull request review thread start line must precede the end line.',
    ],
    ['an empty comment', onApp({ line: 10, body: '' }), "Body can't be blank"],
    ['a blank comment', onApp({ line: 10, body: ' \n ' }), "Body can't be blank"],
    [
      'a comment that is too long',
      onApp({ line: 10, body: 'x'.repeat(65_537) }),
      'Body is too long (maximum is 65536 characters)',
    ],
  ])('refuses the whole review for %s', async (_, comment, message) => {
    const answer = await batch(onApp({ line: 11 }), comment);
    expect([answer.status, answer.body.message, answer.body.errors]).toEqual([
      422,
      'Unprocessable Entity',
      [message],
    ]);
    expect([await world.simulator.comments(1), world.simulator.reviews(1)]).toEqual([[], []]);
  });

  it('counts characters, not UTF-16 units', async () => {
    const answer = await batch(onApp({ line: 10, body: '\u{1F600}'.repeat(65_536) }));
    expect(answer.status).toBe(200);
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['a COMMENT without a body', { event: 'COMMENT' }, 422, "Review body can't be blank"],
    [
      'a REQUEST_CHANGES without a body',
      { event: 'REQUEST_CHANGES', body: ' ' },
      422,
      "Review body can't be blank",
    ],
    [
      'a commit of another history',
      { event: 'COMMENT', body: 'x', commit_id: 'f'.repeat(40) },
      422,
      'Commit is not part of the pull request',
    ],
    [
      'a body that is too long',
      { event: 'COMMENT', body: 'x'.repeat(65_537) },
      422,
      'Body is too long (maximum is 65536 characters)',
    ],
  ])('refuses %s', async (_, body, status, message) => {
    const answer = await post(body);
    expect([answer.status, answer.body.errors]).toEqual([status, [message]]);
    expect(world.simulator.reviews(1)).toEqual([]);
  });

  it('refuses the base commit as the commit of a review', async () => {
    expect((await post({ event: 'COMMENT', body: 'x', commit_id: world.base })).status).toBe(422);
    expect((await post({ event: 'COMMENT', body: 'x', commit_id: world.head })).status).toBe(200);
  });

  it('names wrong and missing fields', async () => {
    const event = await post({ event: 'LGTM', body: 'x' });
    expect([event.status, event.body.message]).toEqual([
      422,
      'Invalid request.\n\nFor \'properties/event\', the value is not valid: Invalid option: expected one of "APPROVE"|"REQUEST_CHANGES"|"COMMENT".',
    ]);
    const path = await batch({ body: 'x', line: 1 });
    expect([path.status, path.body.message]).toEqual([422, 'Invalid request.\n\n"path" wasn\'t supplied.']);
    const line = await batch(onApp({ line: '10' }));
    expect(line.status).toBe(422);
  });

  it('refuses text that is no JSON', async () => {
    const response = await fetch(`${world.simulator.apiUrl}${PULL}/reviews`, {
      method: 'POST',
      headers: { authorization: 'token ghp_reviewer' },
      body: '{"event":',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'Problems parsing JSON' });
  });

  it('lets nobody approve or block their own pull request', async () => {
    const approval = await post({ event: 'APPROVE' }, AUTHOR);
    expect([approval.status, approval.body.errors]).toEqual([422, ['Can not approve your own pull request']]);
    const block = await post({ event: 'REQUEST_CHANGES', body: 'x' }, AUTHOR);
    expect([block.status, block.body.errors]).toEqual([
      422,
      ['Can not request changes on your own pull request'],
    ]);
    expect((await post({ event: 'APPROVE' }, OTHER)).body.state).toBe('APPROVED');
  });

  it('keeps a review without an event pending, for its author alone', async () => {
    const draft = await post({ body: 'draft', comments: [onApp({ line: 10 })] });
    expect([draft.body.state, 'submitted_at' in draft.body]).toEqual(['PENDING', false]);
    const list = async (authorization: string): Promise<number> =>
      (await world.call('GET', `${PULL}/reviews`, { authorization })).body.length;
    expect([await list('token ghp_reviewer'), await list(OTHER)]).toEqual([1, 0]);
    expect((await world.call('GET', `${PULL}/comments`)).body).toEqual([]);
    const own = await world.call('GET', `${PULL}/reviews/${draft.body.id}/comments`);
    expect(own.body).toHaveLength(1);
    const foreign = await world.call('GET', `${PULL}/reviews/${draft.body.id}`, { authorization: OTHER });
    expect(foreign.status).toBe(404);
  });

  it('allows one pending review per person, which also blocks single comments', async () => {
    expect((await post({ body: 'first' })).status).toBe(200);
    const message = 'User can only have one pending review per pull request';
    for (const answer of [
      await post({ body: 'second' }),
      await post({ body: 'x', event: 'COMMENT' }),
      await world.call('POST', `${PULL}/comments`, {
        body: { body: 'x', path: 'src/app.ts', line: 10, commit_id: world.head },
      }),
    ]) {
      expect([answer.status, answer.body.errors]).toEqual([422, [message]]);
    }
    expect((await post({ body: 'mine' }, OTHER)).status).toBe(200);
  });

  it('keeps the rule when two requests race', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post({ body: 'draft', comments: [onApp({ line: 10 })] })),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 422),
    ]);
    expect(world.simulator.reviews(1)).toHaveLength(1);
  });

  it('submits, edits and deletes reviews', async () => {
    const draft = await post({ body: 'draft', comments: [onApp({ line: 10 })] });
    const url = `${PULL}/reviews/${draft.body.id}`;
    const noEvent = await world.call('POST', `${url}/events`, { body: {} });
    expect([noEvent.status, noEvent.body.message]).toEqual([
      422,
      'Invalid request.\n\n"event" wasn\'t supplied.',
    ]);
    expect((await world.call('PUT', url, { body: { body: 'better' } })).body.body).toBe('better');
    const submitted = await world.call('POST', `${url}/events`, { body: { event: 'COMMENT' } });
    expect([submitted.body.state, submitted.body.body]).toEqual(['COMMENTED', 'better']);
    expect((await world.call('GET', `${PULL}/comments`)).body).toHaveLength(1);
    for (const [method, path] of [
      ['POST', `${url}/events`],
      ['DELETE', url],
    ] as const) {
      const again = await world.call(method, path, { body: { event: 'COMMENT' } });
      expect([again.status, again.body.errors]).toEqual([
        422,
        ['Can not change a review that is not pending'],
      ]);
    }
    const second = await post({ body: 'second', comments: [onApp({ line: 11 })] });
    expect((await world.call('DELETE', `${PULL}/reviews/${second.body.id}`)).status).toBe(200);
    expect(await world.simulator.comments(1)).toHaveLength(1);
    expect((await post({ body: 'third' })).status).toBe(200);
  });

  it('records fields that the endpoint does not have', async () => {
    await batch(onApp({ line: 10, subject_type: 'line' }));
    expect(world.simulator.unknownFields().map(({ path, field }) => [path, field])).toEqual([
      [`${PULL}/reviews`, 'comments.0.subject_type'],
    ]);
  });

  it('pages reviews', async () => {
    for (let index = 0; index < 5; index += 1) await post({ body: `${index}`, event: 'COMMENT' });
    const page = await world.call('GET', `${PULL}/reviews?per_page=2&page=2`);
    expect(page.body.map((review: { body: string }) => review.body)).toEqual(['2', '3']);
    expect(page.headers.get('link')).toContain('page=3>; rel="next"');
  });
});

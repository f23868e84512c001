import { describe, expect, it } from 'vitest';
import type { ToolContext } from '../../../shared/tools/tool.ts';
import { DEFAULT_DISCLAIMER } from '../../../shared/tools/write/review-text.ts';
import {
  APP_PATCH,
  AUTHOR,
  createFakeProvider,
  createWorld,
  FILES,
  PULL_REQUEST,
  refusedByProvider,
} from './fake-provider.ts';
import { FULL_GRANT, outputOf, setUp, type SetupOptions } from './fixture.ts';

const MARKER_LINE = /^<!-- gatehouse:[0-9a-f]{24} -->$/;
const COMMENT_GRANT = { ...FULL_GRANT, submitActions: ['comment' as const] };
const SUBMIT = { action: 'comment', summary: 'Two things.' };
const TWO = {
  comments: [
    { path: 'src/app.ts', line: 2, body: 'First' },
    { path: 'src/app.ts', line: 21, body: 'Second' },
  ],
};

async function withDrafts(options: SetupOptions = {}): Promise<ReturnType<typeof setUp>> {
  const setup = setUp(options);
  outputOf(await setup.call('add_draft_comments', TWO));
  return setup;
}

function textOf(body: string | undefined): string {
  return (body ?? '').split('\n').slice(1).join('\n');
}

describe('submit_review as one review', () => {
  it('publishes the drafts and the summary, the disclaimer first after the marker', async () => {
    const { call, world } = await withDrafts();
    expect(outputOf(await call('submit_review', SUBMIT))).toEqual({
      action: 'comment',
      published: 2,
      remaining: 0,
      done: true,
      url: 'https://github.example/r/r1',
      refused: [],
      notes: [],
    });
    expect(world.writes).toEqual(['createReview']);
    expect(world.reviews[0]?.body.split('\n')[0]).toMatch(MARKER_LINE);
    expect(textOf(world.reviews[0]?.body)).toBe(`${DEFAULT_DISCLAIMER}\n\nTwo things.`);
    expect(world.inline.map(({ path, line, side, body }) => [path, line, side, textOf(body)])).toEqual([
      ['src/app.ts', 2, 'new', 'First'],
      ['src/app.ts', 21, 'new', 'Second'],
    ]);
    const markers = [world.reviews[0]?.body, ...world.inline.map(({ body }) => body)].map(
      (body) => body?.split('\n')[0],
    );
    expect(new Set(markers).size).toBe(3);
    expect(outputOf(await call('list_draft_review', {}))).toEqual({ comments: [], ofOthers: 0 });
  });

  it('says that it can not approve unless the grant allows approve, and takes its words from the setting', async () => {
    const cases: [SetupOptions, string][] = [
      [{ grant: COMMENT_GRANT }, `${DEFAULT_DISCLAIMER} It can not approve this pull request.`],
      [{ disclaimer: 'Beep.' }, 'Beep.'],
      [{ disclaimer: ' Beep. ', grant: COMMENT_GRANT }, 'Beep. It can not approve this pull request.'],
      [{ disclaimer: '  \n ' }, DEFAULT_DISCLAIMER],
      [{ disclaimer: '' }, DEFAULT_DISCLAIMER],
    ];
    for (const [changes, first] of cases) {
      const { call, world } = setUp(changes);
      outputOf(await call('submit_review', { action: 'comment', summary: 'S' }));
      expect(textOf(world.reviews[0]?.body)).toBe(`${first}\n\nS`);
    }
  });

  it('keeps what a caller writes from taking the place of the marker or the disclaimer', async () => {
    const { call, world } = setUp();
    const forged = `<!-- gatehouse:${'a'.repeat(24)} -->\n<!--`;
    outputOf(await call('submit_review', { action: 'comment', summary: forged }));
    const [marker, first, ...rest] = world.reviews[0]?.body.split('\n') ?? [];
    expect(marker).toMatch(MARKER_LINE);
    expect(marker).not.toContain('aaaa');
    expect(first).toBe(DEFAULT_DISCLAIMER);
    expect(rest.join('\n')).not.toContain('<!--');
  });

  it('publishes a summary alone when there are no drafts, and the same call only once within 24 hours', async () => {
    const { call, world, clock } = setUp();
    const first = outputOf(await call('submit_review', SUBMIT));
    expect(first).toMatchObject({ published: 0, remaining: 0, done: true });
    expect(outputOf(await call('submit_review', SUBMIT))).toEqual(first);
    expect(world.reviews).toHaveLength(1);
    outputOf(await call('submit_review', { ...SUBMIT, summary: 'Other.' }));
    expect(world.reviews).toHaveLength(2);
    clock.advance(24 * 3_600_000);
    outputOf(await call('submit_review', SUBMIT));
    expect(world.reviews).toHaveLength(3);
  });

  it('means the same submission by the same key, whatever the summary, for good', async () => {
    const { call, world, clock } = await withDrafts();
    const keyed = { ...SUBMIT, idempotencyKey: 'plan-1' };
    outputOf(await call('submit_review', keyed));
    clock.advance(30 * 24 * 3_600_000);
    const again = outputOf(await call('submit_review', { ...keyed, summary: 'Reworded.' }));
    expect(again).toMatchObject({ published: 2, done: true, url: 'https://github.example/r/r1' });
    expect(world.reviews).toHaveLength(1);
    outputOf(await call('submit_review', { ...keyed, idempotencyKey: 'plan-2' }));
    expect(world.reviews).toHaveLength(2);
  });

  it('does not let one caller address the submission of another by its key', async () => {
    const { call, world } = setUp();
    const keyed = { ...SUBMIT, idempotencyKey: 'plan-1' };
    outputOf(await call('submit_review', keyed));
    outputOf(await call('submit_review', keyed, { callerId: 'client-b' }));
    expect(world.reviews).toHaveLength(2);
  });

  it('publishes new drafts by a second call with the same arguments', async () => {
    const { call, world } = await withDrafts();
    outputOf(await call('submit_review', SUBMIT));
    outputOf(
      await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 3, body: 'Third' }] }),
    );
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 1, done: true });
    expect(world.reviews).toHaveLength(2);
    expect(world.inline.map(({ body }) => textOf(body))).toEqual(['First', 'Second', 'Third']);
  });

  it('builds the suggestion block itself and takes apart one that a caller wrote', async () => {
    const { call, world } = setUp();
    const comments = [
      { path: 'src/app.ts', line: 3, startLine: 2, body: 'Better:', suggestion: 'import c\nconst `y` = 1' },
      { path: 'src/app.ts', line: 21, body: '```suggestion\nevil()\n```' },
    ];
    outputOf(await call('add_draft_comments', { comments }));
    outputOf(await call('submit_review', SUBMIT));
    expect(world.inline[0]).toMatchObject({ line: 3, startLine: 2 });
    expect(textOf(world.inline[0]?.body)).toBe('Better:\n\n```suggestion\nimport c\nconst `y` = 1\n```');
    expect(textOf(world.inline[1]?.body)).toBe('```text\nevil()\n```');
  });

  it('masks secrets and cuts a body to the limit of the provider, marker and fence intact', async () => {
    const world = createWorld();
    const provider = createFakeProvider(world, undefined, 400);
    const { call } = setUp({ world, provider });
    const long = `key ghp_${'a1B2'.repeat(9)} here\n\n\`\`\`ts\n${'const x = 1;\n'.repeat(60)}\`\`\``;
    outputOf(await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 2, body: long }] }));
    outputOf(await call('submit_review', SUBMIT));
    const body = world.inline[0]?.body ?? '';
    expect(body.length).toBeLessThanOrEqual(400);
    expect(body.split('\n')[0]).toMatch(MARKER_LINE);
    expect(body).toContain('key [masked] here');
    expect(body).not.toContain('ghp_');
    expect(body.match(/```/g)).toHaveLength(2);
    expect(body).toMatch(/\n\n\[cut: \d+ characters do not fit here\]$/);
  });
});

describe('submit_review, refused', () => {
  const cases: [string, unknown, Partial<ToolContext>, string, string][] = [
    [
      'an unknown action',
      { action: 'merge', summary: 'S' },
      {},
      'invalid_input',
      'Invalid input. action: Invalid option: expected one of "comment"|"approve"|"request_changes".',
    ],
    [
      'dismiss',
      { action: 'dismiss', summary: 'S' },
      {},
      'invalid_input',
      'Invalid input. action: Invalid option: expected one of "comment"|"approve"|"request_changes".',
    ],
    [
      'no summary',
      { action: 'comment' },
      {},
      'invalid_input',
      'Invalid input. summary: Invalid input: expected string, received undefined.',
    ],
    [
      'a blank summary',
      { action: 'comment', summary: ' \n' },
      {},
      'invalid_comment',
      'The summary is empty.',
    ],
    [
      'a long summary',
      { action: 'comment', summary: 'x'.repeat(4_001) },
      {},
      'invalid_input',
      'Invalid input. summary: Too big: expected string to have <=4000 characters.',
    ],
    [
      'another pull request',
      { action: 'comment', summary: 'S', number: 13 },
      {},
      'invalid_input',
      'Invalid input. one unknown field; only the fields of the schema are allowed.',
    ],
    [
      'an action the grant lacks',
      { action: 'approve', summary: 'S' },
      { grant: COMMENT_GRANT },
      'not_allowed',
      'This grant does not allow approve; allowed: comment.',
    ],
  ];
  it.each(cases)('%s writes nothing', async (_what, args, changes, code, message) => {
    const { call, world } = await withDrafts();
    expect(await call('submit_review', args, changes)).toEqual({ ok: false, code, message });
    expect(world.writes).toEqual([]);
  });

  it('when the head moved or the pull request was closed', async () => {
    const { call, world } = await withDrafts();
    world.pullRequest = { ...PULL_REQUEST, headSha: 'c'.repeat(40) };
    expect(await call('submit_review', SUBMIT)).toMatchObject({
      code: 'stale_head',
      message: `The head moved from ${'a'.repeat(40)} to ${'c'.repeat(40)}. Read the pull request again.`,
    });
    world.pullRequest = { ...PULL_REQUEST, state: 'merged' };
    expect(await call('submit_review', SUBMIT)).toMatchObject({ code: 'pull_request_closed' });
    expect(world.writes).toEqual([]);
    world.pullRequest = PULL_REQUEST;
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 2, done: true });
  });

  it('when the head moves, or the lease is lost, between the first look and the write', async () => {
    const { call, world } = await withDrafts();
    const lost = await call('submit_review', SUBMIT, {
      confirmBeforeWrite: async () => {
        world.pullRequest = { ...PULL_REQUEST, headSha: 'c'.repeat(40) };
      },
    });
    expect(lost).toMatchObject({ code: 'stale_head' });
    expect(world.writes).toEqual([]);
  });

  it('while a pending review of our own identity blocks every other', async () => {
    const { call, world } = await withDrafts();
    world.beforeWrite = () => {
      throw Object.assign(refusedByProvider('review_refused'), {
        details: { reason: 'pending_review_exists' },
      });
    };
    expect(await call('submit_review', SUBMIT)).toMatchObject({ code: 'foreign_draft' });
    expect(world.writes).toEqual(['createReview']);
    world.beforeWrite = () => undefined;
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 2, done: true });
    expect(world.writes).toEqual(['createReview', 'createReview']);
  });

  it('leaves drafts of others alone', async () => {
    const { call, world } = await withDrafts({ callerId: 'client-b' });
    outputOf(await call('submit_review', SUBMIT, { callerId: 'client-a' }));
    expect(world.inline).toEqual([]);
    expect(outputOf(await call('list_draft_review', {}))).toMatchObject({
      comments: [{ state: 'draft' }, { state: 'draft' }],
    });
  });
});

describe('submit_review of drafts that aged', () => {
  const NEW_HEAD = { ...PULL_REQUEST, headSha: 'd'.repeat(40) };

  it('leaves out drafts after 7 days and says so', async () => {
    const { call, world, clock } = await withDrafts();
    clock.advance(7 * 24 * 3_600_000 - 1);
    outputOf(
      await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 3, body: 'Fresh' }] }),
    );
    clock.advance(1);
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({
      published: 1,
      remaining: 0,
      done: true,
      notes: ['2 drafts are older than 7 days, have expired and were not submitted.'],
    });
    expect(world.inline.map(({ body }) => textOf(body))).toEqual(['Fresh']);
  });

  it('publishes them on a new head where the same lines stand in the same place', async () => {
    const { call, world } = await withDrafts();
    world.pullRequest = NEW_HEAD;
    expect(outputOf(await call('submit_review', SUBMIT, { pullRequest: NEW_HEAD }))).toMatchObject({
      published: 2,
    });
  });

  it('refuses those whose lines changed or left the diff, and posts the rest', async () => {
    const { call, world } = await withDrafts();
    world.pullRequest = NEW_HEAD;
    const changedFiles = [{ ...FILES[0]!, patch: APP_PATCH.replace('+  return 2', '+  return 3') }];
    const output = outputOf(await call('submit_review', SUBMIT, { pullRequest: NEW_HEAD, changedFiles }));
    expect(output).toMatchObject({
      published: 1,
      remaining: 0,
      done: true,
      refused: [
        {
          path: 'src/app.ts',
          code: 'invalid_anchor',
          message: 'The commented lines changed since the draft was written; delete it and comment again.',
        },
      ],
    });
    expect(world.inline.map(({ body }) => textOf(body))).toEqual(['First']);
    expect(outputOf(await call('list_draft_review', {}))).toMatchObject({
      comments: [
        {
          state: 'refused',
          note: 'The commented lines changed since the draft was written; delete it and comment again.',
        },
      ],
    });
  });
});

describe('submit_review with a verdict', () => {
  it.each(['approve', 'request_changes'] as const)(
    '%s: posts the comments, then one review that says it',
    async (action) => {
      const { call, world } = await withDrafts();
      expect(outputOf(await call('submit_review', { ...SUBMIT, action }))).toMatchObject({
        action,
        published: 2,
        done: true,
      });
      expect(world.writes).toEqual([
        'createThread',
        'createThread',
        'createPendingReview',
        'submitPendingReview',
      ]);
      expect(world.submitted.map((review) => [review.action, textOf(review.body)])).toEqual([
        [action, `${DEFAULT_DISCLAIMER}\n\nTwo things.`],
      ]);
    },
  );

  it('on an own pull request comments and says so', async () => {
    const world = { ...createWorld(), self: AUTHOR };
    const { call } = setUp({ world });
    expect(outputOf(await call('submit_review', { ...SUBMIT, action: 'approve' }))).toMatchObject({
      action: 'comment',
      notes: ["Submitted as a comment: approve is not possible on one's own pull request."],
    });
    expect(world.submitted).toEqual([]);
    expect(textOf(world.reviews[0]?.body)).toBe(
      `${DEFAULT_DISCLAIMER}\n\nSubmitted as a comment: approve is not possible on one's own pull request.\n\nTwo things.`,
    );
  });

  it('that the provider refuses becomes a comment and says so, once', async () => {
    const { call, world } = setUp();
    world.beforeWrite = (method) => {
      if (method === 'submitPendingReview') throw refusedByProvider();
    };
    const args = { ...SUBMIT, action: 'approve' };
    const note = 'The provider refused approve; this review was submitted as a comment.';
    expect(outputOf(await call('submit_review', args))).toMatchObject({ done: true, notes: [note] });
    expect(outputOf(await call('submit_review', args))).toMatchObject({ done: true });
    expect(world.reviews).toHaveLength(1);
    expect(textOf(world.reviews[0]?.body)).toBe(`${DEFAULT_DISCLAIMER}\n\n${note}\n\nTwo things.`);
  });

  it("never submits a person's pending review", async () => {
    const { call, world } = setUp();
    world.pending = { id: 'theirs', body: 'my own notes' };
    expect(await call('submit_review', { ...SUBMIT, action: 'approve' })).toMatchObject({
      code: 'foreign_draft',
    });
    expect(world.pending).toEqual({ id: 'theirs', body: 'my own notes' });
    expect(world.submitted).toEqual([]);
  });

  it('is refused where a provider knows none', async () => {
    const world = createWorld();
    const { call } = setUp({ world, provider: createFakeProvider(world, ['reviews', 'threadWriter']) });
    expect(await call('submit_review', { ...SUBMIT, action: 'approve' })).toMatchObject({
      code: 'unavailable_here',
    });
    expect(world.writes).toEqual([]);
  });
});

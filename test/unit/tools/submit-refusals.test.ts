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
    world.beforeWrite = () => undefined;
    expect(outputOf(await call('submit_review', args))).toMatchObject({ done: true });
    expect(world.submitted).toEqual([]);
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

  it('stops and alerts when what should be pending is visible', async () => {
    const world = { ...createWorld(), leaksDrafts: true };
    const { call } = setUp({ world });
    expect(await call('submit_review', { ...SUBMIT, action: 'approve' })).toEqual({
      ok: false,
      code: 'draft_visible',
      message: 'What should have been a pending review is visible to everybody. Stop, and alert a person.',
    });
    expect(world.submitted).toEqual([]);
  });

  it('is refused where a provider knows none', async () => {
    const world = createWorld();
    const provider = createFakeProvider(world, ['reviews', 'threadWriter']);
    const { call } = await withDrafts({ world, provider });
    expect(await call('submit_review', { ...SUBMIT, action: 'approve' })).toMatchObject({
      code: 'unavailable_here',
    });
    expect(world.writes).toEqual([]);
  });
});

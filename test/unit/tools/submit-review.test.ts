import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { DEFAULT_DISCLAIMER } from '../../../shared/tools/write/review-text.ts';
import { AUTHOR, createFakeProvider, createWorld, PULL_REQUEST } from './fake-provider.ts';
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

  it('means the same summary alone by the same key, for good', async () => {
    const { call, world, clock } = setUp();
    const keyed = { ...SUBMIT, idempotencyKey: 'plan-1' };
    outputOf(await call('submit_review', keyed));
    clock.advance(48 * 3_600_000);
    outputOf(await call('submit_review', keyed));
    expect(world.reviews).toHaveLength(1);
  });

  it('repeats a submission of drafts only for 24 hours after it began', async () => {
    const { call, world, clock } = await withDrafts();
    clock.advance(23 * 3_600_000);
    outputOf(await call('submit_review', SUBMIT));
    clock.advance(24 * 3_600_000 - 1);
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 2, done: true });
    expect(world.reviews).toHaveLength(1);
    clock.advance(1);
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 0, done: true });
    expect(world.reviews).toHaveLength(2);
  });

  it('answers a repeated call although the head moved since', async () => {
    const { call, world } = await withDrafts();
    const first = outputOf(await call('submit_review', SUBMIT));
    world.pullRequest = { ...PULL_REQUEST, headSha: 'c'.repeat(40) };
    expect(outputOf(await call('submit_review', SUBMIT))).toEqual(first);
    expect(world.writes).toEqual(['createReview']);
  });

  it('does not take a copy of its marker in the review of somebody else for its own', async () => {
    const { call, world } = await withDrafts();
    let isFirst = true;
    world.beforeWrite = (_method, argument) => {
      if (!isFirst) return;
      isFirst = false;
      const { body } = argument as { body: string };
      world.reviews.push({
        reviewId: 'copy',
        author: AUTHOR,
        body,
        commit: 'c',
        url: 'https://github.example/r/copy',
      });
      throw new AppError({ kind: 'transient', code: 'provider_unreachable', message: 'No answer.' });
    };
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({
      url: 'https://github.example/r/r2',
    });
    expect(world.inline).toHaveLength(2);
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

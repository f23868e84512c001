import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { DEFAULT_DISCLAIMER } from '../../../shared/tools/write/review-text.ts';
import { createFakeProvider, createWorld, refusedByProvider, type FakeWorld } from './fake-provider.ts';
import { outputOf, setUp, type SetupOptions } from './fixture.ts';

const SUBMIT = { action: 'comment', summary: 'Three things.' };
const THREE = {
  comments: [
    { path: 'src/app.ts', line: 2, body: 'First' },
    { path: 'src/app.ts', line: 21, body: 'Second' },
    { path: 'logo.png', subject: 'file', body: 'On the file' },
  ],
};

async function withDrafts(options: SetupOptions = {}): Promise<ReturnType<typeof setUp>> {
  const setup = setUp(options);
  outputOf(await setup.call('add_draft_comments', THREE));
  return setup;
}

function textOf(body: string | undefined): string {
  return (body ?? '').split('\n').slice(1).join('\n');
}

/** Texts of all comments people can see, in the order they were posted. */
function threadTexts(world: FakeWorld): string[] {
  return world.threads.map(({ comments }) => textOf(comments[0]?.body));
}

describe('submit_review, comment by comment', () => {
  it('goes on that way when the provider refuses the whole, and never tries the whole again', async () => {
    const { call, world } = await withDrafts();
    let isBroken = true;
    world.beforeWrite = (method, argument) => {
      const hasComments = method === 'createReview' && JSON.stringify(argument).includes('"line"');
      if (hasComments) throw refusedByProvider('review_refused');
      if (isBroken && JSON.stringify(argument).includes('Second'))
        throw new AppError({
          kind: 'transient',
          code: 'provider_rate_limited',
          message: 'Slow down.',
          retryAfterMs: 7_000,
        });
    };
    expect(outputOf(await call('submit_review', SUBMIT))).toEqual({
      action: 'comment',
      published: 1,
      remaining: 2,
      done: false,
      refused: [],
      stoppedBy: 'provider_rate_limited',
      retryAfterMs: 7_000,
      notes: [],
    });
    isBroken = false;
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({
      published: 3,
      remaining: 0,
      done: true,
    });
    expect(threadTexts(world)).toEqual(['First', 'Second', 'On the file']);
    expect(world.reviews.map(({ body }) => textOf(body))).toEqual([`${DEFAULT_DISCLAIMER}\n\nThree things.`]);
    expect(world.writes).toEqual([
      'createReview',
      'createThread',
      'createThread',
      'createThread',
      'createThread',
      'createReview',
    ]);
  });

  it('reads a refused review back first: one that is there after all is not repeated', async () => {
    const { call, world } = await withDrafts();
    const createReview = createFakeProvider(world).reviews?.createReview;
    let isFirst = true;
    world.beforeWrite = (method, argument) => {
      if (method !== 'createReview' || !isFirst) return;
      isFirst = false;
      void createReview?.({} as never, argument as never);
      throw refusedByProvider('review_refused');
    };
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 3, done: true });
    expect(world.reviews).toHaveLength(1);
    // Only the comment on the file, which no review can hold.
    expect(threadTexts(world)).toEqual(['On the file']);
  });

  it('reports a comment that the provider refuses, posts the others, and takes it again once it was changed', async () => {
    const { call, world } = await withDrafts();
    world.beforeWrite = (method, argument) => {
      const text = JSON.stringify(argument);
      if (method === 'createReview' && text.includes('"line"')) throw refusedByProvider('review_refused');
      if (text.includes('Second')) throw refusedByProvider();
    };
    const output = outputOf(await call('submit_review', SUBMIT));
    expect(output).toMatchObject({
      published: 2,
      remaining: 0,
      done: true,
      refused: [{ path: 'src/app.ts', code: 'provider_refused', message: 'The provider refused it.' }],
    });
    const listed = outputOf(await call('list_draft_review', {})) as {
      comments: { id: string; state: string }[];
    };
    expect(listed.comments).toMatchObject([{ state: 'refused', note: 'The provider refused it.' }]);
    outputOf(await call('update_draft_comment', { id: listed.comments[0]?.id, body: 'Reworded' }));
    expect(outputOf(await call('submit_review', { ...SUBMIT, summary: 'Once more.' }))).toMatchObject({
      published: 1,
      done: true,
      refused: [],
    });
    expect(threadTexts(world)).toEqual(['First', 'On the file', 'Reworded']);
  });

  it('keeps its drafts fixed until it is known what became of them, and is finished first', async () => {
    const { call, world } = await withDrafts();
    const ids = (
      outputOf(await call('list_draft_review', {})) as { comments: { id: string }[] }
    ).comments.map(({ id }) => id);
    world.beforeWrite = () => {
      throw new AppError({ kind: 'transient', code: 'provider_failed', message: 'No answer.' });
    };
    expect(await call('submit_review', SUBMIT)).toMatchObject({ ok: false, code: 'write_unknown' });
    const id = ids[0];
    const busy = { ok: false, code: 'draft_submitting' };
    expect(await call('update_draft_comment', { id, body: 'x' })).toMatchObject(busy);
    expect(await call('delete_draft_comment', { id })).toMatchObject(busy);
    expect(outputOf(await call('delete_draft_review', {}))).toEqual({ deleted: [], kept: 3 });
    world.beforeWrite = () => undefined;
    outputOf(
      await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 3, body: 'Later' }] }),
    );
    const other = { ...SUBMIT, summary: 'Another.' };
    expect(outputOf(await call('submit_review', other))).toMatchObject({
      published: 3,
      remaining: 1,
      done: false,
      notes: ['An earlier submission was unfinished and was finished first; call again for the rest.'],
    });
    expect(outputOf(await call('submit_review', other))).toMatchObject({
      published: 1,
      remaining: 0,
      done: true,
    });
    expect(world.inline.map(({ body }) => textOf(body))).toEqual(['First', 'Second', 'Later']);
    expect(world.reviews).toHaveLength(2);
  });

  it('keeps its drafts fixed when it is cut off before it is known whether they are out', async () => {
    const { call, world } = await withDrafts();
    const createReview = createFakeProvider(world).reviews?.createReview;
    const superseded = new AbortController();
    world.beforeWrite = (method, argument) => {
      if (method !== 'createReview' || superseded.signal.aborted) return;
      superseded.abort(new AppError({ kind: 'stale', code: 'superseded', message: 'A newer push came.' }));
      void createReview?.({} as never, argument as never);
      throw new AppError({ kind: 'transient', code: 'provider_failed', message: 'No answer.' });
    };
    expect(await call('submit_review', SUBMIT, { signal: superseded.signal })).toMatchObject({
      code: 'superseded',
    });
    expect(await call('delete_draft_comment', { id: 'e0b107f9-1' })).toMatchObject({
      code: 'draft_submitting',
    });
    const other = { ...SUBMIT, summary: 'Other words.' };
    expect(outputOf(await call('submit_review', other))).toMatchObject({ published: 3, remaining: 0 });
    expect(world.reviews).toHaveLength(1);
    expect(world.inline).toHaveLength(2);
  });

  it('keeps the refusal of a comment although the next one is cut off', async () => {
    const { call, world } = await withDrafts();
    world.beforeWrite = (method) => {
      if (method === 'createReview') throw refusedByProvider('review_refused');
      if (world.writes.length === 2) throw refusedByProvider();
      throw new AppError({ kind: 'stale', code: 'stale_head', message: 'The head moved.' });
    };
    expect(await call('submit_review', SUBMIT)).toMatchObject({ ok: false, code: 'stale_head' });
    expect(outputOf(await call('list_draft_review', {}))).toMatchObject({
      comments: [{ state: 'refused' }, { state: 'submitting' }, { state: 'submitting' }],
    });
  });

  it('is over under its own key, whatever was drafted since', async () => {
    const { call } = await withDrafts();
    const keyed = { ...SUBMIT, idempotencyKey: 'k' };
    outputOf(await call('submit_review', keyed));
    outputOf(
      await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 3, body: 'Later' }] }),
    );
    expect(outputOf(await call('submit_review', keyed))).toMatchObject({
      published: 3,
      remaining: 1,
      done: true,
      notes: ['1 more drafts wait; call again with another idempotencyKey to submit them.'],
    });
  });

  it('puts what can have no thread of its own into the text', async () => {
    const world = createWorld();
    const { call } = await withDrafts({ world, provider: createFakeProvider(world, ['reviews']) });
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 3, done: true });
    expect(textOf(world.reviews[0]?.body)).toBe(
      `${DEFAULT_DISCLAIMER}\n\nThree things.\n\n**logo.png**\n\nOn the file`,
    );
  });

  it('posts reviews of one comment where nothing else can be posted alone', async () => {
    const world = createWorld();
    const { call } = await withDrafts({ world, provider: createFakeProvider(world, ['reviews']) });
    world.beforeWrite = (_method, argument) => {
      if ((argument as { comments: unknown[] }).comments.length > 1)
        throw refusedByProvider('review_refused');
    };
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 3, done: true });
    expect(world.inline.map(({ body }) => textOf(body))).toEqual(['First', 'Second']);
    expect(world.reviews.map(({ body }) => textOf(body).split('\n\n')[1])).toEqual([
      undefined,
      undefined,
      'Three things.',
    ]);
    const markers = [...world.reviews, ...world.inline].map(({ body }) => body.split('\n')[0]);
    expect(new Set(markers).size).toBe(5);
  });

  it('posts threads and a general comment where there are no reviews', async () => {
    const world = createWorld();
    const provider = createFakeProvider(world, ['threadWriter', 'generalComments']);
    const { call } = await withDrafts({ world, provider });
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 3, done: true });
    expect(threadTexts(world)).toEqual(['First', 'Second', 'On the file']);
    expect(world.general.map(({ body }) => textOf(body))).toEqual([`${DEFAULT_DISCLAIMER}\n\nThree things.`]);
    expect(world.writes.at(-1)).toBe('createGeneralComment');
  });
});

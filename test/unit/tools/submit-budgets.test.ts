import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { refusedByProvider, type FakeWorld } from './fake-provider.ts';
import { FULL_GRANT, outputOf, setUp, type SetupOptions } from './fixture.ts';

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

describe('submit_review and budgets', () => {
  it('publishes as much as the budget allows and says when it opens', async () => {
    const grant = { ...FULL_GRANT, budgets: { writesPerHour: 2 } };
    const { call, world, clock } = await withDrafts({ grant });
    clock.advance(3_600_000 - 1_000);
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({
      published: 2,
      remaining: 1,
      done: false,
      stoppedBy: 'budget_exhausted',
      retryAfterMs: 1_000,
    });
    clock.advance(1_000);
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({ published: 3, done: true });
    expect(threadTexts(world)).toEqual(['First', 'Second', 'On the file']);
    expect(world.reviews).toHaveLength(1);
  });

  it('counts a review by its comments and its text', async () => {
    const grant = { ...FULL_GRANT, budgets: { writesPerRun: 4 } };
    const { call, world } = await withDrafts({ grant });
    outputOf(await call('submit_review', SUBMIT));
    expect(world.writes).toEqual(['createReview', 'createThread']);
    expect(await call('submit_review', { ...SUBMIT, summary: 'More.' })).toEqual({
      ok: false,
      code: 'budget_exhausted',
      message: 'This caller has used all 4 writes on this pull request.',
    });
  });

  it('answers a repeated call although the budget is spent since', async () => {
    const grant = { ...FULL_GRANT, budgets: { writesPerRun: 4 } };
    const { call, world } = await withDrafts({ grant });
    const first = outputOf(await call('submit_review', SUBMIT));
    expect(outputOf(await call('submit_review', SUBMIT))).toEqual(first);
    expect(world.writes).toHaveLength(2);
  });

  it('stops in the middle when writes are stopped', async () => {
    let isStopped = false;
    const { call, world } = await withDrafts({ isStopped: () => isStopped });
    world.beforeWrite = (method) => {
      if (method === 'createReview' && world.writes.length === 1) throw refusedByProvider('review_refused');
      isStopped = world.threads.length >= 1;
    };
    expect(outputOf(await call('submit_review', SUBMIT))).toMatchObject({
      published: 2,
      stoppedBy: 'writes_stopped',
    });
    expect(threadTexts(world)).toEqual(['First', 'Second']);
  });

  it('lets drafts be changed again when nothing of them was written', async () => {
    const { call, world, context } = await withDrafts();
    const stale = new AppError({ kind: 'stale', code: 'superseded', message: 'A newer push came.' });
    const refused = await call('submit_review', SUBMIT, {
      ...context,
      confirmBeforeWrite: () => Promise.reject(stale),
    });
    expect(refused).toMatchObject({ ok: false, code: 'superseded' });
    expect(outputOf(await call('delete_draft_review', {}))).toMatchObject({ kept: 0 });
    expect(world.writes).toEqual([]);
  });
});

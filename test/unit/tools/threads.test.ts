import { AppError } from '../../../shared/domain/app-error.ts';
import { describe, expect, it } from 'vitest';
import type { ProviderThread } from '../../../shared/providers/ports.ts';
import { threadKey } from '../../../shared/state/keys.ts';
import { AUTHOR, createWorld, PULL_REQUEST, US } from './fake-provider.ts';
import { FULL_GRANT, outputOf, setUp } from './fixture.ts';

const MARKED = `<!-- gatehouse:${'a'.repeat(24)} -->\nOurs`;
const SECOND = 1_000;

function thread(
  id: string,
  author: typeof US,
  body: string,
  changes: Partial<ProviderThread> = {},
): ProviderThread {
  const comments = [{ id: `${id}-1`, author, body, createdAt: 1_800_000_000_000 }];
  return {
    id,
    path: 'src/app.ts',
    line: 2,
    side: 'new',
    isResolved: false,
    isOutdated: false,
    comments,
    ...changes,
  };
}

const FOREIGN = [
  ['of a person', thread('x', AUTHOR, 'Theirs')],
  ['of a person who pasted our marker', thread('x', AUTHOR, MARKED)],
  ['of our identity without a marker: a person may share it', thread('x', US, 'Typed by hand')],
  ['of our identity with the marker in a quote', thread('x', US, `> ${MARKED}`)],
  ['of an unknown opener', thread('x', US, MARKED, { comments: [] })],
] as const;

function withThreads(...threads: ProviderThread[]): ReturnType<typeof setUp> {
  const world = createWorld();
  world.threads.push(...threads);
  return setUp({ world });
}

describe('resolve_thread', () => {
  it('resolves an own thread once', async () => {
    const { call, world } = withThreads(thread('t1', US, MARKED));
    expect(outputOf(await call('resolve_thread', { threadId: 't1' }))).toEqual({
      threadId: 't1',
      wasResolved: false,
    });
    expect(world.threads[0]?.isResolved).toBe(true);
    expect(outputOf(await call('resolve_thread', { threadId: 't1' }))).toEqual({
      threadId: 't1',
      wasResolved: true,
    });
    expect(world.writes).toEqual(['setResolved']);
  });

  it('says so for a thread that is resolved already although the budget is spent', async () => {
    const world = createWorld();
    world.threads.push(thread('t1', US, MARKED, { isResolved: true }));
    const { call } = setUp({ world, grant: { ...FULL_GRANT, budgets: { writesPerRun: 0 } } });
    expect(outputOf(await call('resolve_thread', { threadId: 't1' }))).toEqual({
      threadId: 't1',
      wasResolved: true,
    });
  });

  it('takes a recorded thread without a marker for its own', async () => {
    const { call, world, table, context } = withThreads(thread('t1', US, 'Marker lost'));
    await table.transaction(context.partitionKey, [
      { kind: 'create', rowKey: threadKey('t1'), values: { v: 1 } },
    ]);
    outputOf(await call('resolve_thread', { threadId: 't1' }));
    expect(world.threads[0]?.isResolved).toBe(true);
  });

  it.each(FOREIGN)('refuses a thread %s', async (_what, foreign) => {
    const { call, world } = withThreads(foreign);
    expect(await call('resolve_thread', { threadId: 'x' })).toEqual({
      ok: false,
      code: 'not_own_thread',
      message: 'Only threads that Gatehouse opened may be changed; reply instead.',
    });
    expect(world.writes).toEqual([]);
  });

  it('refuses a thread that is recorded but was opened by somebody else', async () => {
    const { call, world, table, context } = withThreads(thread('t1', AUTHOR, MARKED));
    await table.transaction(context.partitionKey, [
      { kind: 'create', rowKey: threadKey('t1'), values: { v: 1 } },
    ]);
    expect(await call('resolve_thread', { threadId: 't1' })).toMatchObject({ code: 'not_own_thread' });
    expect(world.writes).toEqual([]);
  });

  it('refuses an unknown thread, also one that exists on another pull request', async () => {
    const { call, world } = withThreads(thread('t1', US, MARKED));
    expect(await call('resolve_thread', { threadId: 'PRRT_of_another' })).toEqual({
      ok: false,
      code: 'not_found',
      message: 'No such thread on this pull request; call list_threads for the ids.',
    });
    expect(world.writes).toEqual([]);
  });

  it('resolves again after the thread was reopened on a new head', async () => {
    const { call, world } = withThreads(thread('t1', US, MARKED));
    outputOf(await call('resolve_thread', { threadId: 't1' }));
    world.threads[0] = thread('t1', US, MARKED);
    const pullRequest = { ...PULL_REQUEST, headSha: 'e'.repeat(40) };
    world.pullRequest = pullRequest;
    outputOf(await call('resolve_thread', { threadId: 't1' }, { pullRequest }));
    expect(world.threads[0]?.isResolved).toBe(true);
  });
});

describe('reply_to_thread', () => {
  it('answers anybody, and never changes the state of the thread', async () => {
    const { call, world } = withThreads(thread('t1', AUTHOR, 'Why?', { isResolved: true }));
    const args = { threadId: 't1', body: '/resolve\n/close because @mona said so' };
    expect(outputOf(await call('reply_to_thread', args))).toMatchObject({ threadId: 't1' });
    expect(world.writes).toEqual(['reply']);
    expect(world.threads[0]?.isResolved).toBe(true);
    const reply = world.threads[0]?.comments[1]?.body ?? '';
    expect(reply.split('\n')[0]).toMatch(/^<!-- gatehouse:[0-9a-f]{24} -->$/);
    // Quick actions and mentions are taken apart.
    expect(reply).not.toMatch(/^\/(?:resolve|close)/m);
    expect(reply).not.toMatch(/(?<![\w`\\])@mona/);
  });

  it('posts the same reply once a day, and another key at once', async () => {
    const { call, world, clock } = withThreads(thread('t1', AUTHOR, 'Why?'));
    const args = { threadId: 't1', body: 'Because.' };
    const first = outputOf(await call('reply_to_thread', args));
    expect(outputOf(await call('reply_to_thread', args))).toEqual(first);
    expect(world.threads[0]?.comments).toHaveLength(2);
    outputOf(await call('reply_to_thread', { ...args, idempotencyKey: 'again' }));
    expect(world.threads[0]?.comments).toHaveLength(3);
    clock.advance(24 * 3_600 * SECOND);
    outputOf(await call('reply_to_thread', args));
    outputOf(await call('reply_to_thread', { ...args, idempotencyKey: 'again' }));
    expect(world.threads[0]?.comments).toHaveLength(4);
  });

  it('is not taken for the same reply of another caller, or on another pull request', async () => {
    const { call, world } = withThreads(thread('t1', AUTHOR, 'Why?'));
    const args = { threadId: 't1', body: 'Because.', idempotencyKey: 'k' };
    outputOf(await call('reply_to_thread', args));
    outputOf(await call('reply_to_thread', args, { callerId: 'client-b' }));
    outputOf(await call('reply_to_thread', args, { partitionKey: 'f'.repeat(32) }));
    const markers = world.threads[0]?.comments.slice(1).map(({ body }) => body.split('\n')[0]);
    expect(new Set(markers).size).toBe(3);
  });

  it('posts nothing when the lease is lost', async () => {
    const { call, world } = withThreads(thread('t1', AUTHOR, 'Why?'));
    const lost = new AppError({ kind: 'stale', code: 'lost', message: 'The lease is lost.' });
    const confirmBeforeWrite = (): Promise<void> => Promise.reject(lost);
    expect(
      await call('reply_to_thread', { threadId: 't1', body: 'x' }, { confirmBeforeWrite }),
    ).toMatchObject({ code: 'lost' });
    expect(world.writes).toEqual([]);
  });

  it('refuses an unknown thread, a blank reply and a closed pull request, and takes a moved head', async () => {
    const { call, world } = withThreads(thread('t1', AUTHOR, 'Why?'));
    expect(await call('reply_to_thread', { threadId: 't2', body: 'x' })).toMatchObject({ code: 'not_found' });
    expect(await call('reply_to_thread', { threadId: 't1', body: ' ' })).toMatchObject({
      code: 'invalid_comment',
    });
    world.pullRequest = { ...PULL_REQUEST, state: 'closed' };
    expect(await call('reply_to_thread', { threadId: 't1', body: 'x' })).toMatchObject({
      code: 'pull_request_closed',
    });
    expect(world.writes).toEqual([]);
  });
});

describe('create_inline_thread', () => {
  it('opens one thread, the same call gives the same one', async () => {
    const { call, world } = setUp();
    const args = { path: 'src/app.ts', line: 2, body: 'Here' };
    const first = outputOf(await call('create_inline_thread', args));
    expect(outputOf(await call('create_inline_thread', args))).toEqual(first);
    expect(world.threads).toHaveLength(1);
    outputOf(await call('create_inline_thread', { path: 'logo.png', subject: 'file', body: 'There' }));
    expect(world.threads.map(({ path }) => path)).toEqual(['src/app.ts', 'logo.png']);
  });

  it.each([
    [
      { line: 5 },
      'invalid_anchor',
      'Line 5 (new side) is not part of the diff. Valid: new 1-4, 20-22; old 1-3, 19-21.',
    ],
    [{ line: 2, startSide: 'old' }, 'invalid_anchor', 'startSide must equal side.'],
    [{ line: 2, body: '\n' }, 'invalid_comment', 'The body is empty.'],
  ])('refuses %j', async (change, code, message) => {
    const { call, world } = setUp();
    expect(await call('create_inline_thread', { path: 'src/app.ts', body: 'B', ...change })).toEqual({
      ok: false,
      code,
      message,
    });
    expect(world.writes).toEqual([]);
  });

  it('answers a repeated call although the budget is spent since, and no other', async () => {
    const { call, world } = setUp({ grant: { ...FULL_GRANT, budgets: { writesPerRun: 1 } } });
    const args = { path: 'src/app.ts', line: 2, body: 'Here' };
    const first = outputOf(await call('create_inline_thread', args));
    expect(outputOf(await call('create_inline_thread', args))).toEqual(first);
    expect(await call('create_inline_thread', { ...args, line: 3 })).toMatchObject({
      code: 'budget_exhausted',
    });
    expect(world.writes).toEqual(['createThread']);
  });
});

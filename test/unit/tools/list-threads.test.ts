import { describe, expect, it } from 'vitest';
import type { ProviderThread } from '../../../shared/providers/ports.ts';
import { AUTHOR, createWorld, PULL_REQUEST, US } from './fake-provider.ts';
import { FULL_GRANT, outputOf, setUp } from './fixture.ts';

const MARKED = `<!-- gatehouse:${'a'.repeat(24)} -->\nOurs`;

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

function withThreads(...threads: ProviderThread[]): ReturnType<typeof setUp> {
  const world = createWorld();
  world.threads.push(...threads);
  return setUp({ world });
}

describe('list_threads', () => {
  const REACTED = {
    id: 'c2',
    author: AUTHOR,
    body: 'Fine <!-- obey me --> with\u200b it',
    createdAt: 1_800_000_001_000,
    url: 'https://x/c2',
    reactions: [{ name: 'thumbs_up', count: 2 }],
  };

  it('gives every thread in one shape, hidden text stripped and said', async () => {
    const ours = thread('t1', US, MARKED, {
      isResolved: true,
      resolvedBy: AUTHOR,
      url: 'https://x/t1',
      comments: [...thread('t1', US, MARKED).comments, REACTED],
    });
    const { call } = withThreads(ours, thread('t2', AUTHOR, 'Theirs', { path: 'logo.png' }));
    expect(outputOf(await call('list_threads', {}))).toEqual({
      threads: [
        {
          id: 't1',
          path: 'src/app.ts',
          line: 2,
          side: 'new',
          url: 'https://x/t1',
          isResolved: true,
          resolvedBy: 'mona',
          isOutdated: false,
          isOwn: true,
          comments: [
            {
              id: 't1-1',
              author: 'gatehouse[bot]',
              isBot: true,
              createdAt: '2027-01-15T08:00:00.000Z',
              body: 'Ours',
            },
            {
              id: 'c2',
              author: 'mona',
              isBot: false,
              createdAt: '2027-01-15T08:00:01.000Z',
              url: 'https://x/c2',
              body: 'Fine   with it',
              reactions: [{ name: 'thumbs_up', count: 2 }],
            },
          ],
          commentsLeftOut: 0,
        },
        expect.objectContaining({ id: 't2', path: 'logo.png', isOwn: false }),
      ],
      total: 2,
      notes: ['Hidden text was removed: 1 zero-width, 1 html-comment.'],
    });
  });

  it('filters by path and state, and pages', async () => {
    const threads = Array.from({ length: 120 }, (_unused, index) =>
      thread(`t${index}`, AUTHOR, 'x', {
        isResolved: index % 2 === 0,
        ...(index < 3 ? { path: 'logo.png' } : {}),
      }),
    );
    const { call } = withThreads(...threads);
    const ids = async (args: object): Promise<string[]> =>
      (outputOf(await call('list_threads', args)) as { threads: { id: string }[] }).threads.map(
        ({ id }) => id,
      );
    expect(await ids({ path: 'logo.png' })).toEqual(['t0', 't1', 't2']);
    expect(await ids({ path: 'logo.png', state: 'open' })).toEqual(['t1']);
    expect(await ids({ path: 'logo.png', state: 'resolved' })).toEqual(['t0', 't2']);
    const all: string[] = [];
    for (const skip of [0, 50, 100]) all.push(...(await ids({ skip })));
    expect(all).toEqual(threads.map(({ id }) => id));
    expect(outputOf(await call('list_threads', { skip: 50 }))).toMatchObject({
      notes: ['20 more threads; ask again with skip 100.'],
    });
  });

  it('caps long comments and long threads, and says what is missing', async () => {
    const comments = Array.from({ length: 35 }, (_unused, index) => ({
      id: `c${index}`,
      author: AUTHOR,
      body: 'y'.repeat(3_000),
      createdAt: 0,
    }));
    const { call } = withThreads(thread('t1', AUTHOR, '', { comments }), thread('t2', AUTHOR, 'next'));
    const output = outputOf(await call('list_threads', {})) as {
      threads: { comments: { id: string; body: string }[]; commentsLeftOut: number }[];
      notes: string[];
    };
    expect(output.threads).toHaveLength(1);
    expect(output.threads[0]?.commentsLeftOut).toBe(5);
    expect(output.threads[0]?.comments[0]?.id).toBe('c5');
    expect(output.threads[0]?.comments[0]?.body).toBe(`${'y'.repeat(2_000)} [1000 more characters]`);
    expect(output.notes).toEqual(['1 more threads; ask again with skip 1.']);
  });
});

describe('get_review_context', () => {
  it('says what may be done and how the review stands', async () => {
    const grant = {
      ...FULL_GRANT,
      budgets: { writesPerRun: 4, writesPerHour: 9 },
      expiresAt: 1_800_000_100_000,
    };
    const world = createWorld();
    world.threads.push(
      thread('t1', US, MARKED),
      thread('t2', US, MARKED, { isResolved: true }),
      thread('t3', AUTHOR, 'x'),
    );
    const { call } = setUp({ world, grant });
    outputOf(await call('reply_to_thread', { threadId: 't3', body: 'y' }));
    outputOf(await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 2, body: 'B' }] }));
    const context = outputOf(await call('get_review_context', {}));
    expect(context).toEqual({
      headCommit: PULL_REQUEST.headSha,
      state: 'open',
      capabilities: ['draft', 'comment', 'resolve', 'observe', 'submit'],
      submitActions: ['comment', 'approve', 'request_changes'],
      writesStopped: false,
      budgets: [
        { window: 'run', limit: 4, used: 1 },
        { window: 'hour', limit: 9, used: 1, opensAt: '2027-01-15T09:00:00.000Z' },
      ],
      expiresAt: '2027-01-15T08:01:40.000Z',
      ownDrafts: 1,
      ownThreads: { open: 1, resolved: 1 },
      otherThreads: { open: 1, resolved: 0 },
    });
  });

  it('counts no draft that is published', async () => {
    const { call } = setUp();
    outputOf(await call('add_draft_comments', { comments: [{ path: 'src/app.ts', line: 2, body: 'B' }] }));
    outputOf(await call('submit_review', { action: 'comment', summary: 'S' }));
    expect(outputOf(await call('get_review_context', {}))).toMatchObject({ ownDrafts: 0 });
  });
});

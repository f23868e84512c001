import { describe, expect, it } from 'vitest';
import type { GitHubWorld } from './github-setup.ts';
import { createGitHubWorld, lines } from './github-setup.ts';

const onLine10 = { path: 'src/app.ts', line: 10, side: 'RIGHT' } as const;

function queries(world: GitHubWorld): number {
  return world.simulator.requests().filter((request) => request.path === '/graphql').length;
}

describe('threads on GitHub', () => {
  it('come whole: 300 comments in one thread, over all pages, in order', async () => {
    await using world = await createGitHubWorld();
    const first = await world.simulator.commentOnLineAs('ada', 1, { ...onLine10, body: 'comment 1' });
    for (let index = 2; index <= 300; index += 1)
      world.simulator.replyAs('bob', 1, { commentId: first.id, body: `comment ${index}` });
    const threads = await world.provider.threads.listThreads(world.ref);
    expect(threads).toHaveLength(1);
    expect(threads[0]?.comments.map((comment) => comment.body)).toEqual(
      Array.from({ length: 300 }, (_, index) => `comment ${index + 1}`),
    );
    // 50 with the thread, then 100, 100 and 50.
    expect(queries(world)).toBe(4);
  });

  it('come all: 120 threads over three pages', async () => {
    await using world = await createGitHubWorld();
    for (let index = 1; index <= 120; index += 1)
      await world.simulator.commentOnLineAs('ada', 1, { ...onLine10, body: `thread ${index}` });
    const threads = await world.provider.threads.listThreads(world.ref);
    expect(new Set(threads.map((thread) => thread.comments[0]?.body)).size).toBe(120);
    expect(queries(world)).toBe(3);
  });

  it('say where they stand, on which side, and whether they are resolved and by whom', async () => {
    await using world = await createGitHubWorld({
      before: (git) => git.write('old.ts', 'one\ntwo\nthree\n'),
      after: (git) => git.write('old.ts', 'one\nthree\n'),
    });
    const { simulator, provider, ref } = world;
    await simulator.commentOnLineAs('ada', 1, {
      ...onLine10,
      line: 11,
      startLine: 10,
      startSide: 'RIGHT',
      body: 'range',
    });
    await simulator.commentOnLineAs('ada', 1, { path: 'old.ts', line: 2, side: 'LEFT', body: 'removed' });
    await simulator.commentOnLineAs('ada', 1, { path: 'src/app.ts', subjectType: 'file', body: 'file' });
    const [range, removed, file] = await provider.threads.listThreads(ref);
    expect(range).toMatchObject({
      path: 'src/app.ts',
      startLine: 10,
      line: 11,
      side: 'new',
      isResolved: false,
      isOutdated: false,
    });
    expect(removed).toMatchObject({ path: 'old.ts', line: 2, side: 'old' });
    expect(file).toMatchObject({ path: 'src/app.ts' });
    expect(file).not.toHaveProperty('line');
    expect(file).not.toHaveProperty('side');
    simulator.resolveAs('ada', 1, range?.id ?? '', true);
    const again = await provider.threads.listThreads(ref);
    expect(again[0]).toMatchObject({ isResolved: true, resolvedBy: { login: 'ada' } });
  });

  it('that lost their lines say so and name no line', async () => {
    await using world = await createGitHubWorld();
    await world.simulator.commentOnLineAs('ada', 1, { ...onLine10, body: 'soon gone' });
    world.git.write('src/app.ts', lines(20).replace('line 10\n', 'entirely different\n'));
    world.git.commit('rewritten');
    await world.simulator.pushHead(1);
    const [thread] = await world.provider.threads.listThreads(world.ref);
    expect(thread).toMatchObject({ isOutdated: true, path: 'src/app.ts' });
    expect(thread).not.toHaveProperty('line');
  });

  it('show deleted accounts as ghost, bots with their REST login, and reactions', async () => {
    await using world = await createGitHubWorld();
    const { simulator, provider, ref } = world;
    const asked = await simulator.commentOnLineAs('mallory', 1, { ...onLine10, body: 'hm' });
    simulator.replyAs('helper[bot]', 1, { commentId: asked.id, body: 'beep' });
    simulator.reactAs('ada', 1, { commentId: asked.id, content: '-1' });
    simulator.deleteAccount('mallory');
    const [thread] = await provider.threads.listThreads(ref);
    expect(thread?.comments).toMatchObject([
      {
        id: String(asked.id),
        author: { id: 'ghost', login: 'ghost', isBot: false },
        reactions: [{ name: 'thumbs_down', count: 1 }],
      },
      {
        author: {
          id: String(simulator.state.ensureUser('helper[bot]').id),
          login: 'helper[bot]',
          isBot: true,
        },
      },
    ]);
  });

  it('never show pending comments, not even our own', async () => {
    await using world = await createGitHubWorld();
    const drafts = world.provider.pendingReviews;
    const review = await drafts?.createPendingReview(world.ref, { commit: world.head, body: '' });
    await drafts?.addPendingComment(world.ref, review?.id ?? '', {
      kind: 'line',
      commit: world.head,
      comment: { path: 'src/app.ts', side: 'new', line: 10, body: 'draft' },
    });
    expect(await world.provider.threads.listThreads(world.ref)).toEqual([]);
    expect((await world.provider.reviews?.listReviews(world.ref)) ?? []).toEqual([]);
  });

  it('that answer with errors, nulls or the same page again are no empty list', async () => {
    await using world = await createGitHubWorld();
    for (let index = 1; index <= 60; index += 1)
      await world.simulator.commentOnLineAs('ada', 1, { ...onLine10, body: `thread ${index}` });
    const { faults } = world.simulator;
    const answer = (body: unknown, times = 1) =>
      faults.next({ match: { path: '/graphql' }, times, action: { kind: 'answer', status: 200, body } });
    const list = () => world.provider.threads.listThreads(world.ref);

    answer({
      data: null,
      errors: [{ type: 'NOT_FOUND', path: ['repository'], message: 'Could not resolve' }],
    });
    await expect(list()).rejects.toMatchObject({ kind: 'permanent', code: 'not_found' });
    answer({ data: { repository: null } });
    await expect(list()).rejects.toMatchObject({ kind: 'permanent', code: 'answer_unexpected' });
    answer({
      data: {
        repository: {
          pullRequest: { reviewThreads: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: null } },
        },
      },
    });
    await expect(list()).rejects.toMatchObject({ kind: 'permanent', code: 'answer_unexpected' });
    answer({ errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] });
    await expect(list()).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_rate_limited',
      retryAfterMs: 60_000,
    });
    answer({ errors: [{ message: 'Something went wrong while executing your query.' }] }, 3);
    await expect(list()).rejects.toMatchObject({ kind: 'transient', code: 'provider_failed' });
    answer({ errors: [{ message: "Field 'x' doesn't exist", extensions: { code: 'undefinedField' } }] });
    await expect(list()).rejects.toMatchObject({ kind: 'permanent', code: 'provider_query_refused' });
    const stuck = { pageInfo: { hasNextPage: true, endCursor: 'same' }, nodes: [] };
    answer({ data: { repository: { pullRequest: { reviewThreads: stuck } } } }, 2);
    await expect(list()).rejects.toMatchObject({ kind: 'transient', code: 'page_repeated' });
    expect(await list()).toHaveLength(60);
  });
});

describe('comments on the pull request itself', () => {
  it('are listed over all pages and read one by one, only on their own pull request', async () => {
    await using world = await createGitHubWorld();
    const { simulator, provider, ref } = world;
    const first = simulator.commentAs('ada', 1, '@gatehouse why?');
    for (let index = 1; index <= 120; index += 1) simulator.commentAs('bob', 1, `note ${index}`);
    const all = await provider.comments?.listGeneralComments(ref);
    expect(all).toHaveLength(121);
    expect(all?.[0]).toMatchObject({ body: '@gatehouse why?', author: { login: 'ada' } });
    const comment = { kind: 'general', id: String(first.id) } as const;
    expect(await provider.comments?.getComment(ref, comment)).toMatchObject({ body: '@gatehouse why?' });
    await simulator.createPullRequest({ base: 'main', head: 'feature', title: 'another' });
    expect(await provider.comments?.getComment({ ...ref, number: 2 }, comment)).toBeUndefined();
    expect(await provider.comments?.getComment(ref, { ...comment, id: '1' })).toBeUndefined();
    const inline = await simulator.commentOnLineAs('ada', 1, { ...onLine10, body: 'here' });
    expect(await provider.comments?.getComment(ref, { kind: 'review', id: String(inline.id) })).toMatchObject(
      {
        id: String(inline.id),
        body: 'here',
      },
    );
  });
});

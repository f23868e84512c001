import { describe, expect, it } from 'vitest';
import type { GitHubWorld, WorldOptions } from './github-setup.ts';
import { createGitHubWorld, lines } from './github-setup.ts';

const comment = { path: 'src/app.ts', side: 'new', line: 10, body: 'Why ten?' } as const;

/** Files of every kind that a comment can stand on. */
const everyKind: WorldOptions = {
  before: (git) => {
    git.write('gone.ts', lines(5, 'gone'));
    git.write('old-name.ts', lines(20, 'keep'));
    git.write('cut.ts', lines(20, 'cut'));
  },
  after: (git) => {
    git.remove('gone.ts');
    git.remove('old-name.ts');
    git.write('new-name.ts', lines(20, 'keep').replace('keep 5\n', 'kept 5\n'));
    git.write('cut.ts', lines(20, 'cut').replace('cut 7\n', ''));
    git.write('fresh.ts', lines(3, 'fresh'));
  },
};

function writesOf(world: GitHubWorld): readonly string[] {
  return world.simulator
    .writes()
    .map((write) => write.kind)
    .filter((kind) => !kind.startsWith('pull_request.'));
}

describe('one review with its comments', () => {
  it('is posted in one request and read back', async () => {
    await using world = await createGitHubWorld(everyKind);
    const { provider, ref, head } = world;
    const posted = await provider.reviews?.createReview(ref, {
      commit: head,
      body: 'Three things.',
      comments: [
        comment,
        { path: 'cut.ts', side: 'old', line: 7, body: 'removed line' },
        { path: 'cut.ts', side: 'new', line: 6, startLine: 4, body: 'range of context' },
        { path: 'new-name.ts', side: 'new', line: 5, body: 'renamed' },
        { path: 'fresh.ts', side: 'new', line: 3, startLine: 1, body: 'new file' },
        { path: 'gone.ts', side: 'old', line: 5, startLine: 5, body: 'deleted file' },
      ],
    });
    const reviews = await provider.reviews?.listReviews(ref);
    expect(reviews).toMatchObject([
      {
        reviewId: posted?.reviewId,
        body: 'Three things.',
        commit: head,
        author: { login: 'gatehouse[bot]', isBot: true },
      },
    ]);
    const threads = await provider.threads.listThreads(ref);
    expect(threads.map(({ path, side, startLine, line }) => [path, side, startLine, line])).toEqual([
      ['src/app.ts', 'new', undefined, 10],
      ['cut.ts', 'old', undefined, 7],
      ['cut.ts', 'new', 4, 6],
      ['new-name.ts', 'new', undefined, 5],
      ['fresh.ts', 'new', 1, 3],
      ['gone.ts', 'old', undefined, 5],
    ]);
    expect(world.simulator.unknownFields()).toEqual([]);
  });

  it('that is refused says so once, with what GitHub said, and posts nothing', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head } = world;
    const review = { commit: head, body: 'x', comments: [comment, { ...comment, line: 400 }] };
    await expect(provider.reviews?.createReview(ref, review)).rejects.toMatchObject({
      kind: 'rejected',
      code: 'review_refused',
      details: { status: 422, errors: ['Line could not be resolved'] },
    });
    expect(writesOf(world)).toEqual([]);
    const posts = world.simulator.requests().filter((request) => request.path.endsWith('/reviews'));
    expect(posts).toHaveLength(1);
  });

  it('is not sent again when its answer is lost: the outcome is unknown, and reading back finds it', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head, simulator } = world;
    const match = { method: 'POST', path: '/reviews' };
    const lost = simulator.faults.next({ match, action: { kind: 'lose-response' }, times: 5 });
    await expect(
      provider.reviews?.createReview(ref, { commit: head, body: 'once', comments: [comment] }),
    ).rejects.toMatchObject({ kind: 'transient', code: 'provider_unreachable' });
    expect(lost.hits()).toBe(1);
    expect(await provider.reviews?.listReviews(ref)).toMatchObject([{ body: 'once' }]);
  });

  it.each([500, 502, 503])('is not sent again after a %i', async (status) => {
    await using world = await createGitHubWorld();
    const { provider, ref, head, simulator } = world;
    const match = { method: 'POST', path: '/reviews' };
    const fault = simulator.faults.next({ match, action: { kind: 'answer', status, body: {} }, times: 5 });
    await expect(
      provider.reviews?.createReview(ref, { commit: head, body: 'once', comments: [] }),
    ).rejects.toMatchObject({ kind: 'transient', code: 'provider_failed' });
    expect(fault.hits()).toBe(1);
  });

  it('takes a body at the limit and is refused above it', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head } = world;
    const { maxBodyLength } = provider.limits;
    expect(maxBodyLength).toBe(65_536);
    const review = (length: number) => ({ commit: head, body: 'x'.repeat(length), comments: [] });
    await provider.reviews?.createReview(ref, review(maxBodyLength));
    await expect(provider.reviews?.createReview(ref, review(maxBodyLength + 1))).rejects.toMatchObject({
      code: 'review_refused',
      details: { errors: [expect.stringContaining('too long')] },
    });
  });

  it('is refused while a pending review of ours stands, and the reason says that', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head } = world;
    await provider.pendingReviews?.createPendingReview(ref, { commit: head, body: 'draft' });
    await expect(
      provider.reviews?.createReview(ref, { commit: head, body: 'x', comments: [] }),
    ).rejects.toMatchObject({ code: 'review_refused', details: { reason: 'pending_review_exists' } });
  });

  it('is not sent at all once its signal has aborted', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head } = world;
    await provider.identity.whoAmI();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(
      provider.reviews?.createReview(ref, { commit: head, body: 'x', comments: [] }, signal),
    ).rejects.toThrow('too late');
    expect(writesOf(world)).toEqual([]);
  });
});

describe('single writes', () => {
  it('open a thread on a line, a range, a removed line and a whole file, and name it', async () => {
    await using world = await createGitHubWorld(everyKind);
    const { provider, ref, head } = world;
    const create = (thread: object) =>
      provider.threadWriter?.createThread(ref, {
        kind: 'line',
        commit: head,
        comment: { ...comment, ...thread },
      });
    const posted = [
      await create({}),
      await create({ path: 'cut.ts', line: 6, startLine: 4 }),
      await create({ path: 'gone.ts', side: 'old', line: 2 }),
      await provider.threadWriter?.createThread(ref, {
        kind: 'file',
        commit: head,
        path: 'fresh.ts',
        body: 'all of it',
      }),
    ];
    const threads = await provider.threads.listThreads(ref);
    expect(threads.map((thread) => thread.id)).toEqual(posted.map((one) => one?.threadId));
    expect(threads.map((thread) => thread.comments[0]?.id)).toEqual(posted.map((one) => one?.commentId));
    expect(threads.map(({ path, side, startLine, line }) => [path, side, startLine, line])).toEqual([
      ['src/app.ts', 'new', undefined, 10],
      ['cut.ts', 'new', 4, 6],
      ['gone.ts', 'old', undefined, 2],
      ['fresh.ts', undefined, undefined, undefined],
    ]);
    await expect(create({ line: 400 })).rejects.toMatchObject({ kind: 'rejected', code: 'provider_refused' });
    expect(world.simulator.unknownFields()).toEqual([]);
  });

  it('reply, edit, resolve, reopen, react and delete', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head, simulator } = world;
    const { threadId = '', commentId = '' } =
      (await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment })) ?? {};
    await provider.replies?.reply(ref, threadId, 'Because.');
    const target = { kind: 'review', id: commentId } as const;
    await provider.commentEditor?.editComment(ref, target, 'Why ten, really?');
    await provider.reactions?.addReaction(ref, target, 'eyes');
    await provider.reactions?.addReaction(ref, target, 'eyes');
    await provider.reactions?.addReaction(ref, 'pull-request', 'rocket');
    await provider.threadResolver?.setResolved(ref, threadId, true);
    await provider.threadResolver?.setResolved(ref, threadId, true);
    const [thread] = await provider.threads.listThreads(ref);
    expect(thread).toMatchObject({
      isResolved: true,
      comments: [
        { body: 'Why ten, really?', reactions: [{ name: 'eyes', count: 1 }] },
        { body: 'Because.', author: { login: 'gatehouse[bot]' } },
      ],
    });
    expect(writesOf(world).filter((kind) => kind === 'thread.resolved')).toHaveLength(1);
    await provider.threadResolver?.setResolved(ref, threadId, false);
    await provider.commentEditor?.deleteComment(ref, { kind: 'review', id: thread?.comments[1]?.id ?? '' });
    await provider.commentEditor?.deleteComment(ref, { kind: 'review', id: thread?.comments[1]?.id ?? '' });
    expect((await provider.threads.listThreads(ref))[0]).toMatchObject({
      isResolved: false,
      comments: [{ body: 'Why ten, really?' }],
    });
    expect(simulator.unknownFields()).toEqual([]);
  });

  it('post and edit the summary', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref } = world;
    const posted = await provider.generalComments?.createGeneralComment(ref, 'Summary 1');
    const target = { kind: 'general', id: posted?.commentId ?? '' } as const;
    await provider.commentEditor?.editComment(ref, target, 'Summary 2');
    expect(await provider.comments?.listGeneralComments(ref)).toMatchObject([
      { id: target.id, body: 'Summary 2' },
    ]);
    await provider.commentEditor?.deleteComment(ref, target);
    expect(await provider.comments?.listGeneralComments(ref)).toEqual([]);
    await expect(provider.commentEditor?.editComment(ref, target, 'x')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('cannot reach threads and comments of another pull request', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head, simulator } = world;
    await simulator.createPullRequest({ base: 'main', head: 'feature', title: 'another' });
    const other = { ...ref, number: 2 };
    const { threadId = '', commentId = '' } =
      (await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment })) ?? {};
    const before = writesOf(world).length;
    const missing = { kind: 'permanent', code: 'not_found' };
    await expect(provider.replies?.reply(other, threadId, 'x')).rejects.toMatchObject(missing);
    await expect(provider.threadResolver?.setResolved(other, threadId, true)).rejects.toMatchObject(missing);
    const target = { kind: 'review', id: commentId } as const;
    await expect(provider.commentEditor?.editComment(other, target, 'x')).rejects.toMatchObject(missing);
    await provider.commentEditor?.deleteComment(other, target);
    expect(writesOf(world)).toHaveLength(before);
    await expect(provider.replies?.reply(ref, 'PRRT_nothing', 'x')).rejects.toMatchObject(missing);
  });

  it('that may not resolve are told from ones that failed', async () => {
    await using world = await createGitHubWorld({ simulator: { resolveNeedsContents: true } });
    const { provider, ref, head } = world;
    const posted = await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment });
    await expect(
      provider.threadResolver?.setResolved(ref, posted?.threadId ?? '', true),
    ).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_permission',
    });
  });
});

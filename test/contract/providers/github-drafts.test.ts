import { describe, expect, it } from 'vitest';
import type { NewThread, PendingReviewWriter } from '../../../shared/providers/write-ports.ts';
import type { GitHubWorld } from './github-setup.ts';
import { createGitHubWorld } from './github-setup.ts';

function drafts(world: GitHubWorld): PendingReviewWriter {
  const { pendingReviews } = world.provider;
  if (pendingReviews === undefined) throw new Error('GitHub has pending reviews');
  return pendingReviews;
}

function onLine(world: GitHubWorld, line: number, body: string): NewThread {
  return { kind: 'line', commit: world.head, comment: { path: 'src/app.ts', side: 'new', line, body } };
}

describe('a pending review', () => {
  it('lives from creation over edits to submission', async () => {
    await using world = await createGitHubWorld();
    const { ref, head, provider } = world;
    const writer = drafts(world);
    expect(await writer.findPendingReview(ref)).toBeUndefined();
    const review = await writer.createPendingReview(ref, { commit: head, body: 'first thoughts' });
    expect(review.isPending).toBe(true);
    const one = await writer.addPendingComment(ref, review.id, onLine(world, 10, 'one'));
    const two = await writer.addPendingComment(ref, review.id, onLine(world, 11, 'two'));
    const file = { kind: 'file', commit: head, path: 'src/app.ts', body: 'file' } as const;
    await writer.addPendingComment(ref, review.id, file);
    expect([one.isPending, two.isPending]).toEqual([true, true]);
    await writer.editPendingComment(ref, one.id, 'one, better');
    await writer.deletePendingComment(ref, two.id);
    expect(await writer.findPendingReview(ref)).toEqual({
      reviewId: review.id,
      commit: head,
      body: 'first thoughts',
      comments: [
        { commentId: one.id, path: 'src/app.ts', body: 'one, better', line: 10, side: 'new' },
        { commentId: expect.any(String), path: 'src/app.ts', body: 'file' },
      ],
    });
    const posted = await writer.submitPendingReview(ref, review.id, 'comment', 'Final words.');
    expect(await provider.reviews?.listReviews(ref)).toMatchObject([
      { reviewId: posted.reviewId, url: posted.url, body: 'Final words.' },
    ]);
    expect((await provider.threads.listThreads(ref)).map((thread) => thread.comments[0]?.body)).toEqual([
      'one, better',
      'file',
    ]);
    expect(await writer.findPendingReview(ref)).toBeUndefined();
  });

  it('can be discarded, with its comments', async () => {
    await using world = await createGitHubWorld();
    const { ref, head, provider } = world;
    const writer = drafts(world);
    const review = await writer.createPendingReview(ref, { commit: head, body: '' });
    await writer.addPendingComment(ref, review.id, onLine(world, 10, 'one'));
    await writer.discardPendingReview(ref, review.id);
    expect(await writer.findPendingReview(ref)).toBeUndefined();
    expect(await provider.threads.listThreads(ref)).toEqual([]);
  });

  it('is one per pull request', async () => {
    await using world = await createGitHubWorld();
    const writer = drafts(world);
    await writer.createPendingReview(world.ref, { commit: world.head, body: 'a' });
    await expect(
      writer.createPendingReview(world.ref, { commit: world.head, body: 'b' }),
    ).rejects.toMatchObject({
      kind: 'rejected',
      code: 'pending_review_exists',
    });
  });

  it('of somebody else is neither seen nor touched', async () => {
    await using world = await createGitHubWorld();
    const { ref, simulator } = world;
    const foreign = await simulator.reviewAs('ada', 1, { body: 'mine', threads: [] });
    const writer = drafts(world);
    const missing = { kind: 'permanent', code: 'not_found' };
    expect(await writer.findPendingReview(ref)).toBeUndefined();
    await expect(writer.submitPendingReview(ref, foreign.nodeId, 'comment', 'x')).rejects.toMatchObject(
      missing,
    );
    await expect(writer.discardPendingReview(ref, foreign.nodeId)).rejects.toMatchObject(missing);
    await expect(writer.addPendingComment(ref, foreign.nodeId, onLine(world, 10, 'x'))).rejects.toMatchObject(
      missing,
    );
    expect(foreign).toMatchObject({ state: 'PENDING', body: 'mine' });
  });

  it('cannot be changed through its comments once they are visible', async () => {
    await using world = await createGitHubWorld();
    const { ref, head } = world;
    const writer = drafts(world);
    const review = await writer.createPendingReview(ref, { commit: head, body: '' });
    const one = await writer.addPendingComment(ref, review.id, onLine(world, 10, 'one'));
    await writer.submitPendingReview(ref, review.id, 'comment', 'done');
    await expect(writer.editPendingComment(ref, one.id, 'x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(writer.deletePendingComment(ref, one.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['error', 'null'] as const)(
    'refuses a place outside the diff, also where GitHub answers %s',
    async (unanchoredThreads) => {
      await using world = await createGitHubWorld({ simulator: { unanchoredThreads } });
      const writer = drafts(world);
      const review = await writer.createPendingReview(world.ref, { commit: world.head, body: '' });
      await expect(
        writer.addPendingComment(world.ref, review.id, onLine(world, 400, 'x')),
      ).rejects.toMatchObject({
        kind: 'rejected',
        code: 'provider_refused',
      });
    },
  );

  it('is created once, also when the answer is lost', async () => {
    await using world = await createGitHubWorld();
    const fault = world.simulator.faults.next({
      match: { body: 'addPullRequestReview(' },
      action: { kind: 'lose-response' },
      times: 5,
    });
    const writer = drafts(world);
    await expect(
      writer.createPendingReview(world.ref, { commit: world.head, body: 'kept' }),
    ).rejects.toMatchObject({ kind: 'transient' });
    expect(fault.hits()).toBe(1);
    expect(await writer.findPendingReview(world.ref)).toMatchObject({ body: 'kept' });
  });
});

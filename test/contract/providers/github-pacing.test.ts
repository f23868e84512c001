import { describe, expect, it } from 'vitest';
import { createGitHubWorld } from './github-setup.ts';

describe('writes to GitHub', () => {
  it('are spaced out; a write whose time runs out while it waits is never sent; reads do not wait', async () => {
    await using world = await createGitHubWorld();
    const provider = world.connect({ pacing: true });
    const { ref, simulator } = world;
    await provider.reactions?.addReaction(ref, 'pull-request', 'eyes');
    const comment = (body: string, signal?: AbortSignal) =>
      provider.generalComments?.createGeneralComment(ref, body, signal);
    await comment('first');
    const startedAt = performance.now();
    const late = new Error('the write took too long');
    const impatient = new AbortController();
    const dropped = comment('dropped', impatient.signal);
    const second = comment('second');
    await provider.threads.listThreads(ref);
    const readAfter = performance.now() - startedAt;
    impatient.abort(late);
    await expect(dropped).rejects.toBe(late);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await second;
    expect(readAfter).toBeLessThan(performance.now() - startedAt);
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    expect(simulator.findPull(1).issueComments.map((one) => one.body)).toEqual(['first', 'second']);
  });

  it('are not repeated by the part that spaces them out', async () => {
    await using world = await createGitHubWorld();
    const provider = world.connect({ pacing: true });
    const { ref, head, simulator } = world;
    const mutation = { body: 'addPullRequestReview(' };
    const lost = simulator.faults.next({ match: mutation, action: { kind: 'lose-response' }, times: 5 });
    const draft = { commit: head, body: 'once' };
    await expect(provider.pendingReviews?.createPendingReview(ref, draft)).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_unreachable',
    });
    expect(lost.hits()).toBe(1);
    lost.cancel();
    const answer = {
      kind: 'answer',
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
    } as const;
    const limited = simulator.faults.next({ match: { path: '/comments' }, action: answer, times: 5 });
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_secondary_limit',
      retryAfterMs: 60_000,
    });
    expect(limited.hits()).toBe(1);
  });
});

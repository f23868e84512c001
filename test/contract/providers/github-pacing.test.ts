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
});

import { describe, expect, it } from 'vitest';
import { createAzureWorld } from './setup.ts';

describe('a status', () => {
  it('is set for the iteration of its head, and the newest of its name is found', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator, git } = world;
    const report = { headSha: head, name: 'Gatehouse', key: 'k', title: 'Under way', summary: '' } as const;
    expect(await provider.statuses?.findStatus(ref, head, 'Gatehouse')).toBeUndefined();
    const states = {
      running: 'pending',
      passed: 'succeeded',
      failed: 'failed',
      neutral: 'notApplicable',
    } as const;
    for (const state of ['running', 'passed', 'failed', 'neutral'] as const) {
      await provider.statuses?.setStatus(ref, { ...report, state, url: 'https://gatehouse.example/1' });
      expect(await provider.statuses?.findStatus(ref, head, 'Gatehouse')).toMatchObject({
        state,
        url: 'https://gatehouse.example/1',
      });
      expect(simulator.statuses(ref.number).at(-1)).toMatchObject({
        state: states[state],
        context: { genre: 'gatehouse', name: 'Gatehouse' },
        iterationId: 1,
      });
    }
    git.write('more.txt', 'more\n');
    const next = git.commit('more');
    await simulator.pushHead(ref.number);
    expect(await provider.statuses?.findStatus(ref, next, 'Gatehouse')).toBeUndefined();
    await expect(
      provider.statuses?.setStatus(ref, { ...report, headSha: '0'.repeat(40), state: 'passed' }),
    ).rejects.toMatchObject({ kind: 'stale', code: 'head_moved' });
    expect(simulator.unknownFields()).toEqual([]);
  });
});

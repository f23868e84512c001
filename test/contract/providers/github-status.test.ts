import { describe, expect, it } from 'vitest';
import type { StatusReport } from '../../../shared/providers/write-ports.ts';
import { startLoopback } from '../../integration/providers/loopback.ts';
import { createGitHubWorld } from './github-setup.ts';

function report(headSha: string, change: Partial<StatusReport> = {}): StatusReport {
  return {
    headSha,
    name: 'Gatehouse',
    key: 'run-1',
    state: 'running',
    title: 'Reviewing',
    summary: 'Reading 3 files.',
    ...change,
  };
}

describe('the status of a head', () => {
  it('is one check run for an App, changed in place', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head, simulator } = world;
    const { statuses } = provider;
    expect(statuses?.kind).toBe('check-run');
    expect(await statuses?.findStatus(ref, head, 'Gatehouse')).toBeUndefined();
    const first = await statuses?.setStatus(ref, report(head));
    const second = await statuses?.setStatus(
      ref,
      report(head, {
        state: 'failed',
        key: 'run-2',
        title: '2 findings',
        summary: 'x'.repeat(70_000),
        url: 'https://example.com/run',
      }),
    );
    expect(second?.id).toBe(first?.id);
    expect(await statuses?.findStatus(ref, head, 'Gatehouse')).toEqual({
      id: first?.id,
      url: expect.stringContaining('/runs/'),
      state: 'failed',
      key: 'run-2',
    });
    expect(simulator.state.repositories[0]?.checkRuns).toMatchObject([
      {
        name: 'Gatehouse',
        status: 'completed',
        conclusion: 'failure',
        externalId: 'run-2',
        detailsUrl: 'https://example.com/run',
      },
    ]);
    expect(simulator.unknownFields()).toEqual([]);
  });

  it.each([
    ['running', 'in_progress', null],
    ['passed', 'completed', 'success'],
    ['failed', 'completed', 'failure'],
    ['neutral', 'completed', 'neutral'],
  ] as const)('%s is %s %s', async (state, status, conclusion) => {
    await using world = await createGitHubWorld();
    const posted = await world.provider.statuses?.setStatus(world.ref, report(world.head, { state }));
    expect(posted?.state).toBe(state);
    expect(world.simulator.state.repositories[0]?.checkRuns).toMatchObject([{ status, conclusion }]);
  });

  it('is a commit status for a token, whose newest counts', async () => {
    await using world = await createGitHubWorld();
    const { ref, head, simulator } = world;
    const { statuses } = world.connect({ credential: 'token' });
    expect(statuses?.kind).toBe('commit-status');
    await statuses?.setStatus(ref, report(head));
    await statuses?.setStatus(
      ref,
      report(head, { state: 'passed', title: 'y'.repeat(200), url: 'https://example.com/run' }),
    );
    expect(await statuses?.findStatus(ref, head, 'Gatehouse')).toEqual({
      id: expect.any(String),
      url: 'https://example.com/run',
      state: 'passed',
    });
    expect(await statuses?.findStatus(ref, head, 'Other')).toBeUndefined();
    expect(simulator.state.repositories[0]?.statuses.map((status) => status.state)).toEqual([
      'pending',
      'success',
    ]);
    expect(simulator.unknownFields()).toEqual([]);
  });
});

describe('deliveries', () => {
  it('that nobody took are found again, and sent again on request', async () => {
    await using world = await createGitHubWorld();
    let status = 503;
    await using receiver = await startLoopback((response) => response.writeHead(status).end());
    const { simulator, provider, ref } = world;
    simulator.setWebhook({ url: receiver.url.href, secrets: ['s'] });
    const lost = await simulator.deliverWebhook({ event: 'pull_request', action: 'opened', number: 1 });
    status = 202;
    await simulator.deliverWebhook({ event: 'pull_request', action: 'synchronize', number: 1 });
    const failed = await provider.deliveries?.listFailedDeliveries(0);
    expect(failed).toEqual([
      {
        deliveryId: String(lost.id),
        event: 'pull_request.opened',
        deliveredAt: Math.floor(lost.deliveredAt / 1000) * 1000,
        repositoryId: ref.repositoryId,
      },
    ]);
    expect(await provider.deliveries?.listFailedDeliveries(Date.now() + 60_000)).toEqual([]);
    await provider.deliveries?.requestRedelivery(failed?.[0]?.deliveryId ?? '');
    await expect.poll(() => receiver.seen.length).toBe(3);
    expect(receiver.seen[2]?.body).toBe(receiver.seen[0]?.body);
    await expect.poll(() => provider.deliveries?.listFailedDeliveries(0)).toEqual([]);
  });

  it('are no capability of a token', async () => {
    await using world = await createGitHubWorld();
    expect(world.connect({ credential: 'token' })).not.toHaveProperty('deliveries');
  });
});

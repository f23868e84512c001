import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import type { Clock } from '../../../shared/domain/clock.ts';
import type { GitHubWorld } from './github-setup.ts';
import { REPOSITORY_ID, createGitHubWorld } from './github-setup.ts';

function mints(world: GitHubWorld) {
  return world.simulator.requests().filter((request) => request.path.endsWith('/access_tokens'));
}

function clockAhead(minutes: { value: number }): Clock {
  return { ...systemClock, now: () => Date.now() + minutes.value * 60_000 };
}

describe('installation tokens', () => {
  it('are narrowed to the one repository, minted once, and the installation is asked of GitHub', async () => {
    await using world = await createGitHubWorld();
    await Promise.all(Array.from({ length: 8 }, () => world.provider.pullRequests.getPullRequest(world.ref)));
    expect(mints(world)).toMatchObject([{ body: { repository_ids: [REPOSITORY_ID] } }]);
    const lookups = world.simulator.requests().filter((request) => request.path.endsWith('/installation'));
    expect(lookups).toHaveLength(1);
  });

  it('are renewed when less than five minutes are left', async () => {
    await using world = await createGitHubWorld();
    const minutes = { value: 0 };
    const provider = world.connect({ clock: clockAhead(minutes) });
    await provider.pullRequests.getPullRequest(world.ref);
    minutes.value = 54;
    await provider.pullRequests.getPullRequest(world.ref);
    expect(mints(world)).toHaveLength(1);
    minutes.value = 56;
    await provider.pullRequests.getPullRequest(world.ref);
    expect(mints(world).length).toBeGreaterThan(1);
  });

  it('that expire between reading and writing are replaced, and the write happens once', async () => {
    await using world = await createGitHubWorld();
    const { provider, ref, head, simulator } = world;
    await provider.pullRequests.getPullRequest(ref);
    simulator.revokeInstallationTokens();
    await provider.reviews?.createReview(ref, { commit: head, body: 'once', comments: [] });
    expect(await provider.reviews?.listReviews(ref)).toHaveLength(1);
    expect(mints(world)).toHaveLength(2);
  });

  it('that expire in the middle of a listing are replaced', async () => {
    await using world = await createGitHubWorld({
      after: (git) => {
        for (let index = 0; index < 150; index += 1) git.write(`many/${index}.txt`, 'x\n');
      },
    });
    const pull = await world.provider.pullRequests.getPullRequest(world.ref);
    world.simulator.faults.next({ match: { pattern: 'page=2' }, action: { kind: 'token-expired' } });
    expect(await world.provider.pullRequests.listChangedFiles(pull)).toHaveLength(151);
    expect(mints(world)).toHaveLength(2);
  });

  it('of an App that is not installed on the repository, or was suspended, say what to do', async () => {
    await using world = await createGitHubWorld();
    const { simulator, ref } = world;
    for (const installation of simulator.state.installations) installation.suspended = true;
    await expect(world.connect().pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_permission',
    });
    for (const installation of simulator.state.installations) installation.repositories.length = 0;
    for (const installation of simulator.state.installations) installation.suspended = false;
    await expect(world.connect().pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'app_not_installed',
      message: expect.stringContaining('Install it there'),
    });
  });

  it('find the installation by id when the repository was renamed', async () => {
    await using world = await createGitHubWorld();
    const ref = { ...world.ref, repository: 'old-owner/old-name' };
    expect(await world.provider.pullRequests.getPullRequest(ref)).toMatchObject({
      ref: { repository: 'acme/shop' },
    });
  });

  it('of two instances side by side never mix, also with equal ids', async () => {
    await using one = await createGitHubWorld();
    await using two = await createGitHubWorld();
    const [first, second] = await Promise.all([
      one.provider.pullRequests.getPullRequest(one.ref),
      two.provider.pullRequests.getPullRequest(two.ref),
    ]);
    expect(first.webUrl).toContain(one.simulator.webUrl);
    expect(second.webUrl).toContain(two.simulator.webUrl);
    for (const world of [one, two]) {
      expect(mints(world)).toHaveLength(1);
      expect(world.simulator.requests().filter((request) => request.status === 401)).toEqual([]);
    }
  });
});

describe('a personal token', () => {
  it('that was revoked is a matter of credentials, and is not tried again and again', async () => {
    await using world = await createGitHubWorld({
      simulator: { tokens: [{ token: 'github_pat_test0000000000000000000000', login: 'ada', expiresAt: 1 }] },
    });
    const provider = world.connect({ credential: 'token' });
    await expect(provider.pullRequests.getPullRequest(world.ref)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'provider_credentials',
    });
    expect(world.simulator.requests()).toHaveLength(1);
  });

  it('without the right to write says so', async () => {
    await using world = await createGitHubWorld({
      simulator: {
        tokens: [
          {
            token: 'github_pat_test0000000000000000000000',
            login: 'ada',
            permissions: { metadata: 'read', contents: 'read', pull_requests: 'read' },
          },
        ],
      },
    });
    const provider = world.connect({ credential: 'token' });
    await expect(
      provider.reviews?.createReview(world.ref, { commit: world.head, body: 'x', comments: [] }),
    ).rejects.toMatchObject({ kind: 'permanent', code: 'provider_permission' });
  });
});

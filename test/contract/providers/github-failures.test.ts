import { describe, expect, it } from 'vitest';
import type { FaultAction } from '../../../infra/local/simulators/http/faults.ts';
import { startLoopback } from '../../integration/providers/loopback.ts';
import type { GitHubWorld } from './github-setup.ts';
import { createGitHubWorld } from './github-setup.ts';

const PULL = { method: 'GET', pattern: '^/repos/acme/shop/pulls/1$' };

function fail(world: GitHubWorld, action: FaultAction, times = 1) {
  return world.simulator.faults.next({ match: PULL, action, times });
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): FaultAction {
  return { kind: 'answer', status, body, headers };
}

function read(world: GitHubWorld) {
  return world.provider.pullRequests.getPullRequest(world.ref);
}

describe('what GitHub answers instead', () => {
  it.each<[string, FaultAction, object]>([
    [
      'a web page',
      { kind: 'html' },
      { kind: 'permanent', code: 'answer_html', message: expect.stringContaining('apiUrl') },
    ],
    ['broken JSON', { kind: 'truncated-json' }, { kind: 'transient', code: 'answer_truncated' }],
    ['null', answer(200, null), { kind: 'permanent', code: 'answer_unexpected' }],
    [
      'an object with nulls inside',
      answer(200, { number: 1, head: null }),
      { kind: 'permanent', code: 'answer_unexpected', message: expect.stringContaining('version') },
    ],
    [
      'plain text',
      { kind: 'answer', status: 200, body: 'Retry later', headers: { 'content-type': 'text/plain' } },
      { kind: 'permanent', code: 'answer_not_json' },
    ],
    [
      '401',
      answer(401, { message: 'Bad credentials' }),
      {
        kind: 'permanent',
        code: 'provider_credentials',
        message: expect.stringContaining('GITHUB_APP_PRIVATE_KEY'),
      },
    ],
    [
      '403 for a missing permission',
      answer(403, { message: 'Resource not accessible by integration' }),
      {
        kind: 'permanent',
        code: 'provider_permission',
        message: expect.stringContaining('docs/setup-github.md'),
      },
    ],
    ['404', answer(404, { message: 'Not Found' }), { kind: 'permanent', code: 'not_found' }],
    [
      '451',
      answer(451, { message: 'Repository access blocked' }),
      { kind: 'permanent', code: 'provider_permission' },
    ],
    [
      'a secondary limit',
      answer(403, { message: 'You have exceeded a secondary rate limit.' }),
      { kind: 'transient', code: 'provider_secondary_limit', retryAfterMs: 60_000 },
    ],
    [
      'a secondary limit with a time',
      answer(403, { message: 'x' }, { 'retry-after': '17' }),
      { kind: 'transient', code: 'provider_secondary_limit', retryAfterMs: 17_000 },
    ],
    [
      '429 without a time',
      answer(429, { message: 'x' }),
      { kind: 'transient', code: 'provider_rate_limited', retryAfterMs: 60_000 },
    ],
    [
      '503 with a time',
      answer(503, {}, { 'retry-after': '9' }),
      { kind: 'transient', code: 'provider_failed', retryAfterMs: 9_000 },
    ],
    [
      '422',
      answer(422, { message: 'Validation Failed', errors: [{ resource: 'X', field: 'y', code: 'invalid' }] }),
      { kind: 'rejected', code: 'provider_refused', details: { errors: ['X y invalid'] } },
    ],
    ['418', answer(418, {}), { kind: 'permanent', code: 'provider_unexpected_status' }],
  ])('%s', async (_what, action, expected) => {
    await using world = await createGitHubWorld();
    // Twice: a 401 is asked again with a new token, the others are not asked again at all.
    const fault = fail(world, action, 2);
    await expect(read(world)).rejects.toMatchObject(expected);
    expect(fault.hits()).toBe(action.kind === 'answer' && action.status === 401 ? 2 : 1);
  });

  it('server errors and broken connections of a read are repeated a little', async () => {
    await using world = await createGitHubWorld();
    fail(world, answer(502, 'Bad gateway'));
    fail(world, { kind: 'lose-request' });
    expect(await read(world)).toMatchObject({ headSha: world.head });
    const fault = fail(world, answer(502, 'Bad gateway'), 10);
    await expect(read(world)).rejects.toMatchObject({ kind: 'transient', code: 'provider_failed' });
    expect(fault.hits()).toBe(3);
  });

  it('the hourly limit, with the time at which it opens again', async () => {
    await using world = await createGitHubWorld({ simulator: { limits: { requestsPerHour: 2 } } });
    const error: unknown = await read(world).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind: 'transient', code: 'provider_rate_limited' });
    const wait =
      error !== null && typeof error === 'object' && 'retryAfterMs' in error ? error.retryAfterMs : 0;
    expect(wait).toBeGreaterThan(3_500_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  it('a redirect within the API, as for a renamed repository', async () => {
    await using world = await createGitHubWorld();
    const location = `${world.simulator.apiUrl}/repositories/${world.ref.repositoryId}/pulls/1`;
    fail(world, { kind: 'redirect', location, status: 301 });
    expect(await read(world)).toMatchObject({ headSha: world.head });
  });

  it('a redirect to another origin, which never gets to see us', async () => {
    await using world = await createGitHubWorld();
    await using other = await startLoopback((response) => response.end('{}'));
    fail(world, { kind: 'redirect', location: other.url.href });
    await expect(read(world)).rejects.toMatchObject({ kind: 'permanent', code: 'host_not_allowed' });
    const tarball = {
      match: { path: '/tarball/' },
      action: { kind: 'redirect', location: other.url.href },
    } as const;
    world.simulator.faults.next(tarball);
    await expect(world.provider.snapshots.openArchive(world.ref, world.head)).rejects.toMatchObject({
      code: 'host_not_allowed',
    });
    expect(other.seen).toEqual([]);
  });

  it('a next page on another origin, or on the archive host', async () => {
    await using world = await createGitHubWorld();
    await using other = await startLoopback((response) => response.end('[]'));
    const pull = await read(world);
    for (const target of [other.url.href, `${world.simulator.archiveOrigin}/next`]) {
      world.simulator.faults.next({
        match: { path: '/files' },
        action: answer(200, [], { link: `<${target}>; rel="next"` }),
      });
      await expect(world.provider.pullRequests.listChangedFiles(pull)).rejects.toMatchObject({
        kind: 'permanent',
        code: 'paging_host_refused',
      });
    }
    expect(other.seen).toEqual([]);
  });

  it('a next page that names itself, and a listing that is no list', async () => {
    await using world = await createGitHubWorld();
    const link = `<${world.simulator.apiUrl}/repos/acme/shop/pulls/1/reviews?page=2>; rel="next"`;
    const fault = { match: { path: '/reviews' }, action: answer(200, [], { link }), times: 9 };
    const loop = world.simulator.faults.next(fault);
    await expect(world.provider.reviews?.listReviews(world.ref)).rejects.toMatchObject({
      kind: 'transient',
      code: 'page_repeated',
    });
    expect(loop.hits()).toBe(2);
    loop.cancel();
    for (const body of [null, {}, { message: 'x' }]) {
      world.simulator.faults.next({ match: { path: '/reviews' }, action: answer(200, body) });
      await expect(world.provider.reviews?.listReviews(world.ref)).rejects.toMatchObject({
        code: 'answer_unexpected',
      });
    }
    // A conflict is no empty list either.
    world.simulator.faults.next({ match: { path: '/reviews' }, action: answer(409, { message: 'x' }) });
    await expect(world.provider.reviews?.listReviews(world.ref)).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_conflict',
    });
  });

  it('an archive that is a web page, or nothing', async () => {
    await using world = await createGitHubWorld();
    const match = { path: '/tarball/' };
    world.simulator.faults.next({ match, action: { kind: 'html' } });
    await expect(world.provider.snapshots.openArchive(world.ref, world.head)).rejects.toMatchObject({
      code: 'answer_html',
    });
    world.simulator.faults.next({
      match,
      action: { kind: 'answer', status: 404, body: { message: 'Not Found' } },
    });
    await expect(world.provider.snapshots.openArchive(world.ref, world.head)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('secrets', () => {
  it('are in no error and in no log line', async () => {
    await using world = await createGitHubWorld();
    const provider = world.connect({ credential: 'token' });
    const errors: unknown[] = [];
    for (const action of [
      { kind: 'html' },
      { kind: 'truncated-json' },
      answer(401, {}),
      answer(500, {}),
      answer(422, {}),
    ] as const) {
      fail(world, action, 3);
      for (const reader of [provider, world.provider]) {
        errors.push(await reader.pullRequests.getPullRequest(world.ref).catch((caught: unknown) => caught));
      }
    }
    const text = JSON.stringify([errors.map(describeError), world.log.lines]);
    expect(errors).toHaveLength(10);
    expect(text).not.toMatch(/github_pat_|ghs_|eyJ|BEGIN|[Bb]earer/);
  });
});

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    ...Object.fromEntries(Object.entries(error)),
    message: error.message,
    stack: error.stack,
    cause: describeError(error.cause),
  };
}

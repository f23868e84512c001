import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../shared/domain/clock.ts';
import { TOKEN, createAzureWorld } from './setup.ts';

const thread = (commit: string) => ({ kind: 'file', commit, path: 'src/app.ts', body: 'Once.' }) as const;

/** A clock that does not wait, and tells for how long it was asked to. */
function createQuickClock(): Clock & { readonly waits: number[] } {
  let now = Date.UTC(2026, 0, 1);
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: async (ms, signal) => {
      // Deadlines of requests are long and end by their signal.
      if (signal !== undefined && ms >= 20_000)
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
        });
      waits.push(ms);
      now += ms;
    },
  };
}

describe('limits', () => {
  const blocked = {
    message:
      'TF400733: The request has been canceled: Request was blocked due to exceeding usage of resource.',
    typeKey: 'RequestBlockedException',
  };

  it('are waited for as long as the service says', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({
      match: { path: '/threads' },
      action: { kind: 'answer', status: 429, headers: { 'retry-after': '120' }, body: blocked },
    });
    const expected = { kind: 'transient', code: 'provider_rate_limited' };
    await expect(provider.threads.listThreads(ref)).rejects.toMatchObject({
      ...expected,
      retryAfterMs: 120_000,
    });
    // The next call does not even ask.
    const before = simulator.requests().length;
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject(expected);
    expect(simulator.requests()).toHaveLength(before);
  });

  it.each([
    ['429 without a time', 429],
    ['TF400733 under another status', 403],
  ])('%s are waited for a minute', async (_what, status) => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({ action: { kind: 'answer', status, body: blocked } });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_rate_limited',
      retryAfterMs: 60_000,
    });
  });

  it('that come with a good answer are obeyed by the next request', async () => {
    await using world = await createAzureWorld();
    const { ref, simulator, connect } = world;
    const clock = createQuickClock();
    const provider = connect({ clock });
    await provider.pullRequests.getPullRequest(ref);
    expect(clock.waits).toEqual([]);
    simulator.askToSlowDown(3, 1);
    await provider.pullRequests.getPullRequest(ref);
    expect(clock.waits).toEqual([3_000]);
  });
});

describe('a write', () => {
  it.each([500, 502, 503, 408])('is not sent again after a %i', async (status) => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const match = { method: 'POST', path: '/threads' };
    const fault = simulator.faults.next({ match, action: { kind: 'answer', status, body: {} }, times: 5 });
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_failed',
    });
    expect(fault.hits()).toBe(1);
  });

  it('whose answer is lost is not sent again, and is found when it is looked for', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator } = world;
    const match = { method: 'POST', path: '/threads' };
    const lost = simulator.faults.next({ match, action: { kind: 'lose-response' }, times: 5 });
    await expect(provider.threadWriter?.createThread(ref, thread(head))).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_unreachable',
    });
    expect(lost.hits()).toBe(1);
    expect(await provider.threads.listThreads(ref)).toMatchObject([{ comments: [{ body: 'Once.' }] }]);
  });

  it('whose answer breaks off says nothing about what happened', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({ match: { method: 'POST' }, action: { kind: 'truncated-json' } });
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject({
      kind: 'transient',
      code: 'answer_truncated',
    });
    expect(simulator.generalComments(ref.number)).toHaveLength(1);
  });

  it('for which the head moves in the last moment stands where it was meant', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, head, simulator, git } = world;
    git.write('src/app.ts', `above\n${git.git('show', 'feature:src/app.ts')}`);
    const revision = git.commit('one line above');
    simulator.faults.next({
      match: { method: 'POST', path: '/threads' },
      action: { kind: 'head-moves-now', number: ref.number, revision },
    });
    const comment = { path: 'src/app.ts', side: 'new', line: 10, body: 'Why ten?' } as const;
    await provider.threadWriter?.createThread(ref, { kind: 'line', commit: head, comment });
    expect(await provider.threads.listThreads(ref)).toMatchObject([{ path: 'src/app.ts', line: 11 }]);
  });

  it('is never led elsewhere', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({
      match: { method: 'POST' },
      action: { kind: 'redirect', location: `${simulator.apiUrl}/elsewhere`, status: 307 },
    });
    await expect(provider.generalComments?.createGeneralComment(ref, 'x')).rejects.toMatchObject({
      kind: 'permanent',
      code: 'redirect_refused',
    });
  });

  it('stops when its signal does', async () => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    const stopped = AbortSignal.abort(new Error('too late'));
    await expect(provider.generalComments?.createGeneralComment(ref, 'x', stopped)).rejects.toThrow(
      'too late',
    );
    expect(simulator.generalComments(ref.number)).toEqual([]);
  });
});

describe('a read', () => {
  it.each([
    ['a failure', { kind: 'answer', status: 503, body: {} }],
    ['a lost answer', { kind: 'lose-response' }],
    ['JSON that breaks off', { kind: 'truncated-json' }],
  ] as const)('is tried again after %s, three times in all', async (_what, action) => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({ match: { path: '/iterations' }, action, times: 2 });
    expect(await provider.pullRequests.getPullRequest(ref)).toMatchObject({ changedFiles: 1 });
    const fault = simulator.faults.next({ match: { path: '/iterations' }, action, times: 5 });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({ kind: 'transient' });
    expect(fault.hits()).toBe(3);
  });

  it.each([
    ['another host', { kind: 'redirect', location: 'https://evil.example/x' }, 'host_not_allowed'],
    ['what is no JSON', { kind: 'answer', status: 200, body: 'hello' }, 'answer_not_json'],
    [
      'a web page of somebody else',
      { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Proxy</html>' },
      'answer_html',
    ],
    ['nulls', { kind: 'answer', status: 200, body: { value: null } }, 'answer_unexpected'],
    ['an unexpected status', { kind: 'answer', status: 418, body: {} }, 'provider_unexpected_status'],
  ] as const)('that is answered with %s says what is wrong', async (_what, action, code) => {
    await using world = await createAzureWorld();
    const { provider, ref, simulator } = world;
    simulator.faults.next({ match: { path: '/iterations' }, action });
    await expect(provider.pullRequests.getPullRequest(ref)).rejects.toMatchObject({
      kind: 'permanent',
      code,
    });
  });
});

describe('instances', () => {
  it('side by side each see their own', async () => {
    await using one = await createAzureWorld({ pull: { title: 'One' } });
    await using other = await createAzureWorld({
      pull: { title: 'Other' },
      simulator: { organization: 'tfs/DefaultCollection' },
    });
    expect(await one.provider.pullRequests.getPullRequest(one.ref)).toMatchObject({ title: 'One' });
    const server = other.connect({ id: 'server', token: TOKEN, apiUrl: `${other.simulator.apiUrl}/` });
    const ref = { ...other.ref, instance: 'server' };
    expect(await server.pullRequests.getPullRequest(ref)).toMatchObject({
      title: 'Other',
      ref: { instance: 'server' },
      webUrl: `${other.simulator.apiUrl}/Fabrikam%20Fiber/_git/Shop/pullrequest/${ref.number}`,
    });
  });
});

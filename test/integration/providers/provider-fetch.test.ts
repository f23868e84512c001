import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { ProviderFetchOptions } from '../../../shared/providers/http/provider-fetch.ts';
import { createProviderFetch } from '../../../shared/providers/http/provider-fetch.ts';
import { createProviderHosts } from '../../../shared/providers/http/provider-hosts.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';
import type { Loopback } from './loopback.ts';
import { startLoopback } from './loopback.ts';

const log = createRecordedLog();

function fetchFor(api: URL, options: Partial<ProviderFetchOptions> & { archiveHosts?: string[] } = {}) {
  const { archiveHosts = [], ...rest } = options;
  return createProviderFetch({
    hosts: createProviderHosts({ id: 'gh', apiUrl: api, webUrl: api, archiveHosts }),
    clock: systemClock,
    log,
    timeoutMs: 5_000,
    maxBytes: 1_000,
    ...rest,
  });
}

const ours = { authorization: 'Bearer top-secret', 'x-ours': 'yes', accept: 'application/json' };

/** Answers `/to?<address>` with a redirect there and everything else with `hello`. */
function startRedirecting(status = 302): Promise<Loopback> {
  return startLoopback((response, { path }) => {
    const [, target] = path.split('/to?');
    if (target === undefined) response.end('hello');
    else response.writeHead(status, { location: decodeURIComponent(target) }).end();
  });
}

const to = (base: URL, target: string): URL => new URL(`/to?${encodeURIComponent(target)}`, base);

describe('redirects', () => {
  it('are followed within the origin with our headers', async () => {
    await using api = await startRedirecting();
    const response = await fetchFor(api.url)(to(api.url, '/moved'), { headers: ours });
    expect(await response.text()).toBe('hello');
    expect(api.seen[1]).toMatchObject({ path: '/moved', headers: ours });
    expect(response.url).toBe(new URL('/moved', api.url).href);
  });

  it('are followed to a listed host without any header of ours, and back without them too', async () => {
    await using api = await startRedirecting();
    await using archive = await startRedirecting();
    const back = to(archive.url, new URL('/back', api.url).href);
    const get = fetchFor(api.url, { archiveHosts: [archive.url.host] });
    const response = await get(to(api.url, back.href), { headers: ours });
    expect(await response.text()).toBe('hello');
    for (const request of [archive.seen[0], api.seen[1]]) {
      expect(request?.headers).not.toHaveProperty('authorization');
      expect(request?.headers).not.toHaveProperty('x-ours');
    }
    expect(api.seen[1]?.path).toBe('/back');
  });

  it('to a host that is not listed are refused before a connection is made', async () => {
    await using api = await startRedirecting();
    await using other = await startRedirecting();
    await expect(fetchFor(api.url)(to(api.url, other.url.href), { headers: ours })).rejects.toMatchObject({
      kind: 'permanent',
      code: 'host_not_allowed',
      message: expect.stringContaining('archiveHosts'),
      details: { host: other.url.host },
    });
    expect(other.seen).toEqual([]);
  });

  it('are three at most', async () => {
    await using api = await startRedirecting();
    const nest = (depth: number): string =>
      depth === 0 ? new URL('/end', api.url).href : to(api.url, nest(depth - 1)).href;
    expect(await (await fetchFor(api.url)(nest(3))).text()).toBe('hello');
    await expect(fetchFor(api.url)(nest(4))).rejects.toMatchObject({ code: 'redirect_refused' });
  });

  it.each([302, 307, 308])('of a write are not followed (%i)', async (status) => {
    await using api = await startRedirecting(status);
    await expect(
      fetchFor(api.url)(to(api.url, '/moved'), { method: 'POST', body: '{}' }),
    ).rejects.toMatchObject({ kind: 'permanent', code: 'redirect_refused' });
    expect(api.seen).toHaveLength(1);
  });

  it('to nowhere are refused', async () => {
    await using api = await startLoopback((response) => response.writeHead(302).end());
    await expect(fetchFor(api.url)(api.url)).rejects.toMatchObject({ code: 'redirect_refused' });
  });
});

describe('hosts', () => {
  const refused = { kind: 'permanent', code: 'host_not_allowed' };
  const allowed =
    (api: string, url: string, archiveHosts: string[] = []) =>
    () =>
      createProviderHosts({
        id: 'gh',
        apiUrl: new URL(api),
        webUrl: new URL('https://github.com'),
        archiveHosts,
      }).assertAllowed(new URL(url));

  it.each([
    ['the API', 'https://api.github.com/x'],
    ['the web address', 'https://github.com/x'],
    ['an archive host', 'https://codeload.github.com/x'],
  ])('%s is allowed', (_what, url) => {
    expect(allowed('https://api.github.com', url, ['codeload.github.com'])).not.toThrow();
  });

  it.each([
    ['another host', 'https://evil.example/x'],
    ['a look-alike', 'https://api.github.com.evil.example/x'],
    ['another port', 'https://api.github.com:8443/x'],
    ['http', 'http://api.github.com/x'],
    ['a name', 'https://user@api.github.com/x'],
    ['a password', 'https://:pass@api.github.com/x'],
    ['this machine', 'http://127.0.0.1/x'],
    ['a file', 'file:///etc/passwd'],
  ])('%s is not', (_what, url) => {
    expect(allowed('https://api.github.com', url, ['127.0.0.1'])).toThrow(expect.objectContaining(refused));
  });

  it('http to an archive host is allowed only when the instance is on this machine itself', () => {
    expect(allowed('http://127.0.0.1:1', 'http://127.0.0.1:2/x', ['127.0.0.1:2'])).not.toThrow();
    expect(allowed('http://127.0.0.1:1', 'http://other.example/x', ['other.example'])).toThrow(/refused/);
    expect(allowed('http://192.168.0.9', 'http://192.168.0.9/x')).toThrow(/refused/);
  });
});

describe('bodies', () => {
  it.each(['chunked', 'gzip'])('over the cap are cut off while they are read (%s)', async (kind) => {
    await using api = await startLoopback((response) => {
      if (kind === 'gzip') {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)));
      } else {
        response.write('x'.repeat(600));
        response.end('x'.repeat(600));
      }
    });
    const response = await fetchFor(api.url)(api.url);
    await expect(response.text()).rejects.toMatchObject({ kind: 'permanent', code: 'answer_too_large' });
  });

  it('at the cap are read whole', async () => {
    await using api = await startLoopback((response) => response.end('x'.repeat(1_000)));
    expect(await (await fetchFor(api.url)(api.url)).text()).toHaveLength(1_000);
  });

  it('that break off are told from whole ones', async () => {
    await using api = await startLoopback((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const response = await fetchFor(api.url)(api.url);
    await expect(response.text()).rejects.toMatchObject({ kind: 'transient', code: 'provider_unreachable' });
  });
});

describe('time', () => {
  const timedOut = { kind: 'transient', code: 'provider_timeout' };

  it('runs out while waiting for an answer', async () => {
    await using api = await startLoopback(() => undefined);
    await expect(fetchFor(api.url, { timeoutMs: 30 })(api.url)).rejects.toMatchObject(timedOut);
  });

  it('runs out while the body is read', async () => {
    await using api = await startLoopback((response) => void response.write('some'));
    const response = await fetchFor(api.url, { timeoutMs: 60 })(api.url);
    await expect(response.text()).rejects.toMatchObject(timedOut);
  });

  it('is another for writes', async () => {
    await using api = await startLoopback(() => undefined);
    const send = fetchFor(api.url, { writeTimeoutMs: 30 });
    await expect(send(api.url, { method: 'POST', body: '{}' })).rejects.toMatchObject(timedOut);
  });

  it('of the caller ends the request with the reason the caller gave', async () => {
    await using api = await startLoopback((response) => void response.write('some'));
    const reason = new AppError({ kind: 'stale', code: 'superseded', message: 'newer push' });
    const before = AbortSignal.abort(reason);
    await expect(fetchFor(api.url)(api.url, { signal: before })).rejects.toBe(reason);
    expect(api.seen).toEqual([]);
    const during = new AbortController();
    const response = await fetchFor(api.url)(api.url, { signal: during.signal });
    const text = response.text();
    during.abort(reason);
    await expect(text).rejects.toBe(reason);
  });
});

describe('the rest', () => {
  it('a port that nobody listens on is unreachable', async () => {
    const gone = await startLoopback(() => undefined);
    await gone[Symbol.asyncDispose]();
    await expect(fetchFor(gone.url)(gone.url)).rejects.toMatchObject({
      kind: 'transient',
      code: 'provider_unreachable',
      details: { network: 'ECONNREFUSED' },
    });
  });

  it('logs host, path and status, and neither query nor headers', async () => {
    await using api = await startLoopback((response) => response.end('x'));
    await fetchFor(api.url)(new URL('/some/path?token=s3cret', api.url), { headers: ours });
    const line = log.lines.at(-1);
    expect(line).toMatchObject({
      level: 'debug',
      event: 'provider.answered',
      fields: { instance: 'gh', method: 'GET', host: api.url.host, path: '/some/path', status: 200 },
    });
    expect(JSON.stringify(log.lines)).not.toMatch(/s3cret|top-secret/);
  });

  it('statuses are passed on, not judged', async () => {
    await using api = await startLoopback((response) => response.writeHead(503).end('later'));
    const response = await fetchFor(api.url)(api.url);
    expect([response.status, await response.text()]).toEqual([503, 'later']);
  });
});

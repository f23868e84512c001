import { once } from 'node:events';
import { readFile, readdir, readlink } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { spawnFixture, userLogs } from './fixture-host.ts';
import { sendRaw } from './send-raw.ts';
import { waitUntil } from './wait-until.ts';

const host = await spawnFixture({ env: { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '25000000' } });
afterAll(() => host.stop());

const call = (path: string, init?: RequestInit) => fetch(`${host.url}${path}`, init);
const post = (path: string, body: Uint8Array<ArrayBuffer> | string) => call(path, { method: 'POST', body });
const bytes = Uint8Array.of(0x00, 0xff, 0x01, 0x02, 0x80);

async function hit(path: string, method = 'GET'): Promise<unknown> {
  const response = await call(path, { method });
  const text = await response.text();
  return response.status === 200 ? JSON.parse(text) : response.status;
}

async function statusOf(path: string, key?: string): Promise<number> {
  return (await call(path, key === undefined ? {} : { headers: { 'x-functions-key': key } })).status;
}

describe('request bodies', () => {
  it('reach the handler byte for byte', async () => {
    const response = await post('/echo', bytes);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
  });

  it('arrive when they are chunked', async () => {
    const { body } = await sendRaw(`${host.url}/echo`, {}, [bytes.subarray(0, 2), bytes.subarray(2)]);
    expect(new Uint8Array(body)).toEqual(bytes);
  });

  it('of 20 MB arrive whole', async () => {
    const response = await post('/measure', new Uint8Array(20_000_000));
    expect(await response.json()).toEqual({ length: 20_000_000 });
  });

  it('over the limit are a 413, declared or chunked', async () => {
    const declared = await post('/measure', new Uint8Array(25_000_001));
    expect([declared.status, await declared.text()]).toEqual([413, '']);
    const chunked = await sendRaw(
      `${host.url}/measure`,
      {},
      Array.from({ length: 26 }, () => new Uint8Array(1_000_000)),
    );
    expect(chunked.status).toBe(413);
  });

  it('may stay unread', async () => {
    expect((await post('/unread', new Uint8Array(5_000_000))).status).toBe(202);
  });

  it('may be answered before their first byte was sent', async () => {
    const request = http.request(`${host.url}/unread`, { method: 'POST', agent: false });
    request.flushHeaders();
    const [response]: unknown[] = await once(request, 'response');
    expect(response).toMatchObject({ statusCode: 202 });
    request.on('error', () => undefined).destroy();
  });

  it('are dropped with GET', async () => {
    const { body } = await sendRaw(`${host.url}/inspect`, { 'content-length': 5 }, [bytes], 'GET');
    expect(JSON.parse(body.toString())).toMatchObject({ method: 'GET', bodyLength: 0 });
  });

  it('that end early fail in the handler and take nothing down', async () => {
    const socket = net.connect(Number(new URL(host.url).port), '127.0.0.1');
    socket.write('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc');
    const failures = () =>
      host.logs.filter(({ functionName, level }) => functionName === 'echo' && level === 'error').length;
    await waitUntil('the call to begin', () => host.logs.at(-1)?.functionName === 'echo');
    socket.destroy();
    await waitUntil('the call to fail', () => failures() === 1);
    expect((await post('/echo', bytes)).status).toBe(200);
  });
});

describe('the request a handler sees', () => {
  const seen = z.object({
    url: z.string(),
    params: z.record(z.string(), z.string()),
    query: z.record(z.string(), z.string()),
    headers: z.record(z.string(), z.string()),
  });

  it('has decoded parameters, the public URL and the headers that were sent', async () => {
    const response = await call('/inspect/a%20b/%C3%A9%2Fd/?q=1%202', {
      method: 'PUT',
      body: 'x',
      headers: { 'X-Hub-Signature-256': 'sha256=00', 'x-forwarded-host': 'elsewhere.example' },
    });
    const { url, params, query, headers } = seen.parse(await response.json());
    expect(params).toEqual({ rest: 'a b/é%2Fd/' });
    expect(query).toEqual({ q: '1 2' });
    expect(url).toBe(`${host.url}/inspect/a%20b/%C3%A9%2Fd/?q=1%202`);
    expect(headers['x-hub-signature-256']).toBe('sha256=00');
  });
});

describe('routes', () => {
  it.each([
    ['/items/recent', { name: 'order-a', params: {} }],
    ['/ITEMS/Recent', { name: 'order-a', params: {} }],
    ['/items/12', { name: 'order-b', params: { id: '12' } }],
    ['/items/99999999999', { name: 'order-c', params: { name: '99999999999' } }],
    ['/items/bob', { name: 'order-c', params: { name: 'bob' } }],
    ['/items/a/b', { name: 'order-d', params: { rest: 'a/b' } }],
    ['/items', { name: 'order-d', params: {} }],
    ['/repos/o/5/x/y', { name: 'repos', params: { owner: 'o', id: '5', rest: 'x/y' } }],
    ['/repos/o/five/x', 404],
    ['/optional/a', { name: 'optional', params: { first: 'a' } }],
    ['/optional/a/1', { name: 'optional', params: { first: 'a', second: '1' } }],
    ['/optional/a/b', 404],
    ['/api/items/recent', 404],
    ['/', 404],
    ['/a%00', 400],
  ])('%s', async (path, expected) => {
    expect(await hit(path)).toEqual(expected);
  });

  it('answer a method that is not listed with 404, HEAD too', async () => {
    expect(await hit('/items/recent', 'POST')).toBe(404);
    expect(await hit('/items/recent', 'HEAD')).toBe(404);
    expect((await call('/status/200', { method: 'HEAD' })).status).toBe(200);
  });
});

describe('answers', () => {
  it.each([
    [204, ''],
    [304, ''],
    [418, 'text'],
  ])('%i keeps its status, without a body where none is allowed', async (status, body) => {
    const response = await call(`/status/${status}`);
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  it('of a handler that throws are a 500 with an empty body', async () => {
    const response = await call('/throws');
    expect([response.status, await response.text()]).toEqual([500, '']);
  });

  it('stream: the first chunk is there before the last is made', async () => {
    const response = await call('/ticks');
    const times: number[] = [];
    const chunks: string[] = [];
    for await (const chunk of response.body ?? []) {
      times.push(performance.now());
      chunks.push(Buffer.from(chunk).toString());
    }
    expect(chunks).toEqual(['tick 0\n', 'tick 1\n', 'tick 2\n']);
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(200);
  });

  it('that break in the middle reach the caller as a broken connection, not as a short success', async () => {
    const response = await call('/ticks?failAfter=1');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('that are missing are told apart from an answer: the connection is cut and the log says why', async () => {
    await expect(call('/nothing')).rejects.toThrow('fetch failed');
    await waitUntil('the log entry', () =>
      host.logs.some(
        ({ functionName, message }) => functionName === 'nothing' && /returned nothing/.test(message),
      ),
    );
  });

  it('carry every cookie', async () => {
    const response = await call('/cookies');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2; SameSite=Lax']);
  });
});

describe('keys', () => {
  const { keys } = host;

  it('open functions by level', async () => {
    const own = keys.functions['locked'] ?? '';
    const other = keys.functions['locked-for-admin'] ?? '';
    expect(
      await Promise.all(
        [undefined, 'wrong', other, own, keys.host, keys.master].map((key) => statusOf('/locked', key)),
      ),
    ).toEqual([401, 401, 401, 200, 200, 200]);
    expect(
      await Promise.all(
        [undefined, other, keys.host, keys.master].map((key) => statusOf('/locked-for-admin', key)),
      ),
    ).toEqual([401, 401, 401, 200]);
    expect(await statusOf(`/locked?code=${keys.host}`)).toBe(200);
    expect(await statusOf('/locked?code=wrong', keys.master)).toBe(401);
  });

  it('guard the admin routes', async () => {
    expect(await statusOf('/admin/functions')).toBe(401);
    expect(await statusOf('/admin/functions', keys.host)).toBe(401);
    expect(await statusOf('/admin/functions', keys.master)).toBe(200);
    expect(await statusOf('/admin/other', keys.master)).toBe(404);
  });

  it('never show up in the log', async () => {
    await statusOf(`/locked?code=${keys.master}`);
    expect(host.logs.filter(({ message }) => message.includes(keys.master))).toEqual([]);
  });
});

describe('the app', () => {
  it('runs its hooks around the handler', async () => {
    const before = userLogs(host).length;
    await post('/unread', 'x');
    await waitUntil('both hooks', () => userLogs(host).length >= before + 2);
    expect(userLogs(host).slice(before)).toEqual(['before unread', 'after unread']);
  });

  it('is loaded file by file in the order of names', () => {
    expect(host.functions.map(({ name }) => name)).toEqual(
      [
        'status',
        'throws',
        'nothing',
        'ticks',
        'late',
        'slow',
        'cookies',
        'echo',
        'measure',
        'unread',
        'inspect',
      ].concat([
        'locked',
        'locked-for-admin',
        'order-a',
        'order-b',
        'order-c',
        'order-d',
        'repos',
        'optional',
      ]),
    );
  });

  it('cannot register a function after its start', async () => {
    expect((await call('/late')).status).toBe(500);
    await waitUntil('the reason', () =>
      host.logs.some(({ message }) => message.includes('only be registered during app startup')),
    );
  });

  it('listens nowhere but on the loopback address', async () => {
    const listening = await listeningAddresses(host.pid);
    expect(listening.length).toBe(2);
    expect(listening.every((address) => address === '127.0.0.1')).toBe(true);
  });
});

/** Local addresses on which a process listens, from /proc. */
async function listeningAddresses(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  );
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A' && inodes.has(fields[9]))
    .map((fields) => (fields[1]?.startsWith('0100007F:') === true ? '127.0.0.1' : (fields[1] ?? '')));
}

import net from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnFixture } from './fixture-host.ts';
import { sendRaw } from './send-raw.ts';
import { waitUntil } from './wait-until.ts';

const host = await spawnFixture({ entry: 'buffered/*.ts' });
afterAll(() => host.stop());

describe('an app without stream mode', () => {
  it('gets declared bodies byte for byte, parameters, query and URL', async () => {
    const bytes = Uint8Array.of(0x00, 0xff, 0x01, 0x02, 0x80);
    const response = await fetch(`${host.url}/echo/a%20b?q=1&q=2`, { method: 'POST', body: bytes });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('x-id')).toBe('a b');
    expect(response.headers.get('x-query')).toBe('1,2');
    expect(response.headers.get('x-url')).toBe(`${host.url}/echo/a%20b?q=1&q=2`);
    expect(response.headers.getSetCookie()).toEqual(['c=1; Path=/; HttpOnly; SameSite=strict']);
  });

  it('gets a chunked body empty, as behind the real host', async () => {
    const { status, body } = await sendRaw(`${host.url}/echo`, {}, [Buffer.from('ab'), Buffer.from('cd')]);
    expect([status, body.byteLength]).toEqual([200, 0]);
  });

  it('fails a call whose caller hangs up in the middle of the body', async () => {
    const socket = net.connect(Number(new URL(host.url).port), '127.0.0.1');
    socket.write('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc', () => socket.destroy());
    await waitUntil('the failure', () =>
      host.logs.some(({ message }) => message === 'request failed: aborted'),
    );
    expect((await fetch(`${host.url}/nothing`)).status).toBe(204);
  });

  it('answers 204 for nothing and 500 with an empty body for a throw', async () => {
    const nothing = await fetch(`${host.url}/nothing`);
    const thrown = await fetch(`${host.url}/throws`);
    expect([nothing.status, await nothing.text()]).toEqual([204, '']);
    expect([thrown.status, await thrown.text()]).toEqual([500, '']);
  });
});

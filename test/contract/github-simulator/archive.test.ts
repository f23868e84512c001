import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatorWorld } from '../../fixtures/github/simulator-world.ts';
import { REPOSITORY, createSimulatorWorld } from '../../fixtures/github/simulator-world.ts';

interface Entry {
  readonly type: string;
  readonly text: string;
}

async function unpack(bytes: Uint8Array): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const tar = Readable.from([Buffer.from(bytes)])
    .pipe(createGunzip())
    .pipe(extract());
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    entries.set(entry.header.name, {
      type: entry.header.type ?? '',
      text: entry.header.linkname ?? Buffer.concat(chunks).toString(),
    });
  }
  return entries;
}

describe('archives of the simulated GitHub', () => {
  let world: SimulatorWorld;
  let now = Date.now();
  beforeAll(async () => {
    world = await createSimulatorWorld({ clock: { now: () => now } });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  async function link(): Promise<string> {
    const answer = await world.call('GET', `${REPOSITORY}/tarball/${world.head}`);
    expect(answer.status).toBe(302);
    return answer.headers.get('location') ?? '';
  }

  it('redirects to another origin with a token in the address', async () => {
    const location = new URL(await link());
    expect(location.origin).toBe(world.simulator.archiveOrigin);
    expect(location.origin).not.toBe(world.simulator.apiUrl);
    expect(location.pathname).toBe(`/acme/shop/legacy.tar.gz/${world.head}`);
    expect(location.searchParams.get('token')).toMatch(/^[0-9A-F]{32}$/);
  });

  it('obeys the attributes of the commit', async () => {
    const response = await fetch(await link());
    expect(response.headers.get('content-type')).toBe('application/x-gzip');
    const entries = await unpack(new Uint8Array(await response.arrayBuffer()));
    const top = `acme-shop-${world.head.slice(0, 7)}/`;
    expect(entries.has(`${top}secret.txt`)).toBe(false);
    expect(entries.get(`${top}stamp.txt`)?.text).toBe(`${world.head}\n`);
    expect(entries.get(`${top}start.bat`)?.text).toBe('echo one\r\necho two\r\n');
    expect(entries.get(`${top}config-link`)).toEqual({ type: 'symlink', text: 'end.txt' });
    expect(entries.get(`${top}docs/ein Überblick #1.md`)?.text).toBe('alpha\nbeta\n');
    expect(entries.get(`${top}vendor/lib/`)?.type).toBe('directory');
  });

  it('counts a credential that was forwarded to the download host, and refuses it', async () => {
    const location = await link();
    const answer = await fetch(location, { headers: { authorization: 'token ghp_reviewer' } });
    expect(answer.status).toBe(400);
    expect(world.simulator.forwardedCredentials()).toBe(1);
  });

  it('lets a link expire after five minutes, and forgets none before', async () => {
    const location = await link();
    now += 5 * 60 * 1000 - 1;
    expect((await fetch(location)).status).toBe(200);
    now += 1;
    expect((await fetch(location)).status).toBe(404);
  });

  it('answers 404 for a wrong token and for an unknown commit', async () => {
    const location = new URL(await link());
    location.searchParams.set('token', 'A'.repeat(32));
    expect((await fetch(location)).status).toBe(404);
    expect((await world.call('GET', `${REPOSITORY}/tarball/no-such-branch`)).status).toBe(404);
  });
});

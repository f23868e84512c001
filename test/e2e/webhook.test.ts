import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnLocalHost, type SpawnedHost } from '../../infra/local/host/spawn-host.ts';
import { startAzurite, type Azurite } from '../../infra/local/azurite.ts';
import { Secret } from '../../shared/config/secret.ts';
import { createTable } from '../../shared/state/azure-table.ts';
import { ensureStorage } from '../../shared/state/ensure-storage.ts';
import { githubDelivery } from '../bench/github-delivery.ts';
import { appSettings, APP_ROOT } from './support/app-settings.ts';

const SECRET = 'a webhook secret of this test';
const OLD_SECRET = 'the secret before the rotation';
const MEBIBYTE = 1024 * 1024;

let azurite: Azurite;
let host: SpawnedHost;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
}

interface Sent {
  readonly body: Buffer | string;
  readonly event?: string;
  readonly signature?: string | undefined;
  readonly contentType?: string;
  readonly chunked?: boolean;
  readonly url?: string;
}

const sign = (body: Buffer | string, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

function post(sent: Sent): Promise<Answer> {
  const headers: Record<string, string> = {
    'content-type': sent.contentType ?? 'application/json',
    'x-github-event': sent.event ?? 'pull_request',
  };
  if (sent.signature !== undefined) headers['x-hub-signature-256'] = sent.signature;
  if (sent.chunked !== true) headers['content-length'] = String(Buffer.byteLength(sent.body));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      sent.url ?? `${host.url}/webhooks/github`,
      { method: 'POST', headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            retryAfter: response.headers['retry-after'],
          }),
        );
      },
    );
    outgoing.once('error', reject);
    if (sent.chunked === true) {
      const bytes = Buffer.from(sent.body);
      for (let at = 0; at < bytes.length; at += MEBIBYTE) outgoing.write(bytes.subarray(at, at + MEBIBYTE));
      outgoing.end();
    } else {
      outgoing.end(sent.body);
    }
  });
}

beforeAll(async () => {
  azurite = await startAzurite({ inMemory: true });
  await ensureStorage({
    kind: 'connection-string',
    connectionString: new Secret(azurite.connectionString),
  });
  host = await spawnLocalHost({
    appRoot: APP_ROOT,
    entry: 'functions/{setup,webhook,health}.ts',
    env: appSettings({
      GATEHOUSE_STORAGE: azurite.connectionString,
      GITHUB_WEBHOOK_SECRETS: JSON.stringify([SECRET, OLD_SECRET]),
    }),
  });
});

afterAll(async () => {
  await host.stop();
  await azurite.stop();
});

describe('a delivery that is not genuine is refused alike, whatever is wrong with it', () => {
  const body = githubDelivery({ number: 1, distinct: 'refused' });
  const unauthorised = { status: 401, body: '{"accepted":false,"reason":"unauthorized"}' };

  it.each([
    ['a missing signature', undefined],
    ['an empty signature', ''],
    ['a signature of another secret', sign(body, 'another secret')],
    ['a signature of other bytes', sign('other bytes')],
    ['a shorter signature', sign(body).slice(0, -2)],
    ['a longer signature', `${sign(body)}00`],
    ['the older algorithm', `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`],
    ['no algorithm', sign(body).slice('sha256='.length)],
  ])('answers 401 to %s', async (_what, signature) => {
    expect(await post({ body, signature })).toMatchObject(unauthorised);
  });

  it('stores nothing of it', async () => {
    const before = host.logs.filter(({ message }) => message.includes('webhook.accepted')).length;
    await post({ body, signature: sign(body, 'another secret') });
    const after = host.logs.filter(({ message }) => message.includes('webhook.accepted')).length;
    expect(after - before).toBe(0);
    const table = createTable(
      { kind: 'connection-string', connectionString: new Secret(azurite.connectionString) },
      'GatehouseSessions',
    );
    const rows: unknown[] = [];
    for await (const row of table.scan('', '~', [])) rows.push(row);
    expect(rows).toEqual([]);
  });

  it('answers 404 for an instance that is not configured', async () => {
    const url = `${host.url}/webhooks/nowhere`;
    expect(await post({ body, signature: sign(body), url })).toMatchObject({ status: 404 });
  });
});

describe('a genuine delivery that asks for nothing is answered 2xx with its reason', () => {
  const genuine = (sent: Omit<Sent, 'signature'>) => post({ ...sent, signature: sign(sent.body) });

  it.each([
    ['a ping', { body: '{"zen":"Keep it logically awesome."}', event: 'ping' }, 'ping'],
    ['an unknown event', { body: '{}', event: 'sponsorship' }, 'unsupported_event'],
    ['malformed JSON', { body: '{"action":"opened"' }, 'malformed_payload'],
    ['a form', { body: 'payload=%7B%7D', contentType: 'application/x-www-form-urlencoded' }, 'form_encoded'],
  ])('ignores %s', async (_what, sent, reason) => {
    const answer = await genuine(sent);
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ accepted: false, reason }) });
  });

  it('accepts a signature of either secret during a rotation', async () => {
    const body = githubDelivery({ number: 2, distinct: 'rotation' });
    expect(await post({ body, signature: sign(body, OLD_SECRET) })).toMatchObject({ status: 202 });
    const later = githubDelivery({ number: 2, distinct: 'after the rotation' });
    expect(await post({ body: later, signature: sign(later) })).toMatchObject({ status: 202 });
  });

  it('accepts a chunked body', async () => {
    const body = githubDelivery({ number: 3, distinct: 'chunked' });
    expect(await post({ body, signature: sign(body), chunked: true })).toMatchObject({ status: 202 });
  });
});

describe('a body over the cap is refused before it is believed', () => {
  const body = Buffer.alloc(26 * MEBIBYTE, 'a');

  it.each([
    ['with its length', false],
    ['chunked', true],
  ])('answers 413 %s', async (_how, chunked) => {
    expect(await post({ body, signature: sign(body), chunked })).toMatchObject({ status: 413 });
  });
});

describe('an event is never acknowledged before it is durable', () => {
  it('answers 503 with Retry-After while storage is down', async () => {
    const gone = await startAzurite({ inMemory: true });
    await gone.kill();
    const cut = await spawnLocalHost({
      appRoot: APP_ROOT,
      entry: 'functions/{setup,webhook}.ts',
      env: appSettings({ GATEHOUSE_STORAGE: gone.connectionString, GITHUB_WEBHOOK_SECRETS: SECRET }),
    });
    try {
      const body = githubDelivery({ number: 4, distinct: 'no storage' });
      const answer = await post({ body, signature: sign(body), url: `${cut.url}/webhooks/github` });
      expect(answer).toMatchObject({ status: 503, retryAfter: '30' });
    } finally {
      await cut.stop();
    }
  });
});

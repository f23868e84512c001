import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { handleWebhook } from '../../../shared/ingress/handle-webhook.ts';
import type { HandleWebhookDeps } from '../../../shared/ingress/ports.ts';
import { readBody } from '../../../shared/ingress/read-body.ts';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import type { AcceptedJob } from '../../../shared/sessions/append.ts';
import {
  bytes,
  githubInstance,
  headersFor,
  pullRequestPayload,
} from '../../unit/ingress/github-deliveries.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';

const MAX_BYTES = 64 * 1024;

/** The webhook behind a real HTTP server, so that bodies arrive as the network cuts them. */
async function startWebhook() {
  const jobs: AcceptedJob[] = [];
  const instance = githubInstance();
  const deps: HandleWebhookDeps = {
    findInstance: async () => ({
      source: createGitHubWebhookSource(instance),
      repositories: instance.repositories,
    }),
    append: async (job) => {
      jobs.push(job);
      return 'appended';
    },
    clock: { now: () => Date.parse('2026-11-30T12:00:00Z'), sleep: async () => undefined },
    log: createRecordedLog(),
    retentionDays: 30,
    maxBytes: MAX_BYTES,
  };
  const server = createServer((incoming, response) => {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    void handleWebhook(deps, { instance: 'github', headers, body: incoming }).then((reply) => {
      response.writeHead(reply.status, { ...reply.headers, connection: 'close' });
      response.end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    jobs,
    /** Sends the pieces as they are; without `length` the body is chunked. */
    send: (pieces: readonly Uint8Array[], headers: Record<string, string | undefined>, length?: number) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const given = Object.entries(headers).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        );
        const outgoing = request(
          {
            host: '127.0.0.1',
            port: address.port,
            method: 'POST',
            headers: {
              ...Object.fromEntries(given),
              ...(length === undefined
                ? { 'transfer-encoding': 'chunked' }
                : { 'content-length': String(length) }),
            },
          },
          (incoming: IncomingMessage) => {
            let text = '';
            incoming.setEncoding('utf8');
            incoming.on('data', (chunk: string) => (text += chunk));
            incoming.on('end', () => resolve({ status: incoming.statusCode, text }));
          },
        );
        outgoing.on('error', reject);
        for (const piece of pieces) outgoing.write(piece);
        outgoing.end();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

describe('a delivery over HTTP', () => {
  it('is authenticated over the bytes however they are cut', async () => {
    await using webhook = await startWebhook();
    const body = bytes(JSON.stringify(pullRequestPayload('opened', { note: 'größer → ✓' })));
    const pieces = Array.from(body, (byte) => Uint8Array.of(byte));
    const reply = await webhook.send(pieces, headersFor('pull_request', body));
    expect(reply.status).toBe(202);
    expect(webhook.jobs).toHaveLength(1);
  });

  it('is refused with 413 over the cap, chunked or with a length, signed or not', async () => {
    await using webhook = await startWebhook();
    const body = new Uint8Array(MAX_BYTES + 1).fill(0x20);
    const half = [body.subarray(0, MAX_BYTES / 2), body.subarray(MAX_BYTES / 2)];
    const chunked = await webhook.send(half, headersFor('pull_request', body));
    const whole = await webhook.send([body], {}, body.length);
    expect(chunked).toEqual({ status: 413, text: '{"accepted":false,"reason":"payload_too_large"}' });
    expect(whole).toEqual(chunked);
    expect(webhook.jobs).toEqual([]);
  });

  it('is read up to the very cap', async () => {
    await using webhook = await startWebhook();
    const text = JSON.stringify(pullRequestPayload('opened'));
    const body = bytes(text + ' '.repeat(MAX_BYTES - bytes(text).length));
    expect(body).toHaveLength(MAX_BYTES);
    expect((await webhook.send([body], headersFor('pull_request', body))).status).toBe(202);
  });
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1);
  throw new Error('aborted');
}

describe('reading a body', () => {
  it('stops asking for more once the cap is passed', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        asked += 1;
        yield new Uint8Array(10);
      }
    }
    await expect(readBody(endless(), 25)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(asked).toBe(3);
  });

  it('says that a body broke off', async () => {
    await expect(readBody(broken(), 25)).rejects.toMatchObject({ kind: 'rejected', code: 'body_incomplete' });
  });

  it('takes an absent body as no bytes', async () => {
    expect(await readBody(null, 25)).toHaveLength(0);
  });
});

describe('the webhook path', () => {
  it('loads no vendor client', async () => {
    const { execFileSync } = await import('node:child_process');
    const script = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve(specifier, context, next) {
        const result = next(specifier, context);
        seen.push(result.url);
        return result;
      } });
      await import('./shared/providers/github/webhook-source.ts');
      await import('./shared/ingress/handle-webhook.ts');
      console.log(JSON.stringify(seen.filter((url) => url.includes('node_modules'))));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: new URL('../../..', import.meta.url).pathname,
      encoding: 'utf8',
    });
    const packages = new Set(
      Array.from(output.matchAll(/node_modules\/((?:@[^/"]+\/)?[^/"]+)/g), (match) => match[1]),
    );
    expect([...packages]).toEqual(['zod']);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createInstanceClient } from '../../../infra/ops/hooks/instance-client.ts';
import { Secret } from '../../../shared/config/secret.ts';
import { azureInstance } from '../azure-devops/deliveries.ts';

const REQUEST = { method: 'POST', path: '/_apis/hooks?api-version=7.1', body: { a: 1 } } as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html' };

function clientFor(transport: typeof fetch, apiUrl = 'https://dev.azure.com/fabrikam/') {
  return createInstanceClient({
    instance: azureInstance({ apiUrl: new URL(apiUrl) }),
    authorization: 'Basic abc',
    needs: 'It needs more.',
    secrets: [new Secret('pa"ss'), new Secret('pa"ss-and-more'), new Secret('')],
    transport,
  });
}

const answering =
  (body: string | null, init: ResponseInit): typeof fetch =>
  async () =>
    new Response(body, init);

async function failure(transport: typeof fetch, apiUrl?: string): Promise<unknown> {
  return clientFor(transport, apiUrl)
    .send(REQUEST, z.object({ id: z.string() }))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

describe('the client of an instance', () => {
  it('sends below apiUrl, follows nothing, and reads what is answered', async () => {
    const sent: unknown[] = [];
    const client = clientFor(async (input, init) => {
      sent.push([
        String(input instanceof Request ? input.url : input),
        init?.method,
        init?.redirect,
        init?.body,
      ]);
      return new Response('{"id":"7"}', { status: 201, headers: JSON_TYPE });
    });
    expect(await client.send(REQUEST, z.object({ id: z.string() }))).toEqual({ id: '7' });
    expect(sent).toEqual([
      ['https://dev.azure.com/fabrikam/_apis/hooks?api-version=7.1', 'POST', 'manual', '{"a":1}'],
    ]);
  });

  it.each([
    ['401', '', { status: 401 }, 'permanent', 'credentials_refused'],
    ['203 as JSON', '{"id":"7"}', { status: 203, headers: JSON_TYPE }, 'permanent', 'credentials_refused'],
    ['a sign-in page', '<html>', { status: 200, headers: HTML_TYPE }, 'permanent', 'credentials_refused'],
    [
      'a redirect',
      null,
      { status: 302, headers: { location: '/_signin' } },
      'permanent',
      'credentials_refused',
    ],
    ['403', '', { status: 403 }, 'permanent', 'not_permitted'],
    ['404', '', { status: 404 }, 'permanent', 'not_found'],
    ['429', '', { status: 429 }, 'transient', 'busy'],
    ['502', '', { status: 502 }, 'transient', 'busy'],
    ['truncated JSON', '{"id":', { status: 200, headers: JSON_TYPE }, 'permanent', 'unexpected_answer'],
    ['a null inside', '{"id":null}', { status: 200, headers: JSON_TYPE }, 'permanent', 'unexpected_answer'],
  ])('tells %s by kind and code', async (_name, body, init, kind, code) => {
    expect(await failure(answering(body, init))).toMatchObject({ kind, code });
  });

  it('repeats what the provider says without the secrets in it, plain or written as JSON', async () => {
    const said = async (message: unknown): Promise<unknown> =>
      failure(answering(JSON.stringify({ message }), { status: 422, headers: JSON_TYPE }));
    const begin = 'azure answered 422 to POST /_apis/hooks: ';
    expect(await said('bad pa"ss\nand\u001b pa"ss-and-more')).toMatchObject({
      message: `${begin}bad [secret] and  [secret]`,
    });
    expect(await said({ token: ['pa"ss is short'] })).toMatchObject({
      message: `${begin}{"token":["[secret] is short"]}`,
    });
    expect(await said(undefined)).toMatchObject({ message: `${begin}no reason given` });
    expect(await said('x'.repeat(1000))).toMatchObject({ message: begin + 'x'.repeat(300) });
  });

  it('says that an answer that did not come may have had its effect', async () => {
    const error = await failure(async () => Promise.reject(new TypeError('fetch failed')));
    expect(error).toMatchObject({ kind: 'transient', code: 'unreachable' });
    expect(String(error)).toContain('run the command again, which looks first');
  });

  it('connects to no plain address but this machine', async () => {
    let isAsked = false;
    const transport: typeof fetch = async () => {
      isAsked = true;
      return new Response('{}');
    };
    expect(await failure(transport, 'http://192.0.2.1/')).toMatchObject({ code: 'host_not_allowed' });
    expect(isAsked).toBe(false);
    expect(await failure(transport, 'http://127.0.0.1:81/')).toMatchObject({ code: 'unexpected_answer' });
  });
});

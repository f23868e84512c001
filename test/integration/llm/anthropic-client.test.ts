import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createAnthropicClient } from '../../../shared/llm/anthropic-client.ts';
import type { ModelRequest } from '../../../shared/llm/ports.ts';
import type { Logger } from '../../../shared/observability/ports.ts';
import { closedPort, startLoopbackServer } from './loopback-server.ts';

const SECRET_BODY = 'the vendor echoes: const password = "hunter2"';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content: [{ type: 'text', text: 'hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 12,
    output_tokens: 3,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: 7,
  },
};

const REQUEST: ModelRequest = {
  model: 'claude-sonnet-4-5',
  maxTokens: 30_000,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'pass_through', block: { type: 'thinking', thinking: 'hm', signature: 'sig' } },
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.ts' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'text', is_error: false }],
    },
  ],
  answerSchema: {
    type: 'object',
    properties: { findings: { type: 'array', maxItems: 5, items: { type: 'string', minLength: 1 } } },
    required: ['findings'],
  },
};

const lines: unknown[] = [];
const log: Logger = {
  debug: (event, fields) => void lines.push({ event, ...fields }),
  info: (event, fields) => void lines.push({ event, ...fields }),
  warn: (event, fields) => void lines.push({ event, ...fields }),
  error: (event, fields) => void lines.push({ event, ...fields }),
  child: () => log,
};

function clientFor(url: URL, callTimeoutMs = 5_000) {
  return createAnthropicClient({ apiKey: new Secret('key-1'), baseUrl: url, log, callTimeoutMs });
}

/** A caller without a deadline: the client's own must hold. */
const NEVER = new AbortController().signal;

function within(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError: ${String(error)}`);
  const { message, details, cause } = error;
  expect(JSON.stringify({ message, details, cause })).not.toContain('hunter2');
  return error;
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string | undefined>> = {}) {
  return startLoopbackServer((response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_7', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

describe('createAnthropicClient', () => {
  it('sends the request as the API wants it and reads the answer', async () => {
    await using server = await json(200, MESSAGE);
    const answer = await clientFor(server.url).create(REQUEST, within(5_000));

    expect(answer).toEqual({
      id: 'msg_1',
      model: 'claude-test-1',
      content: [{ type: 'text', text: 'hello' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 12, outputTokens: 3, cacheCreationTokens: 0, cacheReadTokens: 7 },
    });
    const sent = server.requests[0];
    expect(sent?.path).toBe('/base/v1/messages');
    expect(sent?.headers['authorization']).toBe('Bearer key-1');
    expect(sent?.headers['anthropic-version']).toBe('2026-10-21');
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 30_000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.ts' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'text', is_error: false }],
        },
      ],
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: {
              findings: {
                type: 'array',
                items: { type: 'string', description: '{minLength: 1}' },
                description: '{maxItems: 5}',
              },
            },
            additionalProperties: false,
            required: ['findings'],
          },
        },
      },
    });
  });

  it('keeps blocks of other types for the next turn', async () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' };
    await using server = await json(200, { ...MESSAGE, content: [thinking], stop_reason: 'pause_turn' });
    const answer = await clientFor(server.url).create(REQUEST, within(5_000));
    expect(answer.content).toEqual([{ type: 'pass_through', block: thinking }]);
    expect(answer.stopReason).toBe('pause_turn');
  });

  it.each([
    [400, 'invalid_request_error', 'permanent', 'model_request_invalid'],
    [401, 'authentication_error', 'permanent', 'model_credentials'],
    [402, 'billing_error', 'permanent', 'model_billing'],
    [403, 'permission_error', 'permanent', 'model_permission'],
    [404, 'not_found_error', 'permanent', 'model_not_found'],
    [408, 'timeout_error', 'transient', 'model_unavailable'],
    [413, 'request_too_large', 'permanent', 'model_request_too_large'],
    [422, 'invalid_request_error', 'permanent', 'model_request_invalid'],
    [429, 'rate_limit_error', 'transient', 'model_rate_limited'],
    [500, 'api_error', 'transient', 'model_unavailable'],
    [503, 'api_error', 'transient', 'model_unavailable'],
    [529, 'overloaded_error', 'transient', 'model_overloaded'],
  ])('translates %i %s once, as %s %s, with one request', async (status, type, kind, code) => {
    const body = { type: 'error', error: { type, message: SECRET_BODY }, request_id: 'req_7' };
    await using server = await json(status, body);
    const error = await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
    expect([error.kind, error.code, error.retryAfterMs]).toEqual([kind, code, undefined]);
    expect(error.details).toEqual({ status, type, requestId: 'req_7' });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '2.0005' }, 2_001],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '999999' }, 3_600_000],
    [{ 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'Wed, 01 Jan 2120 00:00:00 GMT' }, 3_600_000],
    [{ 'retry-after': 'soon' }, undefined],
  ])('takes over the wait of %j as %s ms, at most an hour', async (headers, expected) => {
    await using server = await json(429, { type: 'error', error: { type: 'rate_limit_error' } }, headers);
    const error = await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
    expect(error.retryAfterMs).toBe(expected);
  });

  it('a proxy page with an error status is judged by the status alone', async () => {
    await using server = await startLoopbackServer((response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end(`<html>${SECRET_BODY}</html>`);
    });
    const error = await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
    expect([error.kind, error.code]).toEqual(['transient', 'model_unavailable']);
  });

  it('200 with HTML, with bad JSON and with another shape are transient, not an answer', async () => {
    const bodies: [string, string][] = [
      ['text/html', `<html>${SECRET_BODY}</html>`],
      ['application/json', `{"id": "msg_1", "${SECRET_BODY}`],
      ['application/json', JSON.stringify({ ...MESSAGE, content: SECRET_BODY })],
      ['application/json', JSON.stringify({ ...MESSAGE, stop_reason: null })],
      ['application/json', JSON.stringify({ ...MESSAGE, content: [{ type: 'tool_use', name: 'x' }] })],
      ['application/json', '""'],
    ];
    for (const [type, body] of bodies) {
      await using server = await startLoopbackServer((response) => {
        response.writeHead(200, { 'content-type': type });
        response.end(body);
      });
      const error = await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
      expect([body, error.kind, error.code]).toEqual([body, 'transient', 'model_answer_unreadable']);
    }
  });

  it('a stalled body ends at the client deadline although the caller sets none', async () => {
    await using server = await startLoopbackServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    });
    const error = await failureOf(clientFor(server.url, 200).create(REQUEST, NEVER));
    expect([error.kind, error.code]).toEqual(['transient', 'model_stalled']);
  }, 5_000);

  it('no headers at all end at the client deadline too', async () => {
    await using server = await startLoopbackServer(() => undefined);
    const error = await failureOf(clientFor(server.url, 200).create(REQUEST, NEVER));
    expect([error.kind, error.code]).toEqual(['transient', 'model_stalled']);
  }, 5_000);

  it('a deadline of the caller is a stall; a reason of ours is passed on unchanged', async () => {
    await using server = await startLoopbackServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    const late = await failureOf(clientFor(server.url).create(REQUEST, within(200)));
    expect([late.kind, late.code]).toEqual(['transient', 'model_stalled']);

    const superseded = new AppError({ kind: 'stale', code: 'superseded', message: 'A newer push came.' });
    const controller = new AbortController();
    const pending = failureOf(clientFor(server.url).create(REQUEST, controller.signal));
    await expect.poll(() => server.requests.length).toBe(2);
    controller.abort(superseded);
    expect(await pending).toBe(superseded);
    expect(() => controller.signal.throwIfAborted()).toThrow(superseded);
  });

  it('a body cut in the middle and a refused connection are transient', async () => {
    await using server = await startLoopbackServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{"id":', () => response.destroy());
    });
    const cut = await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
    expect([cut.kind, cut.code]).toEqual(['transient', 'model_unreachable']);

    const refused = await failureOf(
      clientFor(new URL(`http://127.0.0.1:${await closedPort()}`)).create(REQUEST, within(5_000)),
    );
    expect([refused.kind, refused.code]).toEqual(['transient', 'model_unreachable']);
  });

  it('follows no redirect: the prompt goes to the configured host only', async () => {
    await using elsewhere = await json(200, MESSAGE);
    await using server = await startLoopbackServer((response) => {
      response.writeHead(307, { location: elsewhere.url.href });
      response.end();
    });
    const error = await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
    expect([error.kind, error.code]).toEqual(['transient', 'model_unreachable']);
    expect(elsewhere.requests).toEqual([]);
  });

  it('prints nothing to the console, for a deprecated model either, and logs no body', async () => {
    const warn = vi.spyOn(console, 'warn');
    await using server = await json(529, {
      type: 'error',
      error: { type: 'overloaded_error', message: SECRET_BODY },
    });
    await failureOf(clientFor(server.url).create(REQUEST, within(5_000)));
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
    expect(lines.at(-1)).toEqual({
      event: 'model.callFailed',
      code: 'model_overloaded',
      status: 529,
      type: 'overloaded_error',
      requestId: 'req_7',
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startOfflineReviewer } from '../../../infra/local/simulators/offline-reviewer/start-offline-reviewer.ts';
import type { OfflineReviewer } from '../../../infra/local/simulators/offline-reviewer/start-offline-reviewer.ts';

const API_KEY = 'offline-test-key';
const MAIN = join(import.meta.dirname, '../../../infra/local/simulators/offline-reviewer/main.ts');
const HELLO = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] };
const Ready = z.strictObject({ url: z.string(), apiKey: z.string() });

let reviewer: OfflineReviewer;
beforeEach(async () => {
  reviewer = await startOfflineReviewer({ apiKey: API_KEY });
});
afterEach(async () => {
  await reviewer.stop();
});

function post(
  path: string,
  body: unknown,
  changes: Record<string, string | undefined> = {},
): Promise<Response> {
  const all = { authorization: `Bearer ${API_KEY}`, 'anthropic-version': '2026-10-21', ...changes };
  const headers = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return fetch(`${reviewer.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('the offline reviewer on the wire', () => {
  it('keeps a base path, names every request, and answers a request without tools', async () => {
    const response = await post('/some/base/v1/messages', HELLO);
    expect([response.status, response.headers.get('request-id')]).toEqual([200, 'req_offline_1']);
    expect(await response.json()).toMatchObject({
      type: 'message',
      model: 'offline-reviewer',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: '{"findings":[],"injection_suspected":false}' }],
    });
  });

  it.each([
    ['a wrong key', '/v1/messages', HELLO, { authorization: 'Bearer wrong' }, 401, 'authentication_error'],
    ['no version', '/v1/messages', HELLO, { 'anthropic-version': undefined }, 400, 'invalid_request_error'],
    ['another path', '/v1/complete', HELLO, {}, 404, 'not_found_error'],
    ['no messages', '/v1/messages', { ...HELLO, messages: [] }, {}, 400, 'invalid_request_error'],
    ['an unknown field', '/v1/messages', { ...HELLO, temperature: 0 }, {}, 400, 'invalid_request_error'],
    [
      'empty text',
      '/v1/messages',
      { ...HELLO, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      {},
      400,
      'invalid_request_error',
    ],
    [
      'a prefilled answer',
      '/v1/messages',
      { ...HELLO, messages: [...HELLO.messages, { role: 'assistant', content: '{' }] },
      {},
      400,
      'invalid_request_error',
    ],
    [
      'a tool result that nobody asked for',
      '/v1/messages',
      {
        ...HELLO,
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: '' }] }],
      },
      {},
      400,
      'invalid_request_error',
    ],
    [
      'a tool call without its result',
      '/v1/messages',
      {
        ...HELLO,
        messages: [
          ...HELLO.messages,
          { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'n', input: {} }] },
          { role: 'user', content: 'and?' },
        ],
      },
      {},
      400,
      'invalid_request_error',
    ],
  ])('answers %s as the service would', async (_, path, body, headers, status, type) => {
    const response = await post(path, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } });
  });

  it('runs as a program, prints its address as a JSON line and ends with its parent', async () => {
    const child = spawn(process.execPath, [MAIN, '--fault', 'overloaded'], {
      env: { OFFLINE_REVIEWER_API_KEY: 'from-env' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const line = String((await once(child.stdout, 'data'))[0]);
    const { url, apiKey } = Ready.parse(JSON.parse(line));
    expect([apiKey, /^http:\/\/127\.0\.0\.1:\d+$/.test(url)]).toEqual(['from-env', true]);
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer from-env', 'anthropic-version': 'x' },
      body: JSON.stringify(HELLO),
    });
    expect(response.status).toBe(529);
    child.stdin.end();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it('refuses a fault it does not know with exit code 2', async () => {
    const child = spawn(process.execPath, [MAIN, '--fault', 'flood'], { stdio: 'ignore' });
    expect((await once(child, 'exit'))[0]).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { ModelMessage, ModelResponse, StopReason } from '../../../shared/llm/ports.ts';
import {
  createScriptedClient,
  scriptedAnswer,
  scriptedToolCalls,
} from '../../../shared/llm/scripted-client.ts';
import type { ScriptedStep } from '../../../shared/llm/scripted-client.ts';
import { runPass } from '../../../shared/review/run-pass.ts';
import type { PassInput, PassTools } from '../../../shared/review/run-pass.ts';
import { aFinding } from './builders.ts';

const GOOD = JSON.stringify({ findings: [aFinding()], injection_suspected: false });
const EMPTY = JSON.stringify({ findings: [], injection_suspected: false });
const READ = scriptedToolCalls([{ name: 'read_file', input: { path: 'a.ts' } }]);
const INPUT: PassInput = {
  model: 'm',
  limits: { maxTurns: 5, maxOutputTokens: 1000, maxTotalTokens: 100_000 },
  system: [{ type: 'text', text: 'system' }],
  opening: [{ type: 'text', text: 'diff', cache_control: { type: 'ephemeral' } }],
};

async function run(steps: readonly ScriptedStep[], input: Partial<PassInput> = {}) {
  const client = createScriptedClient(steps);
  const invoked: unknown[] = [];
  const tools: PassTools = {
    list: () => [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } }],
    async invoke(name, args) {
      invoked.push([name, args]);
      return { content: 'file text', isError: false };
    },
  };
  const result = await runPass({ client, tools }, { ...INPUT, ...input }, new AbortController().signal);
  return { result, requests: client.requests, invoked };
}

function stopped(stopReason: StopReason, patch: Partial<ModelResponse> = {}): ModelResponse {
  return scriptedAnswer(GOOD, { stopReason, ...patch });
}

function textOf(message: ModelMessage | undefined): string {
  return JSON.stringify(message?.content);
}

describe('runPass', () => {
  it('answers tool calls until the model answers by the schema', async () => {
    const two = scriptedToolCalls([
      { name: 'read_file', input: { path: 'b.ts' } },
      { name: 'unknown', input: null },
    ]);
    const { result, requests, invoked } = await run([READ, two, scriptedAnswer(GOOD)]);
    expect(result).toMatchObject({
      kind: 'answered',
      findings: [aFinding()],
      injectionSuspected: false,
      dropped: 0,
      stats: {
        models: ['scripted-model'],
        calls: 3,
        usage: { inputTokens: 300, outputTokens: 60, cacheCreationTokens: 0, cacheReadTokens: 0 },
        toolCalls: [
          { name: 'read_file', isError: false, resultCharacters: 9 },
          { name: 'read_file', isError: false, resultCharacters: 9 },
          { name: 'unknown', isError: false, resultCharacters: 9 },
        ],
      },
    });
    expect(invoked).toEqual([
      ['read_file', { path: 'a.ts' }],
      ['read_file', { path: 'b.ts' }],
      ['unknown', null],
    ]);
    expect(requests[2]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  it('sends the same prefix every time and moves one cache mark over the tool results', async () => {
    const { requests } = await run([READ, READ, scriptedAnswer(EMPTY)]);
    const prefixes = requests.map(({ system, tools, messages }) =>
      JSON.stringify([system, tools, messages[0]]),
    );
    expect(new Set(prefixes).size).toBe(1);
    const marks = requests.map(
      ({ messages }) =>
        messages.slice(1).filter((message) => textOf(message).includes('cache_control')).length,
    );
    expect(marks).toEqual([0, 1, 1]);
    expect(textOf(requests[2]?.messages[4])).toContain('cache_control');
  });

  it.each([
    ['end_turn', 'answered'],
    ['stop_sequence', 'answered'],
    ['max_tokens', 'truncated_answer'],
    ['refusal', 'refused_by_model'],
    ['model_context_window_exceeded', 'context_window_exceeded'],
  ] as const)('%s with a complete answer in the text is %s', async (stopReason, expected) => {
    const { result, requests } = await run([stopped(stopReason)]);
    expect(result.kind === 'missing' ? result.reason : result.kind).toBe(expected);
    expect(requests).toHaveLength(1);
  });

  it('tool_use without a tool call is read as an answer', async () => {
    const { result } = await run([stopped('tool_use')]);
    expect(result.kind).toBe('answered');
  });

  it('pause_turn continues with what was said so far, blocks of other types included', async () => {
    const block = { type: 'pass_through', block: { type: 'thinking', thinking: 'hm' } } as const;
    const { result, requests } = await run([
      stopped('pause_turn', { content: [block] }),
      scriptedAnswer(GOOD),
    ]);
    expect(result.kind).toBe('answered');
    expect(requests[1]?.messages[1]).toEqual({ role: 'assistant', content: [block] });
  });

  it('asks once more for an answer that cannot be read, and takes the better one', async () => {
    const { result, requests } = await run([
      scriptedAnswer('I found a bug in src/a.ts.'),
      scriptedAnswer(GOOD),
    ]);
    expect(result).toMatchObject({ kind: 'answered', findings: [aFinding()], stats: { calls: 2 } });
    expect(requests[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'I found a bug in src/a.ts.' }] },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: 'Your answer could not be read: it is no JSON object with the key findings\nAnswer again with nothing but one JSON object that fits the schema.',
          },
        ],
      },
    ]);
  });

  it('a second unreadable answer is a missing pass, never an empty list', async () => {
    const { result, requests } = await run([scriptedAnswer(''), scriptedAnswer('still nothing')]);
    expect(result).toMatchObject({ kind: 'missing', reason: 'unreadable_answer', stats: { calls: 2 } });
    expect(textOf(requests[1]?.messages[1])).toContain('(no text)');
  });

  it('says when the last tool call was made and gives up when the model goes on', async () => {
    const { result, requests } = await run([() => READ]);
    expect(result).toMatchObject({ kind: 'missing', reason: 'turn_limit', stats: { calls: 5 } });
    const hints = requests.map(({ messages }) => textOf(messages.at(-1)).includes('last tool call'));
    expect(hints).toEqual([false, false, false, false, true]);

    const answers = await run([READ, READ, READ, READ, scriptedAnswer(GOOD)]);
    expect(answers.result.kind).toBe('answered');
  });

  it('stops at the token limit after one more chance to answer, cached tokens counted', async () => {
    const costly = {
      ...READ,
      usage: { inputTokens: 1, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 100_000 },
    };
    expect((await run([costly, scriptedAnswer(GOOD)])).result.kind).toBe('answered');
    expect((await run([costly, READ])).result).toMatchObject({ kind: 'missing', reason: 'token_limit' });
    const paused = { ...costly, stopReason: 'pause_turn' } as const;
    expect((await run([paused])).result).toMatchObject({ kind: 'missing', reason: 'token_limit' });
  });

  it('bounds tool results and the calls of one turn', async () => {
    const client = createScriptedClient([
      scriptedToolCalls(Array.from({ length: 25 }, () => ({ name: 'read_file', input: {} }))),
      scriptedAnswer(EMPTY),
    ]);
    let invoked = 0;
    const tools: PassTools = {
      list: () => [],
      async invoke() {
        invoked += 1;
        return { content: 'x'.repeat(100_000), isError: true };
      },
    };
    await runPass({ client, tools }, INPUT, new AbortController().signal);
    const results = client.requests[1]?.messages[2]?.content ?? [];
    expect([invoked, results.length]).toEqual([20, 25]);
    expect(results[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true });
    expect(JSON.stringify(results[0]).length).toBeLessThan(80_200);
    expect(results[24]).toMatchObject({ content: 'At most 20 calls at once; ask again.', is_error: true });
  });

  it('a request that is too large is a missing pass; other failures go to the job', async () => {
    const tooLarge = new AppError({ kind: 'permanent', code: 'model_request_too_large', message: 'x' });
    expect((await run([tooLarge])).result).toMatchObject({ kind: 'missing', reason: 'request_too_large' });
    for (const code of ['model_credentials', 'model_overloaded']) {
      const error = new AppError({
        kind: code === 'model_overloaded' ? 'transient' : 'permanent',
        code,
        message: 'x',
      });
      await expect(run([READ, error])).rejects.toBe(error);
    }
  });

  it('ends with the reason of an abort between calls', async () => {
    const reason = new AppError({ kind: 'stale', code: 'superseded', message: 'newer' });
    const controller = new AbortController();
    const client = createScriptedClient([READ, scriptedAnswer(GOOD)]);
    const tools: PassTools = {
      list: () => [],
      async invoke() {
        controller.abort(reason);
        return { content: '', isError: false };
      },
    };
    await expect(runPass({ client, tools }, INPUT, controller.signal)).rejects.toBe(reason);
    expect(client.requests).toHaveLength(1);
  });
});

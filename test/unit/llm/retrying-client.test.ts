import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { Clock } from '../../../shared/domain/clock.ts';
import type { ModelRequest } from '../../../shared/llm/ports.ts';
import { createRetryingClient } from '../../../shared/llm/retrying-client.ts';
import { createScriptedClient, scriptedAnswer } from '../../../shared/llm/scripted-client.ts';
import type { ScriptedStep } from '../../../shared/llm/scripted-client.ts';
import type { Logger } from '../../../shared/observability/ports.ts';

const REQUEST: ModelRequest = { model: 'm', maxTokens: 10, system: [], tools: [], messages: [] };
const ANSWER = scriptedAnswer('ok');
const log: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

function failure(kind: 'transient' | 'permanent', retryAfterMs?: number): AppError {
  return new AppError({
    kind,
    code: 'x',
    message: 'x',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function setUp(steps: readonly ScriptedStep[]) {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
    },
  };
  const scripted = createScriptedClient(steps);
  const client = createRetryingClient({
    client: scripted,
    clock,
    random: { number: () => 0, hex: () => '' },
    log,
    maxRetries: 2,
    maxWaitMs: 20_000,
  });
  return { client, scripted, waits };
}

describe('createRetryingClient', () => {
  it('repeats a transient failure with growing waits and then answers', async () => {
    const { client, scripted, waits } = setUp([failure('transient'), failure('transient'), ANSWER]);
    expect(await client.create(REQUEST, new AbortController().signal)).toBe(ANSWER);
    expect(waits).toEqual([750, 1500]);
    expect(scripted.requests).toHaveLength(3);
  });

  it('gives up after two repeats with the last failure', async () => {
    const last = failure('transient');
    const { client, scripted } = setUp([failure('transient'), failure('transient'), last, ANSWER]);
    await expect(client.create(REQUEST, new AbortController().signal)).rejects.toBe(last);
    expect(scripted.requests).toHaveLength(3);
  });

  it('waits as long as the service asks, and hands longer waits to the job', async () => {
    const { client, waits } = setUp([failure('transient', 5_000), ANSWER]);
    expect(await client.create(REQUEST, new AbortController().signal)).toBe(ANSWER);
    expect(waits).toEqual([5_000]);

    const long = failure('transient', 20_001);
    const second = setUp([long, ANSWER]);
    await expect(second.client.create(REQUEST, new AbortController().signal)).rejects.toBe(long);
    expect(second.waits).toEqual([]);
  });

  it('never repeats a permanent failure or an aborted call', async () => {
    const permanent = failure('permanent');
    const { client, scripted } = setUp([permanent, ANSWER]);
    await expect(client.create(REQUEST, new AbortController().signal)).rejects.toBe(permanent);
    expect(scripted.requests).toHaveLength(1);

    const controller = new AbortController();
    const aborted = setUp([
      () => {
        controller.abort();
        return failure('transient');
      },
    ]);
    await expect(aborted.client.create(REQUEST, controller.signal)).rejects.toThrow('x');
    expect(aborted.scripted.requests).toHaveLength(1);
  });
});

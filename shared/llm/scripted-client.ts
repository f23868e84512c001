import type { ModelClient, ModelRequest, ModelResponse, ModelUsage } from './ports.ts';

/** One step: an answer, an error to throw, or a function of the request and its index. */
export type ScriptedStep =
  | ModelResponse
  | Error
  | ((request: ModelRequest, index: number) => ModelResponse | Error | Promise<ModelResponse>);

export interface ScriptedClient extends ModelClient {
  /** Every request received, in order. */
  readonly requests: readonly ModelRequest[];
}

const USAGE: ModelUsage = { inputTokens: 100, outputTokens: 20, cacheCreationTokens: 0, cacheReadTokens: 0 };

/**
 * A model that follows a script, for tests and evaluations. The last step repeats when it is a function;
 * otherwise a call beyond the script throws, so that a test notices calls it did not expect.
 */
export function createScriptedClient(steps: readonly ScriptedStep[]): ScriptedClient {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async create(request, signal) {
      signal.throwIfAborted();
      const index = requests.push(request) - 1;
      const last = steps.at(-1);
      const step = steps[index] ?? (typeof last === 'function' ? last : undefined);
      if (step === undefined) throw new Error(`The script has no step for call ${index + 1}.`);
      const result = typeof step === 'function' ? await step(request, index) : step;
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

/** A complete answer with `text`; `patch` replaces any part of it. */
export function scriptedAnswer(text: string, patch: Partial<ModelResponse> = {}): ModelResponse {
  return {
    id: 'msg_scripted',
    model: 'scripted-model',
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: USAGE,
    ...patch,
  };
}

/** An answer that asks for tools; each call gets the id `toolu_<n>` counted from `firstId`. */
export function scriptedToolCalls(
  calls: readonly { readonly name: string; readonly input: unknown }[],
  firstId = 1,
): ModelResponse {
  return scriptedAnswer('', {
    content: calls.map((call, index) => ({ type: 'tool_use', id: `toolu_${firstId + index}`, ...call })),
    stopReason: 'tool_use',
  });
}

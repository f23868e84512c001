import type { ModelResponse, ModelUsage } from '../llm/ports.ts';

/** One tool call of a pass: sizes and names, never contents. */
export interface ToolCallStat {
  readonly name: string;
  readonly isError: boolean;
  readonly resultCharacters: number;
}

export interface PassStats {
  /** Model ids as answered, each once. */
  readonly models: readonly string[];
  readonly calls: number;
  readonly usage: ModelUsage;
  readonly toolCalls: readonly ToolCallStat[];
}

/** Adds up what a pass used, failed and repaired answers included. */
export interface PassMeter {
  addResponse(response: ModelResponse): void;
  addToolCall(call: ToolCallStat): void;
  /** Input and output, cached input included. */
  totalTokens(): number;
  stats(): PassStats;
}

export function createPassMeter(): PassMeter {
  const models = new Set<string>();
  const toolCalls: ToolCallStat[] = [];
  let calls = 0;
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };
  return {
    addResponse(response) {
      models.add(response.model);
      calls += 1;
      usage = addUsage(usage, response.usage);
    },
    addToolCall: (call) => void toolCalls.push(call),
    totalTokens: () =>
      usage.inputTokens + usage.outputTokens + usage.cacheCreationTokens + usage.cacheReadTokens,
    stats: () => ({ models: [...models], calls, usage, toolCalls: [...toolCalls] }),
  };
}

export function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheCreationTokens: left.cacheCreationTokens + right.cacheCreationTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
  };
}

import { isAppError } from '../domain/app-error.ts';
import type { Finding } from '../domain/finding.ts';
import type {
  ModelClient,
  ModelMessage,
  ModelResponse,
  ModelTool,
  StopReason,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../llm/ports.ts';
import { decodeAnswer } from './decode-answer.ts';
import { PASS_ANSWER_SCHEMA } from './pass-answer.ts';
import { createPassMeter } from './pass-meter.ts';
import type { PassMeter, PassStats } from './pass-meter.ts';
import type { PassLimits } from './plan.ts';

/** The tools a pass may use; every call goes through the gate behind `invoke`, which never throws. */
export interface PassTools {
  list(): readonly ModelTool[];
  invoke(name: string, args: unknown): Promise<{ readonly content: string; readonly isError: boolean }>;
}

/** Why a pass gave no answer. None of them ever counts as an empty list. */
export const MISSING_REASONS = [
  'unreadable_answer',
  'truncated_answer',
  'refused_by_model',
  'context_window_exceeded',
  'turn_limit',
  'token_limit',
  'request_too_large',
] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

export type PassResult =
  | {
      readonly kind: 'answered';
      readonly findings: readonly Finding[];
      readonly injectionSuspected: boolean;
      /** Findings beyond the limit of one answer, dropped. */
      readonly dropped: number;
      readonly stats: PassStats;
    }
  | { readonly kind: 'missing'; readonly reason: MissingReason; readonly stats: PassStats };

export interface PassInput {
  readonly model: string;
  readonly limits: PassLimits;
  /** The same bytes for every pass that may share the service's cache. */
  readonly system: readonly TextBlock[];
  readonly opening: readonly TextBlock[];
}

export interface PassDeps {
  readonly client: ModelClient;
  readonly tools: PassTools;
}

const LAST_CALL = 'This was your last tool call. Answer now, by the schema.';
const MAX_TOOL_RESULT_CHARACTERS = 80_000;
const MAX_CALLS_A_TURN = 20;

/**
 * One pass: the tool loop until the model answers by the schema. Ends after a bounded number of calls and tokens;
 * an answer that cannot be read is asked for once more.
 * @throws AppError `transient` of the client, and its `permanent` ones, which speak of configuration.
 */
export async function runPass(deps: PassDeps, input: PassInput, signal: AbortSignal): Promise<PassResult> {
  const { limits } = input;
  const meter = createPassMeter();
  const messages: ModelMessage[] = [{ role: 'user', content: input.opening }];
  const missing = (reason: MissingReason): PassResult => ({ kind: 'missing', reason, stats: meter.stats() });
  let mayRepair = true;
  let ending: MissingReason | undefined;

  for (let turn = 1; turn <= limits.maxTurns; turn += 1) {
    signal.throwIfAborted();
    const response = await callModel(deps, input, messages, signal);
    if (response === undefined) return missing('request_too_large');
    meter.addResponse(response);
    const next = nextStep(response);
    if (next.kind === 'missing') return missing(next.reason);
    if (next.kind === 'continue') {
      if (meter.totalTokens() > limits.maxTotalTokens) return missing('token_limit');
      messages.push({ role: 'assistant', content: response.content });
    } else if (next.kind === 'tools') {
      if (ending !== undefined) return missing(ending);
      // One more call is granted for the answer, so that what was found is not lost.
      if (meter.totalTokens() > limits.maxTotalTokens) ending = 'token_limit';
      else if (turn >= limits.maxTurns - 1) ending = 'turn_limit';
      const results = await answerCalls(deps.tools, next.calls, meter, signal);
      messages.push(
        { role: 'assistant', content: response.content },
        {
          role: 'user',
          content: ending === undefined ? results : [...results, { type: 'text', text: LAST_CALL }],
        },
      );
    } else {
      const answer = decodeAnswer(next.text);
      if (answer.kind === 'answer') {
        const { findings, injectionSuspected, dropped } = answer;
        return { kind: 'answered', findings, injectionSuspected, dropped, stats: meter.stats() };
      }
      if (!mayRepair) return missing('unreadable_answer');
      mayRepair = false;
      // The repair is not counted among the turns.
      turn -= 1;
      messages.push(...repairRequest(next.text, answer.problem));
    }
  }
  return missing('turn_limit');
}

type NextStep =
  | { readonly kind: 'missing'; readonly reason: MissingReason }
  | { readonly kind: 'continue' }
  | { readonly kind: 'tools'; readonly calls: readonly ToolUseBlock[] }
  | { readonly kind: 'answer'; readonly text: string };

/** What each stop reason means for the loop; a new one is a type error here. */
const STEPS: Readonly<Record<StopReason, Exclude<NextStep['kind'], 'missing'> | MissingReason>> = {
  end_turn: 'answer',
  stop_sequence: 'answer',
  tool_use: 'tools',
  pause_turn: 'continue',
  // A cut list may lack its worst finding; it is never taken for the whole.
  max_tokens: 'truncated_answer',
  refusal: 'refused_by_model',
  model_context_window_exceeded: 'context_window_exceeded',
};

function nextStep(response: ModelResponse): NextStep {
  const step = STEPS[response.stopReason];
  const calls = response.content.filter((block) => block.type === 'tool_use');
  if (step === 'continue') return { kind: 'continue' };
  if (step === 'tools' && calls.length > 0) return { kind: 'tools', calls };
  if (step === 'tools' || step === 'answer') {
    const text = response.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { kind: 'answer', text };
  }
  return { kind: 'missing', reason: step };
}

/** Undefined when the service says that this request is too large; any other failure is thrown. */
async function callModel(
  deps: PassDeps,
  input: PassInput,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<ModelResponse | undefined> {
  try {
    return await deps.client.create(
      {
        model: input.model,
        maxTokens: input.limits.maxOutputTokens,
        system: input.system,
        tools: deps.tools.list(),
        messages: withCacheBreakpoint(messages),
        answerSchema: PASS_ANSWER_SCHEMA,
      },
      signal,
    );
  } catch (error) {
    if (isAppError(error, 'permanent') && error.code === 'model_request_too_large') return undefined;
    throw error;
  }
}

async function answerCalls(
  tools: PassTools,
  calls: readonly ToolUseBlock[],
  meter: PassMeter,
  signal: AbortSignal,
): Promise<ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted();
    const { content, isError } =
      index < MAX_CALLS_A_TURN
        ? await tools.invoke(call.name, call.input)
        : { content: `At most ${MAX_CALLS_A_TURN} calls at once; ask again.`, isError: true };
    const bounded = boundResult(content);
    meter.addToolCall({ name: call.name.slice(0, 64), isError, resultCharacters: bounded.length });
    results.push({ type: 'tool_result', tool_use_id: call.id, content: bounded, is_error: isError });
  }
  return results;
}

function boundResult(content: string): string {
  if (content.length <= MAX_TOOL_RESULT_CHARACTERS) return content;
  return `${content.slice(0, MAX_TOOL_RESULT_CHARACTERS)}\n[cut: ask for less at once]`;
}

function repairRequest(text: string, problem: string): ModelMessage[] {
  return [
    // The service refuses empty text.
    { role: 'assistant', content: [{ type: 'text', text: text.trim() === '' ? '(no text)' : text }] },
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: `Your answer could not be read: ${problem}\nAnswer again with nothing but one JSON object that fits the schema.`,
        },
      ],
    },
  ];
}

/** Marks the newest tool results as the end of what the service may cache, besides the fixed prefix. */
function withCacheBreakpoint(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.findLastIndex(({ content }) => content.some((block) => block.type === 'tool_result'));
  return messages.map((message, index) => {
    if (index !== last) return message;
    const end = message.content.findLastIndex((block) => block.type === 'tool_result');
    return {
      ...message,
      content: message.content.map((block, at) =>
        at === end && block.type === 'tool_result'
          ? { ...block, cache_control: { type: 'ephemeral' } }
          : block,
      ),
    };
  });
}

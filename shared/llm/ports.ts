/**
 * The narrow port in front of a model. Shapes follow the Anthropic Messages API, version 2026-10-21
 * (content blocks, stop reasons, usage), so that every vendor adapter is thin.
 */
export interface CacheControl {
  readonly type: 'ephemeral';
}
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control?: CacheControl;
}
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
  readonly cache_control?: CacheControl;
}
/** A block of any other type (thinking, ...), kept as received: it must go back unchanged with its turn. */
export interface PassThroughBlock {
  readonly type: 'pass_through';
  readonly block: Readonly<Record<string, unknown>>;
}
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly (TextBlock | ToolUseBlock | ToolResultBlock | PassThroughBlock)[];
}
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}
export interface ModelRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly system: readonly TextBlock[];
  readonly tools: readonly ModelTool[];
  readonly messages: readonly ModelMessage[];
  /** JSON Schema of the final answer (output_config.format). */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
}
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
}
/** Every reason the API names (SDK 1.14.0); an unknown one makes the answer unreadable. */
export const STOP_REASONS = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];
export interface ModelResponse {
  readonly id: string;
  /** Model id as answered. */
  readonly model: string;
  readonly content: readonly (TextBlock | ToolUseBlock | PassThroughBlock)[];
  readonly stopReason: StopReason;
  readonly usage: ModelUsage;
}
export interface ModelClient {
  /**
   * One Messages call. `signal` must carry a deadline: a stalled body has no other bound.
   * @throws AppError `transient` (429, 5xx, network, overloaded, stalled) or `permanent` (credentials, bad request).
   */
  create(request: ModelRequest, signal: AbortSignal): Promise<ModelResponse>;
}

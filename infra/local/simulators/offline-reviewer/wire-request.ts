import { z } from 'zod';

const CacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() });
const Text = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  cache_control: CacheControl.optional(),
});
const ToolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.unknown(),
});
const ToolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(Text)]),
  is_error: z.boolean().optional(),
  cache_control: CacheControl.optional(),
});

/** The part of a Messages request (API version 2026-10-21) that this server understands; anything else is a 400. */
export const WireRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  system: z.union([z.string(), z.array(Text)]).optional(),
  tools: z
    .array(z.strictObject({ name: z.string(), description: z.string(), input_schema: z.looseObject({}) }))
    .optional(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([z.string(), z.array(z.union([Text, ToolUse, ToolResult])).min(1)]),
      }),
    )
    .min(1),
  output_config: z
    .strictObject({
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).optional(),
      effort: z.string().optional(),
    })
    .optional(),
});
export type WireRequest = z.infer<typeof WireRequest>;

/** A tool call with the text of its result, in the order they were made. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: unknown;
  readonly isError: boolean;
  readonly result: string;
}

/** What a conversation holds. */
export interface Conversation {
  /** Texts of the user that are no tool results. */
  readonly userTexts: readonly string[];
  readonly calls: readonly AnsweredCall[];
}

/** @returns why the service would refuse the conversation, or what it holds. */
export function readConversation(request: WireRequest): Conversation | string {
  const userTexts: string[] = [];
  const calls: AnsweredCall[] = [];
  let open = new Map<string, { name: string; input: unknown }>();
  if (request.messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (request.messages.at(-1)?.role !== 'user') return 'messages: prefill is not supported by this model';
  for (const { role, content } of request.messages) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    const asked = new Map<string, { name: string; input: unknown }>();
    for (const block of blocks) {
      if (block.type === 'text' && role === 'user') userTexts.push(block.text);
      if (block.type === 'tool_use') asked.set(block.id, block);
      if (block.type === 'tool_result') {
        const call = open.get(block.tool_use_id);
        if (call === undefined) return 'messages: tool_result without its tool_use in the previous message';
        open.delete(block.tool_use_id);
        calls.push({ ...call, isError: block.is_error ?? false, result: textOf(block.content) });
      }
    }
    if (open.size > 0) return 'messages: tool_use ids were found without tool_result blocks right after';
    open = asked;
  }
  return { userTexts, calls };
}

function textOf(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}

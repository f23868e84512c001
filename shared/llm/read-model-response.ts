import { z } from 'zod';
import { AppError } from '../domain/app-error.ts';
import { STOP_REASONS } from './ports.ts';
import type { ModelResponse } from './ports.ts';

const tokens = z.int().min(0).nullish();

/** What we need of an answer (Messages API 2026-10-21); other fields pass unread. Absent counts arrive as null. */
const WireResponse = z.object({
  id: z.string().min(1),
  type: z.literal('message'),
  model: z.string().min(1),
  content: z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({
        type: z.literal('tool_use'),
        id: z.string().min(1),
        name: z.string().min(1),
        input: z.unknown(),
      }),
      z.looseObject({ type: z.string().refine((type) => type !== 'text' && type !== 'tool_use') }),
    ]),
  ),
  stop_reason: z.enum(STOP_REASONS),
  usage: z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
  }),
});

type WireBlock = z.infer<typeof WireResponse>['content'][number];

/**
 * Checks the body of a 200 answer: the SDK returns HTML as a string and any JSON unchecked.
 * @throws AppError `transient` model_answer_unreadable, without any of the body.
 */
export function readModelResponse(body: unknown): ModelResponse {
  const parsed = WireResponse.safeParse(body);
  if (!parsed.success) throw unreadableAnswer();
  const { id, model, content, stop_reason: stopReason, usage } = parsed.data;
  return {
    id,
    model,
    content: content.map(readBlock),
    stopReason,
    usage: {
      inputTokens: usage.input_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
      cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
      cacheReadTokens: usage.cache_read_input_tokens ?? 0,
    },
  };
}

/** The one error for a 200 that is no message: HTML of a proxy, cut or malformed JSON, an unknown shape. */
export function unreadableAnswer(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'model_answer_unreadable',
    message: 'The model service answered 200 with something that is no message; it will be tried again.',
  });
}

function readBlock(block: WireBlock): ModelResponse['content'][number] {
  if (isTextBlock(block)) return { type: 'text', text: block.text };
  if (isToolUseBlock(block)) return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
  return { type: 'pass_through', block };
}

function isTextBlock(block: WireBlock): block is Extract<WireBlock, { type: 'text' }> {
  return block.type === 'text';
}

function isToolUseBlock(block: WireBlock): block is Extract<WireBlock, { type: 'tool_use' }> {
  return block.type === 'tool_use';
}

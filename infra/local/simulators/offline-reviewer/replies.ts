import type { Move } from './converse.ts';
import type { Fault } from './faults.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The model id of every answer, so that no record can take them for a real model's. */
export const OFFLINE_MODEL = 'offline-reviewer';

const WEB_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body>Bad gateway</body></html>\n';
const CHARACTERS_A_TOKEN = 4;

export function errorReply(status: number, type: string, message: string, requestId: string): Reply {
  return {
    status,
    body: JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId }),
  };
}

/** The whole reply of faults that replace the work; undefined for those that spoil its result. */
export function failedReply(fault: Fault, requestId: string): Reply | undefined {
  switch (fault) {
    case 'rate_limited':
      return {
        ...errorReply(429, 'rate_limit_error', 'Too many requests', requestId),
        headers: { 'retry-after': '1' },
      };
    case 'overloaded':
      return errorReply(529, 'overloaded_error', 'Overloaded', requestId);
    case 'server_error':
      return errorReply(500, 'api_error', 'Internal server error', requestId);
    case 'html':
      return { status: 200, body: WEB_PAGE, headers: { 'content-type': 'text/html' } };
    default:
      return undefined;
  }
}

/** The message for a move; token counts are estimates from the lengths. */
export function messageReply(
  move: Move,
  fault: Fault | undefined,
  requestLength: number,
  serial: number,
): Reply {
  const { content, stopReason } = spoil(move, fault, serial);
  const text = JSON.stringify(content);
  return {
    status: 200,
    body: JSON.stringify({
      id: `msg_offline_${serial}`,
      type: 'message',
      role: 'assistant',
      model: OFFLINE_MODEL,
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: Math.ceil(requestLength / CHARACTERS_A_TOKEN),
        output_tokens: Math.ceil(text.length / CHARACTERS_A_TOKEN),
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
      },
    }),
  };
}

interface Content {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly stopReason: string;
}

function spoil(move: Move, fault: Fault | undefined, serial: number): Content {
  const answer = move.kind === 'answer' ? move.text : '{"findings":[]}';
  switch (fault) {
    case 'refusal':
      return textContent('I cannot help with this.', 'refusal');
    case 'nonsense':
      return textContent('Everything looks fine to me, nothing to report.', 'end_turn');
    case 'half_json':
      return textContent(answer.slice(0, answer.length / 2), 'end_turn');
    case 'max_tokens':
      return textContent(answer.slice(0, answer.length / 2), 'max_tokens');
    default:
      return move.kind === 'answer' ? textContent(answer, 'end_turn') : toolContent(move, serial);
  }
}

function textContent(text: string, stopReason: string): Content {
  return { content: [{ type: 'text', text }], stopReason };
}

function toolContent(move: Extract<Move, { kind: 'tools' }>, serial: number): Content {
  const content = move.calls.map(({ name, input }, index) => ({
    type: 'tool_use',
    id: `toolu_offline_${serial}_${index}`,
    name,
    input,
    caller: { type: 'direct' },
  }));
  return { content, stopReason: 'tool_use' };
}

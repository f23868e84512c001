import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { SimulatorReply } from './exchange.ts';

/** The bytes of a reply that is not a stream. */
function replyBytes(reply: SimulatorReply): Buffer {
  if (reply.bytes !== undefined) return Buffer.from(reply.bytes);
  if (reply.text !== undefined) return Buffer.from(reply.text, 'utf8');
  return reply.json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(reply.json), 'utf8');
}

/** Writes a reply; with `truncate` only the first half of its bytes. */
export async function sendReply(
  response: ServerResponse,
  reply: SimulatorReply,
  truncate = false,
): Promise<void> {
  const headers: Record<string, string> = { ...reply.headers };
  if (reply.json !== undefined) headers['content-type'] ??= 'application/json; charset=utf-8';
  if (reply.text !== undefined) headers['content-type'] ??= 'text/plain; charset=utf-8';
  if (reply.stream !== undefined) {
    response.writeHead(reply.status, headers);
    await pipeline(reply.stream, response);
    return;
  }
  const bytes = replyBytes(reply);
  // A proxy that cuts an answer still ends the message properly, so that the client sees JSON that does not parse.
  const sent = truncate ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
  if (reply.status !== 204 && reply.status !== 304) headers['content-length'] = String(sent.length);
  response.writeHead(reply.status, headers);
  await new Promise<void>((resolve) => response.end(sent, () => resolve()));
}

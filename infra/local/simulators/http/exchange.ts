import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** One request as a simulator's handlers see it. */
export interface SimulatorRequest {
  /** Counts from 1 in the order of arrival; joins the request log and the write log. */
  readonly id: number;
  readonly method: string;
  /** Decoded by no one: as on the request line, without query and without the API's prefix. */
  readonly path: string;
  /** The prefix that was removed, e.g. `/api/v3`; empty for none. */
  readonly prefix: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** `http://127.0.0.1:port` of the listener that took the request. */
  readonly origin: string;
  /** Decoded values of the route's placeholders. */
  readonly params: Readonly<Record<string, string>>;
}

/** What a handler answers; at most one of `json`, `text`, `bytes` and `stream`. */
export interface SimulatorReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly stream?: Readable;
}

export type SimulatorHandler = (request: SimulatorRequest) => SimulatorReply | Promise<SimulatorReply>;

/** Thrown by handlers anywhere below a route to answer at once. */
export class ReplyError extends Error {
  readonly reply: SimulatorReply;

  constructor(reply: SimulatorReply) {
    super(`simulated answer ${reply.status}`);
    this.name = 'ReplyError';
    this.reply = reply;
  }
}

/** The body as JSON; undefined when it is empty or none. */
export function readJson(request: SimulatorRequest): unknown {
  if (request.rawBody.length === 0) return undefined;
  try {
    return JSON.parse(request.rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

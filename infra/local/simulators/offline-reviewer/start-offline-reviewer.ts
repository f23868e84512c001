import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nextMove } from './converse.ts';
import type { Fault } from './faults.ts';
import { errorReply, failedReply, messageReply } from './replies.ts';
import type { Reply } from './replies.ts';
import { WireRequest, readConversation } from './wire-request.ts';

export interface OfflineReviewerOptions {
  readonly apiKey: string;
  /** Default: any free port. */
  readonly port?: number;
  /** One fault for each of the first requests, in order; more can be added later with `failNext`. */
  readonly faults?: readonly Fault[];
}

/** One request to the Messages endpoint, as it came. */
export interface ReviewerRequest {
  readonly body: string;
  /** Undefined when the body is no valid request. */
  readonly request: WireRequest | undefined;
  readonly status: number;
  readonly fault: Fault | undefined;
}

export interface OfflineReviewer {
  /** `http://127.0.0.1:<port>`; a base path in front of `/v1/messages` is accepted too. */
  readonly url: string;
  /** The newest ones, oldest first. */
  readonly requests: readonly ReviewerRequest[];
  /** Arms one fault for each of the next requests. */
  failNext(...faults: readonly Fault[]): void;
  stop(): Promise<void>;
}

/** A server that runs for days must not keep every diff it was shown. */
const MAX_KEPT_REQUESTS = 1_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const ENDPOINT = /\/v1\/messages$/;

/**
 * A loopback server that speaks the Messages API and reviews by fixed rules, so that everything around a model can
 * be run without one. It keeps no state between requests.
 */
export async function startOfflineReviewer(options: OfflineReviewerOptions): Promise<OfflineReviewer> {
  const requests: ReviewerRequest[] = [];
  const faults: Fault[] = [...(options.faults ?? [])];
  let serial = 0;

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    serial += 1;
    const requestId = `req_offline_${serial}`;
    const send = ({ status, body, headers }: Reply) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': requestId, ...headers });
      response.end(body);
    };
    const refuse = (status: number, type: string, text: string) =>
      send(errorReply(status, type, text, requestId));

    const body = await readBody(message);
    const path = new URL(message.url ?? '/', 'http://localhost').pathname;
    if (message.method !== 'POST' || !ENDPOINT.test(path)) {
      return refuse(404, 'not_found_error', 'Not found');
    }
    if (!isSame(message.headers.authorization ?? '', `Bearer ${options.apiKey}`)) {
      return refuse(401, 'authentication_error', 'invalid bearer token');
    }
    if (message.headers['anthropic-version'] === undefined) {
      return refuse(400, 'invalid_request_error', 'anthropic-version: header is required');
    }
    if (body === undefined) return refuse(413, 'request_too_large', 'Request exceeds the maximum size');
    const request = WireRequest.safeParse(parseJson(body));
    const fault = faults.shift();
    const record = (status: number) => {
      requests.push({ body, request: request.success ? request.data : undefined, status, fault });
      if (requests.length > MAX_KEPT_REQUESTS) requests.shift();
    };
    if (!request.success) {
      record(400);
      const [issue] = request.error.issues;
      return refuse(400, 'invalid_request_error', `${issue?.path.join('.')}: ${issue?.message}`);
    }
    const conversation = readConversation(request.data);
    if (typeof conversation === 'string') {
      record(400);
      return refuse(400, 'invalid_request_error', conversation);
    }
    const failed = fault === undefined ? undefined : failedReply(fault, requestId);
    if (failed !== undefined) {
      record(failed.status);
      return send(failed);
    }
    const move = nextMove(conversation, request.data.tools?.map(({ name }) => name) ?? []);
    const reply = messageReply(move, fault, body.length, serial);
    record(200);
    if (fault !== 'stall' && fault !== 'cut') return send(reply);
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': requestId });
    response.write(reply.body.slice(0, reply.body.length / 2), () => {
      if (fault === 'cut') response.destroy();
    });
  }

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the offline reviewer has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    failNext: (...more) => void faults.push(...more),
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** Undefined when the body is larger than the service would take. */
async function readBody(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

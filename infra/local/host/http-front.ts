import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { BodyTooLarge, limitBody } from './body-limit.ts';
import { isAuthorized, type FunctionKeys } from './function-keys.ts';
import type { HostLog } from './host-log.ts';
import { listeningPort } from './listening-port.ts';
import { decodeRequestPath } from './request-path.ts';
import type { RouteHit, RouteTable } from './route-table.ts';

export interface HttpCall {
  readonly invocationId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hit: RouteHit;
  /** Counts against the host's limit while it is read. */
  readonly body: ReturnType<typeof limitBody>;
}

export interface HttpFrontOptions {
  readonly port: number;
  readonly routes: RouteTable;
  readonly keys: FunctionKeys;
  readonly bodyLimitBytes: number;
  readonly log: HostLog;
  /** Runs the function; must write the response or throw. */
  readonly call: (call: HttpCall) => Promise<void>;
  /** Answers `/admin/...`; the master key was already checked. */
  readonly admin: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
}

export interface HttpFront {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Takes no new requests; resolves when the running ones are answered. */
  stop(): Promise<void>;
}

/** The listener that callers talk to: path, route, key, body limit; then the function. */
export async function startHttpFront(options: HttpFrontOptions): Promise<HttpFront> {
  const { log } = options;
  // Kestrel's limits: 32 KiB of headers, no time limit for a whole request.
  const server = http.createServer({ maxHeaderSize: 32_768, requestTimeout: 0 }, (request, response) => {
    handle(options, request, response).catch((error: unknown) => {
      log('debug', `request failed: ${error instanceof Error ? error.message : String(error)}`);
      // After the headers the status cannot change any more; cutting the connection tells the caller.
      if (response.headersSent) response.destroy();
      else answer(response, error instanceof BodyTooLarge ? 413 : 500);
      drain(request);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    stop: () =>
      new Promise((resolve) => {
        // A connection that finishes its last request now would otherwise stay open until its idle timeout.
        const closing = setInterval(() => server.closeIdleConnections(), 25);
        server.close(() => {
          clearInterval(closing);
          resolve();
        });
      }),
  };
}

async function handle(
  options: HttpFrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { routes, keys, bodyLimitBytes, call, admin } = options;
  const path = decodeRequestPath(request.url ?? '');
  if (path === undefined) return answer(response, 400);
  if (/^\/admin(?:\/|$)/i.test(path)) {
    if (!isAuthorized(request, keys, 'admin')) return answer(response, 401);
    return admin(request, response, path);
  }
  const hit = routes.find(request.method ?? '', path);
  if (hit === undefined) return answer(response, 404);
  if (!isAuthorized(request, keys, hit.authLevel, hit.functionName)) return answer(response, 401);
  const body = limitBody(request, bodyLimitBytes);
  await call({ invocationId: randomUUID(), request, response, hit, body });
  drain(request);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end();
}

/** How long Kestrel goes on reading a body that nobody wants, so that the caller gets to see the answer. */
const DRAIN_MS = 5_000;

function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const drained = setTimeout(() => request.destroy(), DRAIN_MS);
  request.once('close', () => clearTimeout(drained));
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_KEY_HEADER, ADMIN_PREFIX, createAdminRoutes } from './admin-routes.ts';
import type { SimulatorHandler, SimulatorReply, SimulatorRequest } from './exchange.ts';
import { ReplyError } from './exchange.ts';
import { replacementReply, withoutItems } from './fault-replies.ts';
import type { FaultAction, FaultInjector } from './faults.ts';
import { createFaultInjector } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { createRequestLog, loggedBody, withoutSecrets } from './request-log.ts';
import type { Route } from './router.ts';
import { createRouter } from './router.ts';
import { sendReply } from './send-reply.ts';
import type { WriteLog } from './write-log.ts';
import { createWriteLog } from './write-log.ts';

export interface SimulatorServerOptions {
  readonly routes: readonly Route[];
  /** Remote-control routes of this simulator, with patterns below `/_simulator`. */
  readonly adminRoutes?: readonly Route[];
  /** API prefixes removed before routing, e.g. `/api/v3`; the empty prefix always works. */
  readonly prefixes?: readonly string[];
  /** Other spellings of a path, applied after the prefix is removed. */
  readonly rewritePath?: (path: string) => string;
  readonly notFound: SimulatorHandler;
  /** Headers of every answer, e.g. rate limits and a request id. */
  readonly commonHeaders?: (request: SimulatorRequest) => Readonly<Record<string, string>>;
  /** Faults that only the simulator itself can perform. */
  readonly onFault?: (
    action: Extract<FaultAction, { kind: 'head-moves-now' | 'token-expired' }>,
    request: SimulatorRequest,
  ) => Promise<void> | void;
  readonly now: () => number;
  /** Largest request body in bytes; default 32 MiB. */
  readonly maxBodyBytes?: number;
  readonly faults?: FaultInjector;
  readonly writes?: WriteLog;
}

export interface SimulatorServer {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly port: number;
  readonly adminKey: string;
  readonly faults: FaultInjector;
  readonly requests: RequestLog;
  readonly writes: WriteLog;
  stop(): Promise<void>;
}

async function readBody(message: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sameKey(given: string | string[] | undefined, expected: string): boolean {
  const bytes = Buffer.from(typeof given === 'string' ? given : '');
  const wanted = Buffer.from(expected);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

/** Starts a loopback server on a free port (or `port`) that routes, logs and misbehaves on demand. */
export async function startSimulatorServer(
  options: SimulatorServerOptions,
  port = 0,
): Promise<SimulatorServer> {
  const faults = options.faults ?? createFaultInjector();
  const requests = createRequestLog(20_000);
  const writes = options.writes ?? createWriteLog();
  const adminKey = randomBytes(24).toString('hex');
  const route = createRouter(options.routes);
  const adminRoute = createRouter([
    ...createAdminRoutes({ faults, requests, writes }),
    ...(options.adminRoutes ?? []),
  ]);
  const stopping = new AbortController();
  /** The last JSON answer of each listing, for `repeat-page`. */
  const lastAnswers = new Map<string, unknown>();
  let lastId = 0;
  let origin = '';

  function parse(message: IncomingMessage, rawBody: Buffer): SimulatorRequest {
    const [rawPath = '/', query = ''] = (message.url ?? '/').split(/\?(.*)/s);
    const prefix = (options.prefixes ?? []).find((known) => rawPath.startsWith(`${known}/`)) ?? '';
    lastId += 1;
    return {
      id: lastId,
      method: message.method ?? 'GET',
      path: options.rewritePath?.(rawPath.slice(prefix.length)) ?? rawPath.slice(prefix.length),
      prefix,
      query: new URLSearchParams(query),
      headers: message.headers,
      rawBody,
      origin,
      params: {},
    };
  }
  async function handle(request: SimulatorRequest): Promise<SimulatorReply> {
    const match = route(request.method, request.path);
    try {
      return match === undefined
        ? await options.notFound(request)
        : await match.route.handle({ ...request, params: match.params });
    } catch (error) {
      if (error instanceof ReplyError) return error.reply;
      throw error;
    }
  }
  async function handleAdmin(request: SimulatorRequest): Promise<SimulatorReply> {
    if (!sameKey(request.headers[ADMIN_KEY_HEADER], adminKey)) {
      return { status: 403, json: { error: `${ADMIN_KEY_HEADER} is missing or wrong` } };
    }
    const match = adminRoute(request.method, request.path);
    if (match === undefined) return { status: 404, json: { error: 'no such admin route' } };
    return match.route.handle({ ...request, params: match.params });
  }
  async function answer(request: SimulatorRequest, response: ServerResponse): Promise<void> {
    const queryText = request.query.size === 0 ? '' : `?${request.query.toString()}`;
    const action = faults.take({
      method: request.method,
      path: request.path,
      query: queryText,
      body: request.rawBody.toString('utf8'),
    });
    const fault = action === undefined ? {} : { fault: action.kind };
    requests.open({
      id: request.id,
      at: options.now(),
      method: request.method,
      path: request.path,
      query: queryText,
      headers: withoutSecrets(request.headers),
      body: loggedBody(request.rawBody),
    });
    if (action?.kind === 'lose-request') {
      requests.close(request.id, fault);
      response.destroy();
      return;
    }
    if (action?.kind === 'delay') await wait(action.ms, undefined, { signal: stopping.signal });
    if (action?.kind === 'head-moves-now' || action?.kind === 'token-expired') {
      await options.onFault?.(action, request);
    }
    let reply = (action === undefined ? undefined : replacementReply(action)) ?? (await handle(request));
    if (action?.kind === 'lose-response') {
      requests.close(request.id, fault);
      response.destroy();
      return;
    }
    if (reply.json !== undefined) {
      const listing = `${request.method} ${request.path}`;
      const previous = lastAnswers.get(listing);
      if (reply.status < 300) lastAnswers.set(listing, reply.json);
      if (action?.kind === 'repeat-page' && previous !== undefined) reply = { ...reply, json: previous };
      if (action?.kind === 'empty-page') reply = { ...reply, json: withoutItems(reply.json) };
    }
    requests.close(request.id, { status: reply.status, ...fault });
    const headers = { ...options.commonHeaders?.(request), ...reply.headers };
    await sendReply(response, { ...reply, headers }, action?.kind === 'truncated-json');
  }

  const server = createServer((message, response) => {
    void (async () => {
      const body = await readBody(message, options.maxBodyBytes ?? 32 * 1024 * 1024);
      if (body === undefined) {
        await sendReply(response, { status: 413, text: 'payload too large' });
        return;
      }
      const request = parse(message, body);
      if (request.path.startsWith(`${ADMIN_PREFIX}/`)) await sendReply(response, await handleAdmin(request));
      else await answer(request, response);
    })().catch((error: unknown) => {
      // A bug of the simulator must be seen by the test that meets it, not pass for a provider's 500.
      if (response.headersSent || response.destroyed) response.destroy();
      else void sendReply(response, { status: 599, text: `simulator failed: ${String(error)}` });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const boundPort = address !== null && typeof address === 'object' ? address.port : port;
  origin = `http://127.0.0.1:${boundPort}`;

  return {
    origin,
    port: boundPort,
    adminKey,
    faults,
    requests,
    writes,
    stop: () =>
      new Promise((resolve) => {
        stopping.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ProgrammingModel } from './core-types.ts';
import { HostRefusal } from './host-refusal.ts';
import { listeningPort } from './listening-port.ts';

/** Headers of one hop, never forwarded (RFC 9110, 7.6.1), and those that each side sets itself. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** Stream mode: the library's own HTTP listener, to which the host forwards requests. */
export interface StreamProxy {
  /**
   * Forwards a request and streams the answer back; resolves when the answer is complete.
   * Rejects when either side fails; the response may have begun by then.
   */
  forward(request: IncomingMessage, body: Readable, response: ServerResponse, call: ProxyCall): Promise<void>;
  close(): Promise<void>;
}

export interface ProxyCall {
  readonly invocationId: string;
  readonly signal: AbortSignal;
}

/**
 * Asks the library for its capabilities, which locks `app.setup`, and returns the way to its listener when the
 * app has switched stream mode on.
 */
export async function openStreamProxy(model: ProgrammingModel): Promise<StreamProxy | undefined> {
  const { result, server } = await withLoopbackListen(async () => model.getCapabilities?.({}));
  if (result?.['HttpUri'] === undefined) return undefined;
  if (server === undefined) {
    throw new HostRefusal(
      'stream mode: this version of @azure/functions listens in a way that is not known here',
    );
  }
  // Idle connections are the proxy's to close: a listener that closes first would lose a request now and then.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  const port = listeningPort(server);
  const agent = new http.Agent({ keepAlive: true });
  return {
    forward: (request, body, response, call) => forward({ port, agent, request, body, response, ...call }),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The library listens on all interfaces (measured with 4.16.5); here it must only be reachable from this machine. */
async function withLoopbackListen<T>(
  run: () => Promise<T>,
): Promise<{ result: T; server: http.Server | undefined }> {
  const prototype = http.Server.prototype;
  const original = Object.getOwnPropertyDescriptor(prototype, 'listen');
  const listen = Reflect.get(prototype, 'listen');
  const servers: http.Server[] = [];
  Object.defineProperty(prototype, 'listen', {
    configurable: true,
    writable: true,
    value(this: http.Server, ...args: unknown[]): unknown {
      if (typeof args[0] === 'function') {
        servers.push(this);
        return Reflect.apply(listen, this, [0, '127.0.0.1', ...args]);
      }
      return Reflect.apply(listen, this, args);
    },
  });
  try {
    return { result: await run(), server: servers[0] };
  } finally {
    if (original === undefined) Reflect.deleteProperty(prototype, 'listen');
    else Object.defineProperty(prototype, 'listen', original);
  }
}

interface ForwardOptions extends ProxyCall {
  readonly port: number;
  readonly agent: http.Agent;
  readonly request: IncomingMessage;
  readonly body: Readable;
  readonly response: ServerResponse;
}

async function forward(options: ForwardOptions): Promise<void> {
  const { request, response, body, port, agent, invocationId, signal } = options;
  const upstream = http.request({
    host: '127.0.0.1',
    port,
    agent,
    signal,
    method: request.method,
    path: request.url,
    headers: {
      ...endToEnd(request.headers),
      'x-ms-invocation-id': invocationId,
      // Set, not appended: what the caller claims about itself must not reach the app.
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': request.socket.remoteAddress ?? '',
    },
  });
  const hangUp = (): void => {
    if (!response.writableFinished) upstream.destroy(new Error('the caller closed the connection'));
  };
  response.once('close', hangUp);
  // The library waits for the request itself, not for its first body byte.
  upstream.flushHeaders();
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve);
    upstream.once('error', reject);
  });
  // What the body failed with says more than the broken connection that follows from it.
  const bodyFailed = new Promise<never>((_, reject) => body.once('error', reject));
  const sent = pipeline(body, upstream).catch(() => upstream.destroy());
  try {
    const answer = await Promise.race([bodyFailed, answered]);
    response.writeHead(answer.statusCode ?? 500, answerHeaders(answer));
    await pipeline(answer, response);
    // An answer may come before the whole body was read; nobody reads the rest any more.
    if (!upstream.writableFinished) {
      upstream.destroy();
      body.destroy();
    }
    await sent;
  } finally {
    response.off('close', hangUp);
  }
}

function endToEnd(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
}

function answerHeaders(answer: IncomingMessage): http.OutgoingHttpHeaders {
  const headers = endToEnd(answer.headers);
  // Both belong to the hop between library and host; Node writes its own towards the caller.
  delete headers['transfer-encoding'];
  delete headers['date'];
  return headers;
}

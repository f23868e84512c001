import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface LoopbackServer extends AsyncDisposable {
  readonly url: URL;
  readonly requests: {
    readonly headers: IncomingMessage['headers'];
    readonly path: string;
    readonly body: string;
  }[];
}

/** An HTTP server on a free loopback port that hands every request, body read, to `answer`. */
export async function startLoopbackServer(
  answer: (response: ServerResponse, body: string) => void,
): Promise<LoopbackServer> {
  const requests: LoopbackServer['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ headers: request.headers, path: request.url ?? '', body });
      answer(response, body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const port = portOf(server);
  return {
    url: new URL(`http://127.0.0.1:${port}/base`),
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** A loopback port that nothing listens on any more. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const port = portOf(server);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

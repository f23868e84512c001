import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One comment, as the provider keeps it. */
export interface LoggedComment {
  readonly delivery: string;
  readonly pr: number;
  /** `comment`, or `failure` for the report of a job that could not be done. */
  readonly kind: string;
  readonly marker: string;
  readonly at: number;
}

export interface ProviderLog {
  readonly url: string;
  readonly comments: readonly LoggedComment[];
  stop(): Promise<void>;
}

/**
 * A provider on loopback that only keeps comments: `POST /comments` adds one whatever was there before, `GET
 * /comments?marker=` lists. `onWrite` runs after a comment was added and before its writer hears about it.
 */
export async function startProviderLog(
  onWrite: (comment: LoggedComment, pid: number) => void,
): Promise<ProviderLog> {
  const comments: LoggedComment[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://provider');
    if (request.method !== 'POST') {
      const marker = url.searchParams.get('marker');
      response.end(JSON.stringify(comments.filter((comment) => comment.marker === marker)));
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { delivery, pr, kind, marker, pid } = JSON.parse(body) as Record<string, string>;
    const comment: LoggedComment = {
      delivery: String(delivery),
      pr: Number(pr),
      kind: String(kind),
      marker: String(marker),
      at: Date.now(),
    };
    comments.push(comment);
    onWrite(comment, Number(pid));
    response.end(JSON.stringify({ id: comments.length }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    comments,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

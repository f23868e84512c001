import type { IncomingMessage, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { z } from 'zod';
import type { ManualInvocation } from './manual-invocation.ts';
import type { FunctionSummary } from './ready-line.ts';

export interface AdminRoutesOptions {
  readonly functions: readonly FunctionSummary[];
  readonly run: ManualInvocation;
}

const invocationBody = z.object({ input: z.string().optional() });

/**
 * The few of the real host's administration routes that local work needs:
 * `GET /admin/host/status`; `GET /admin/functions`; `POST /admin/functions/<name>` with a JSON body
 * `{"input": "..."}`, which starts a timer or queue function and answers 202 at once. Own addition: with
 * `?wait=true` it answers when the run has ended, 204 or 500.
 */
export function createAdminRoutes({ functions, run }: AdminRoutesOptions) {
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const route = `${request.method} ${path.replace(/\/$/, '')}`;
    if (/^GET \/admin\/host\/status$/i.test(route)) {
      return answer(response, 200, { state: 'Running', version: 'local' });
    }
    if (/^GET \/admin\/functions$/i.test(route)) return answer(response, 200, functions);
    const name = /^POST \/admin\/functions\/([^/]+)$/i.exec(route)?.[1];
    if (name === undefined) return answer(response, 404, { error: 'no such admin route' });

    const body = invocationBody.safeParse(await readJson(request).catch(() => undefined));
    if (!body.success) return answer(response, 400, { error: 'the body must be JSON: {"input": "..."}' });
    const running = run(name, body.data.input);
    if (running === undefined)
      return answer(response, 404, { error: `no timer or queue function "${name}"` });
    const failed = running.then(
      () => false,
      () => true,
    );
    if (new URLSearchParams(request.url?.split('?')[1]).get('wait') !== 'true') return answer(response, 202);
    return answer(response, (await failed) ? 500 : 204);
  };
}

function answer(response: ServerResponse, status: number, body?: unknown): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' }).end(text);
}

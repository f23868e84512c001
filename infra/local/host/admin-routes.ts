import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FunctionSummary } from './ready-line.ts';

export interface AdminRoutesOptions {
  readonly functions: readonly FunctionSummary[];
}

/**
 * The few of the real host's administration routes that local work needs:
 * `GET /admin/host/status`, `GET /admin/functions`.
 */
export function createAdminRoutes(options: AdminRoutesOptions) {
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const route = `${request.method} ${path.replace(/\/$/, '').toLowerCase()}`;
    if (route === 'GET /admin/host/status')
      return json(response, 200, { state: 'Running', version: 'local' });
    if (route === 'GET /admin/functions') return json(response, 200, options.functions);
    json(response, 404, { error: 'no such admin route' });
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

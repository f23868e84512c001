import type { SimulatorReply, SimulatorRequest } from './exchange.ts';
import { readJson } from './exchange.ts';
import type { FaultInjector } from './faults.ts';
import { FaultSpec } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { WriteLog } from './write-log.ts';
import type { Route } from './router.ts';

export const ADMIN_PREFIX = '/_simulator';

/** Header that must carry the admin key: a web page can reach a loopback port, but cannot read the key. */
export const ADMIN_KEY_HEADER = 'x-simulator-key';

export interface AdminSubjects {
  readonly faults: FaultInjector;
  readonly requests: RequestLog;
  readonly writes: WriteLog;
}

function notValid(message: string): SimulatorReply {
  return { status: 400, json: { error: message } };
}

/** A route of the remote control; `path` is below the admin prefix. */
export function adminRoute(
  method: Route['method'],
  path: string,
  handle: (request: SimulatorRequest) => SimulatorReply | Promise<SimulatorReply>,
): Route {
  return { method, pattern: `${ADMIN_PREFIX}${path}`, handle };
}

/** Remote control for tests and commands in another process: faults, request log, write log. */
export function createAdminRoutes({ faults, requests, writes }: AdminSubjects): Route[] {
  return [
    adminRoute('POST', '/faults', (request) => {
      const spec = FaultSpec.safeParse(readJson(request));
      if (!spec.success) return notValid(spec.error.message);
      return { status: 201, json: { id: faults.next(spec.data).id } };
    }),
    adminRoute('GET', '/faults', () => ({ status: 200, json: faults.pending() })),
    adminRoute('DELETE', '/faults', () => {
      faults.clear();
      return { status: 204 };
    }),
    adminRoute('GET', '/requests', () => ({ status: 200, json: requests.list() })),
    adminRoute('DELETE', '/requests', () => {
      requests.clear();
      return { status: 204 };
    }),
    adminRoute('GET', '/writes', () => ({ status: 200, json: writes.list() })),
  ];
}

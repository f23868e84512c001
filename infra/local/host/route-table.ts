import { HostRefusal } from './host-refusal.ts';
import { compareRoutes, matchRoute, type RouteParams } from './match-route.ts';
import { findSharedPath } from './route-overlap.ts';
import { parseRouteTemplate, type RouteTemplate } from './route-template.ts';

export type AuthLevel = 'anonymous' | 'function' | 'admin';

export interface HttpRoute {
  readonly functionName: string;
  /** Without the prefix, as the app wrote it. */
  readonly route: string;
  /** Upper case; empty means every method. */
  readonly methods: readonly string[];
  readonly authLevel: AuthLevel;
}

export interface RouteHit {
  readonly functionName: string;
  readonly authLevel: AuthLevel;
  readonly params: RouteParams;
}

export interface RouteTable {
  /** The function that serves `method` on the decoded path; undefined is a 404, also for a wrong method. */
  find(method: string, path: string): RouteHit | undefined;
}

interface Entry extends HttpRoute {
  readonly template: RouteTemplate;
}

/**
 * Builds the table and refuses what the real host refuses: templates ASP.NET cannot read, routes in the host's
 * own space, one route for two functions with a method in common (azure-functions-host, ScriptHost.cs).
 *
 * Matching follows ASP.NET's precedence. The real host does NOT: it tries functions in the order of their names
 * (azure-functions-host#9876, nodejs-library#300, both open). An app in which the two orders answer one path
 * differently is therefore refused as well.
 * @throws HostRefusal naming the function.
 */
export function createRouteTable(routes: readonly HttpRoute[], prefix: string): RouteTable {
  const entries = routes.map((route): Entry => ({ ...route, template: parseFunctionRoute(route, prefix) }));
  for (const [index, entry] of entries.entries()) {
    for (const other of entries.slice(index + 1)) refuseConflict(entry, other);
  }
  const ordered = entries.toSorted((a, b) => compareRoutes(a.template, b.template));
  return {
    find: (method, path) => {
      for (const { template, methods, functionName, authLevel } of ordered) {
        if (methods.length > 0 && !methods.includes(method)) continue;
        const params = matchRoute(template, path);
        if (params !== undefined) return { functionName, authLevel, params };
      }
      return undefined;
    },
  };
}

function parseFunctionRoute({ functionName, route }: HttpRoute, prefix: string): RouteTemplate {
  const full = prefix === '' ? route : `${prefix}/${route}`;
  try {
    // Checked alone first: behind a prefix a leading slash would only be reported as an empty segment.
    parseRouteTemplate(route);
    if (isReserved(route) || isReserved(full)) {
      throw new HostRefusal(
        `route "${route}": routes that begin with "admin" or "runtime" belong to the host`,
      );
    }
    return parseRouteTemplate(full);
  } catch (error) {
    if (error instanceof HostRefusal)
      throw new HostRefusal(`function "${functionName}": ${error.message}`, error);
    throw error;
  }
}

/** The host compares the beginning of the text, so `administrators` is reserved too. */
function isReserved(route: string): boolean {
  return /^(?:admin|runtime)/i.test(route);
}

function refuseConflict(a: Entry, b: Entry): void {
  const sharesMethod =
    a.methods.length === 0 ||
    b.methods.length === 0 ||
    a.methods.some((method) => b.methods.includes(method));
  if (!sharesMethod) return;
  const trimmed = (entry: Entry): string => entry.route.replaceAll(/^\/+|\/+$/g, '').toLowerCase();
  if (trimmed(a) === trimmed(b)) {
    throw new HostRefusal(
      `functions "${a.functionName}" and "${b.functionName}" have the same route "${a.route}" and a method in common`,
    );
  }
  const shared = findSharedPath(a.template, b.template);
  if (shared === undefined) return;
  const byPrecedence = Math.sign(compareRoutes(a.template, b.template));
  const byName = a.functionName.toLowerCase() < b.functionName.toLowerCase() ? -1 : 1;
  if (byPrecedence !== byName) {
    const [first, second] = byName < 0 ? [a, b] : [b, a];
    throw new HostRefusal(
      `functions "${first.functionName}" (${first.route}) and "${second.functionName}" (${second.route}) both ` +
        `match ${shared}: Azure asks functions in the order of their names and would always run ` +
        `"${first.functionName}"; make the routes disjoint or rename a function`,
    );
  }
}

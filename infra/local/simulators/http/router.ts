import type { SimulatorHandler } from './exchange.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Segments are literal, `:name` (one segment) or, last, `*name` (the rest, at least one segment). */
  readonly pattern: string;
  readonly handle: SimulatorHandler;
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Percent-decodes one segment; a malformed one stays as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function matchPattern(
  pattern: readonly string[],
  path: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    if (expected.startsWith('*')) {
      const rest = path.slice(index);
      if (rest.length === 0) return undefined;
      params[expected.slice(1)] = rest.map(decodeSegment).join('/');
      return params;
    }
    const segment = path[index];
    if (segment === undefined) return undefined;
    if (expected.startsWith(':')) {
      if (segment === '') return undefined;
      params[expected.slice(1)] = decodeSegment(segment);
    } else if (expected !== segment) {
      return undefined;
    }
  }
  return path.length === pattern.length ? params : undefined;
}

/** Finds the first route in order; a trailing slash of the path counts as a segment. */
export function createRouter(routes: readonly Route[]) {
  const compiled = routes.map((route) => ({ route, segments: route.pattern.split('/') }));
  return (method: string, path: string): RouteMatch | undefined => {
    const segments = path.split('/');
    for (const { route, segments: pattern } of compiled) {
      if (route.method !== method) continue;
      const params = matchPattern(pattern, segments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  };
}

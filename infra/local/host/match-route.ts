import type { ParameterSegment, RouteSegment, RouteTemplate } from './route-template.ts';

export type RouteParams = Readonly<Record<string, string>>;

/**
 * Matches a decoded path (`/a/b`) against a template. One trailing slash does not matter; empty segments match
 * nothing, except inside what a catch-all takes; literals compare case-insensitively.
 * Source: dotnet/aspnetcore, TemplateMatcher.TryMatch, which the Functions router uses.
 * @returns the parameters that have a value, or undefined when the path does not match.
 */
export function matchRoute(template: RouteTemplate, path: string): RouteParams | undefined {
  const values = path.replace(/^\//, '').split('/');
  if (values.at(-1) === '') values.pop();
  const params: Record<string, string> = {};
  for (const [index, segment] of template.segments.entries()) {
    const value = values[index];
    if (value === undefined || (segment.kind === 'parameter' && segment.catchAll)) {
      if (!matchesTail(segment, value)) return undefined;
      if (segment.kind === 'literal' || !segment.catchAll || value === undefined) continue;
      const rest = path.replace(/^\//, '').split('/').slice(index).join('/');
      return accepts(segment, rest) ? { ...params, [segment.name]: rest } : undefined;
    }
    if (value === '') return undefined;
    if (segment.kind === 'literal') {
      if (segment.text.toUpperCase() !== value.toUpperCase()) return undefined;
    } else {
      if (!accepts(segment, value)) return undefined;
      params[segment.name] = value;
    }
  }
  return values.length > template.segments.length ? undefined : params;
}

/** May `segment` stand where the path has ended (`value` undefined) or where a catch-all begins? */
function matchesTail(segment: RouteSegment, value: string | undefined): boolean {
  if (segment.kind === 'literal') return false;
  if (segment.catchAll) return value === undefined ? segment.constraints.length === 0 : value !== '';
  return segment.optional;
}

function accepts(segment: ParameterSegment, value: string): boolean {
  return segment.constraints.every((constraint) => constraint.accepts(value));
}

/**
 * ASP.NET's route precedence, for sorting: segment by segment a literal comes before a constrained parameter, a
 * parameter, a constrained catch-all and a catch-all; a template that ends earlier comes first
 * (dotnet/aspnetcore, RoutePrecedence.ComputeInbound).
 */
export function compareRoutes(a: RouteTemplate, b: RouteTemplate): number {
  for (let index = 0; index < Math.max(a.segments.length, b.segments.length); index += 1) {
    const difference = precedence(a.segments[index]) - precedence(b.segments[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function precedence(segment: RouteSegment | undefined): number {
  if (segment === undefined) return 0;
  if (segment.kind === 'literal') return 1;
  return (segment.catchAll ? 5 : 3) - (segment.constraints.length > 0 ? 1 : 0);
}

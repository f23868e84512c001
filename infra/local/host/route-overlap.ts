import { matchRoute } from './match-route.ts';
import type { RouteSegment, RouteTemplate } from './route-template.ts';

/**
 * A path that both templates match, if there is one. Where both have a constrained parameter only typical values
 * are tried, so a rare overlap of two constraints can go unseen; what is returned is certain.
 */
export function findSharedPath(a: RouteTemplate, b: RouteTemplate): string | undefined {
  const longest = Math.max(a.segments.length, b.segments.length) + 1;
  for (let length = 0; length <= longest; length += 1) {
    const values: string[] = [];
    for (let index = 0; index < length; index += 1) {
      const pair = [segmentAt(a, index), segmentAt(b, index)];
      const value = candidates(pair).find((candidate) => pair.every((segment) => takes(segment, candidate)));
      if (value === undefined) break;
      values.push(value);
    }
    const path = `/${values.join('/')}`;
    if (values.length === length && matchRoute(a, path) !== undefined && matchRoute(b, path) !== undefined) {
      return path;
    }
  }
  return undefined;
}

function segmentAt(template: RouteTemplate, index: number): RouteSegment | undefined {
  const last = template.segments.at(-1);
  return template.segments[index] ?? (last?.kind === 'parameter' && last.catchAll ? last : undefined);
}

function candidates(segments: readonly (RouteSegment | undefined)[]): string[] {
  const values: string[] = [];
  for (const segment of segments) {
    if (segment?.kind === 'literal') values.push(segment.text);
    else for (const constraint of segment?.constraints ?? []) values.push(...constraint.samples);
  }
  return [...values, 'x', '1'];
}

function takes(segment: RouteSegment | undefined, value: string): boolean {
  if (segment === undefined) return false;
  if (segment.kind === 'literal') return segment.text.toUpperCase() === value.toUpperCase();
  // A catch-all's constraints hold for the whole rest and are checked on the finished path.
  return segment.catchAll || segment.constraints.every((constraint) => constraint.accepts(value));
}

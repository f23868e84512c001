import { HostRefusal } from './host-refusal.ts';
import { parseRouteConstraint, type RouteConstraint } from './route-constraints.ts';

export interface LiteralSegment {
  readonly kind: 'literal';
  readonly text: string;
}

export interface ParameterSegment {
  readonly kind: 'parameter';
  readonly name: string;
  readonly optional: boolean;
  /** `{*rest}` or `{**rest}`: takes the rest of the path, slashes included, or nothing. */
  readonly catchAll: boolean;
  readonly constraints: readonly RouteConstraint[];
}

export type RouteSegment = LiteralSegment | ParameterSegment;

export interface RouteTemplate {
  readonly text: string;
  readonly segments: readonly RouteSegment[];
}

/**
 * Reads an ASP.NET route template, e.g. `repos/{owner}/{id:int}/{*rest}`, with the rules of
 * https://github.com/dotnet/aspnetcore/blob/main/src/Http/Routing/src/Patterns/RoutePatternParser.cs.
 * Refused although ASP.NET knows them: segments of several parts (`v{n}`), default values, regex constraints.
 * @throws HostRefusal with the template and the reason.
 */
export function parseRouteTemplate(text: string): RouteTemplate {
  const refuse = (reason: string): never => {
    throw new HostRefusal(`route "${text}": ${reason}`);
  };
  if (text.startsWith('/') || text.startsWith('~')) return refuse('a route may not start with "/" or "~"');
  const words = text.split('/');
  if (words.at(-1) === '') words.pop();
  const names = new Set<string>();
  const segments = words.map((word, index): RouteSegment => {
    if (word === '') return refuse('two slashes in a row');
    if (!/[{}]/.test(word)) {
      return word.includes('?') ? refuse(`literal "${word}" contains "?"`) : { kind: 'literal', text: word };
    }
    const inner = /^\{([^{}]*)\}$/.exec(word)?.[1];
    if (inner === undefined) {
      return refuse(
        `segment "${word}" has unbalanced braces, or several parts or escaped braces, which the local host does not implement`,
      );
    }
    const segment = parseParameter(inner, refuse);
    if (names.has(segment.name.toLowerCase())) refuse(`parameter "${segment.name}" occurs twice`);
    names.add(segment.name.toLowerCase());
    if (segment.catchAll && index !== words.length - 1) {
      refuse(`catch-all "{${inner}}" must be the last segment`);
    }
    return segment;
  });
  return { text, segments };
}

function parseParameter(inner: string, refuse: (reason: string) => never): ParameterSegment {
  const catchAll = inner.startsWith('*');
  let rest = inner.replace(/^\*{1,2}/, '');
  const optional = rest.endsWith('?');
  if (optional) rest = rest.slice(0, -1);
  const [name = '', ...constraints] = rest.split(':');
  if (constraints.some((word) => word.includes('=')) || name.includes('=')) {
    refuse(`"{${inner}}": default values are not implemented by the local host`);
  }
  if (name === '' || /[/{}?*]/.test(name)) refuse(`"{${inner}}": "${name}" is no parameter name`);
  if (catchAll && optional) refuse(`"{${inner}}": a catch-all cannot be optional`);
  try {
    return {
      kind: 'parameter',
      name,
      optional,
      catchAll,
      constraints: constraints.map(parseRouteConstraint),
    };
  } catch (error) {
    if (error instanceof HostRefusal) return refuse(error.message);
    throw error;
  }
}

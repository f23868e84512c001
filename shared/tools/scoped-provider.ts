import { AppError } from '../domain/app-error.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { Provider } from '../providers/ports.ts';
import { isSamePullRequest } from './scope.ts';

/** Methods that name no pull request and may be called all the same. */
const UNBOUND_METHODS: ReadonlySet<string> = new Set(['whoAmI']);

/**
 * The client that is handed to tools: the same provider, able to reach one pull request only. Every method of
 * every capability, also of ones added later, must name the pull request in its first argument; what names
 * another one, or none, is refused. The reference the caller passed is replaced by `ref`, since a client may
 * build its address from the name in it while only the ids were meant.
 */
export function createScopedProvider(provider: Provider, ref: PullRequestRef): Provider {
  return new Proxy(provider, {
    get(target, property): unknown {
      const part: unknown = Reflect.get(target, property, target);
      return typeof part === 'object' && part !== null && property !== 'limits' ? scoped(part, ref) : part;
    },
  });
}

function scoped(part: object, ref: PullRequestRef): object {
  return new Proxy(part, {
    get(target, property): unknown {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (typeof property === 'string' && UNBOUND_METHODS.has(property))
          return Reflect.apply(member, target, args);
        return Reflect.apply(member, target, [bind(args[0], ref), ...args.slice(1)]);
      };
    },
  });
}

/** The bound reference in the place of the caller's, or a refusal. */
function bind(argument: unknown, ref: PullRequestRef): unknown {
  if (isRef(argument) && isSamePullRequest(argument, ref)) return ref;
  if (hasRef(argument) && isSamePullRequest(argument.ref, ref)) return { ...argument, ref };
  throw new AppError({
    kind: 'denied',
    code: 'out_of_scope',
    message: 'This call is bound to one pull request and cannot reach another.',
  });
}

function isRef(value: unknown): value is PullRequestRef {
  return (
    typeof value === 'object' &&
    value !== null &&
    'provider' in value &&
    'instance' in value &&
    'repositoryId' in value &&
    'repository' in value &&
    typeof value.repository === 'string' &&
    'number' in value
  );
}

function hasRef(value: unknown): value is { readonly ref: PullRequestRef } {
  return typeof value === 'object' && value !== null && 'ref' in value && isRef(value.ref);
}

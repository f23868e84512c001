import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import { githubError } from './rest/errors.ts';
import type { GitHubState } from './state/state.ts';

interface Window {
  used: number;
  readonly resetAt: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** Counts requests by credential and hour. */
export interface RateLimits {
  /** Counts a request; the refusal when it is over the primary limit. */
  count(request: SimulatorRequest): SimulatorReply | undefined;
  headers(request: SimulatorRequest): Record<string, string>;
  describe(request: SimulatorRequest): { limit: number; used: number; remaining: number; reset: number };
}

export function createRateLimits(state: GitHubState): RateLimits {
  const windows = new Map<string, Window>();
  const limit = state.limits.requestsPerHour;
  function windowOf(request: SimulatorRequest): Window {
    const key = createHash('sha256')
      .update(request.headers.authorization ?? '')
      .digest('hex');
    const known = windows.get(key);
    if (known !== undefined && known.resetAt > state.now()) return known;
    const fresh: Window = { used: 0, resetAt: state.now() + HOUR_MS };
    windows.set(key, fresh);
    return fresh;
  }
  function describe(request: SimulatorRequest): ReturnType<RateLimits['describe']> {
    const { used, resetAt } = windowOf(request);
    return {
      limit,
      used: Math.min(used, limit),
      remaining: Math.max(0, limit - used),
      reset: Math.ceil(resetAt / 1000),
    };
  }
  return {
    describe,
    count(request) {
      const current = windowOf(request);
      current.used += 1;
      return current.used > limit
        ? githubError(403, 'API rate limit exceeded for this credential.')
        : undefined;
    },
    headers(request) {
      const facts = describe(request);
      return {
        'x-github-request-id': randomBytes(10).toString('hex').toUpperCase(),
        'x-github-media-type': 'github.v3; format=json',
        'x-ratelimit-limit': String(facts.limit),
        'x-ratelimit-used': String(facts.used),
        'x-ratelimit-remaining': String(facts.remaining),
        'x-ratelimit-reset': String(facts.reset),
        'x-ratelimit-resource': request.path.endsWith('graphql') ? 'graphql' : 'core',
      };
    },
  };
}

import { Octokit } from '@octokit/core';
import { paginateGraphQL } from '@octokit/plugin-paginate-graphql';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../observability/ports.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import type { ProviderHosts } from '../http/provider-hosts.ts';
import { translateRequestError } from './github-errors.ts';
import type { Authorize } from './plumbing-plugin.ts';
import { createPlumbing } from './plumbing-plugin.ts';

export interface OctokitTuning {
  /** First wait in ms before a read is repeated; the second is four times as long. Default 1,000. */
  readonly retryBaseMs?: number;
  /** Repeats of a read after the first try. Default 2. */
  readonly retries?: number;
  /** False: writes are not spaced out (a simulator). Default true: one a second, one in three for comments. */
  readonly pacing?: boolean;
}

export interface OctokitPairOptions {
  readonly hosts: ProviderHosts;
  readonly apiUrl: URL;
  readonly fetch: ProviderFetch;
  readonly authorize: Authorize;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tuning: OctokitTuning;
}

/** Every 4xx but 408 is an answer about the request: a repeat at once gets the same one. */
const NO_RETRY = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 408);

const Reader = Octokit.plugin(paginateGraphQL);

export type OctokitReader = InstanceType<typeof Reader>;

/** One client that repeats failed reads and one that never repeats anything, for the same credential. */
export interface OctokitPair {
  /** For GET and GraphQL queries only. */
  readonly reader: OctokitReader;
  /** For everything that creates or changes, GraphQL mutations included. */
  readonly writer: Octokit;
}

/** Address without a trailing slash, as Octokit wants it; it derives `/api/graphql` from `/api/v3` by itself. */
export function apiBase(apiUrl: URL): string {
  return apiUrl.href.replace(/\/+$/, '');
}

export function createOctokitPair(options: OctokitPairOptions): OctokitPair {
  const { hosts, fetch, log, tuning } = options;
  const plumbing = createPlumbing({
    hosts,
    authorize: options.authorize,
    translate: (error) =>
      translateRequestError(error, { instance: hosts.instance, now: options.clock.now() }),
  });
  const quiet = clientLog(log, hosts.instance);
  const common = {
    baseUrl: apiBase(options.apiUrl),
    userAgent: 'gatehouse',
    // The request library has a log of its own, which is the console unless it is told.
    request: { fetch, log: quiet },
    log: quiet,
  };
  // Hooks registered first run innermost, so the plumbing comes first: every repeat passes through it again.
  const ReadingOctokit = Reader.plugin(plumbing, retry);
  const WritingOctokit = Octokit.plugin(plumbing, throttling);
  return {
    reader: new ReadingOctokit({
      ...common,
      retry: {
        doNotRetry: NO_RETRY,
        retries: tuning.retries ?? 2,
        retryAfterBaseValue: tuning.retryBaseMs ?? 1000,
      },
    }),
    writer: new WritingOctokit({
      ...common,
      throttle: {
        enabled: tuning.pacing !== false,
        id: hosts.instance,
        // Spacing only: what hits a limit goes back to the caller, whose deadline is shorter than any such wait.
        onRateLimit: () => undefined,
        onSecondaryRateLimit: () => undefined,
      },
    }),
  };
}

/** Deprecation notes of the client quote the request's address; its query is cut off. */
function clientLog(
  log: Logger,
  instance: string,
): ConstructorParameters<typeof Octokit>[0] extends { log?: infer Log } | undefined
  ? NonNullable<Log>
  : never {
  const warn = (message: string): void =>
    log.warn('github.clientWarned', { instance, note: message.replaceAll(/\?\S*/g, '').slice(0, 300) });
  return { debug: () => undefined, info: () => undefined, warn, error: warn };
}

import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../observability/ports.ts';
import { limitBody } from './limited-body.ts';
import { timeoutError, translateNetworkError } from './network-errors.ts';
import type { ProviderHosts } from './provider-hosts.ts';

/** A `fetch` that reaches one instance only. Give it to vendor clients in the place of the global one. */
export type ProviderFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export interface ProviderFetchOptions {
  readonly hosts: ProviderHosts;
  readonly clock: Clock;
  readonly log: Logger;
  /** For reading requests, the body included. */
  readonly timeoutMs: number;
  /** For everything that is not GET or HEAD; default 20 s, the deadline of an external write. */
  readonly writeTimeoutMs?: number;
  /** Largest body that is read, in bytes after decompression. */
  readonly maxBytes: number;
  /** Default: the global fetch. */
  readonly transport?: typeof fetch;
}

const DEFAULT_WRITE_TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 3;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The only place that opens connections to providers. Connections go to the instance's hosts and nowhere else;
 * redirects are followed by hand, for GET only, three at most, without our headers once the origin changed; the
 * time-out and the size cap cover the body too. Logs method, host and path, never queries, headers or bodies.
 *
 * The promise rejects with AppError (host_not_allowed, redirect_refused, provider_timeout, provider_unreachable,
 * provider_certificate) or with the reason of the caller's own signal; statuses are returned, not judged.
 */
export function createProviderFetch(options: ProviderFetchOptions): ProviderFetch {
  const { hosts, clock, log } = options;
  const transport = options.transport ?? fetch;
  return async (input, init = {}) => {
    const method = (init.method ?? 'GET').toUpperCase();
    const isRead = method === 'GET' || method === 'HEAD';
    const timeoutMs = isRead ? options.timeoutMs : (options.writeTimeoutMs ?? DEFAULT_WRITE_TIMEOUT_MS);
    const deadline = startDeadline(clock, timeoutError(hosts.instance, timeoutMs), timeoutMs);
    const signal =
      init.signal === undefined || init.signal === null
        ? deadline.signal
        : AbortSignal.any([deadline.signal, init.signal]);
    const translate = (error: unknown): unknown => {
      if (init.signal?.aborted === true) return init.signal.reason;
      if (deadline.signal.aborted) return deadline.signal.reason;
      return translateNetworkError(error, hosts.instance);
    };
    const startedAt = clock.now();
    let url = new URL(input);
    let headers = init.headers;
    try {
      for (let redirects = 0; ; redirects += 1) {
        signal.throwIfAborted();
        hosts.assertAllowed(url);
        const response = await transport(url.href, {
          ...init,
          method,
          ...(headers === undefined ? {} : { headers }),
          signal,
          redirect: 'manual',
        });
        log.debug('provider.answered', {
          instance: hosts.instance,
          method,
          host: url.host,
          path: url.pathname,
          status: response.status,
          tookMs: clock.now() - startedAt,
        });
        if (!REDIRECT_STATUSES.has(response.status)) {
          return limited(response, url, {
            instance: hosts.instance,
            maxBytes: options.maxBytes,
            onEnd: deadline.stop,
            translate,
          });
        }
        await response.body?.cancel();
        const next = redirectTarget(response, url, method, redirects, hosts.instance);
        if (next.origin !== url.origin) headers = {};
        url = next;
      }
    } catch (error) {
      deadline.stop();
      throw translate(error);
    }
  };
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

function startDeadline(clock: Clock, error: AppError, timeoutMs: number): Deadline {
  const expired = new AbortController();
  const stopped = new AbortController();
  void clock.sleep(timeoutMs, stopped.signal).then(
    () => expired.abort(error),
    () => undefined,
  );
  return { signal: expired.signal, stop: () => stopped.abort() };
}

function redirectTarget(
  response: Response,
  from: URL,
  method: string,
  redirects: number,
  instance: string,
): URL {
  const refuse = (why: string): AppError =>
    new AppError({
      kind: 'permanent',
      code: 'redirect_refused',
      message: `A redirect of instance ${instance} was not followed: ${why}.`,
      details: { instance, status: response.status, host: from.host },
    });
  if (method !== 'GET')
    throw refuse('only reading requests follow redirects; the repository may have been renamed or moved');
  if (redirects >= MAX_REDIRECTS) throw refuse(`more than ${MAX_REDIRECTS} in a row`);
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, from.href)) throw refuse('it names no usable address');
  return new URL(location, from);
}

function limited(response: Response, url: URL, body: Parameters<typeof limitBody>[1]): Response {
  if (response.body === null) {
    body.onEnd();
    return response;
  }
  const result = new Response(limitBody(response.body, body), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  // A constructed Response has no address; clients read it for paging and messages.
  Object.defineProperty(result, 'url', { value: url.href });
  return result;
}

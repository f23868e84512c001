import { AppError } from '../../domain/app-error.ts';
import type { InstanceConfig } from '../../config/config.ts';

/** The part of an instance that says where connections may go. */
export type InstanceAddresses = Pick<InstanceConfig, 'id' | 'apiUrl' | 'webUrl' | 'archiveHosts'>;

/** Where one instance's connections may go. Nothing from a payload or an answer adds to it. */
export interface ProviderHosts {
  readonly instance: string;
  readonly apiOrigin: string;
  /** @throws AppError `permanent` host_not_allowed, with the host, which is no secret. */
  assertAllowed(url: URL): void;
  /** For addresses that an answer names for the next page. @throws AppError `permanent` paging_host_refused. */
  assertApi(url: URL): void;
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export function isLoopback(url: URL): boolean {
  return LOOPBACK_HOSTS.has(url.hostname);
}

/**
 * https everywhere; http only to this machine, and only when the instance itself is there (a simulator): an
 * instance on https never leads to http. Whether http instances may be configured at all is decided where
 * settings are loaded.
 */
export function createProviderHosts(addresses: InstanceAddresses): ProviderHosts {
  const { id, apiUrl, webUrl, archiveHosts } = addresses;
  const isLocal = apiUrl.protocol === 'http:' && isLoopback(apiUrl);
  const origins = new Set([apiUrl.origin, webUrl.origin]);
  for (const host of archiveHosts) {
    origins.add(new URL(`https://${host}`).origin);
    if (isLocal) origins.add(new URL(`http://${host}`).origin);
  }
  const isSafe = (url: URL): boolean =>
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal && isLoopback(url)));
  return {
    instance: id,
    apiOrigin: apiUrl.origin,
    assertAllowed(url) {
      if (isSafe(url) && origins.has(url.origin)) return;
      throw new AppError({
        kind: 'permanent',
        code: 'host_not_allowed',
        message:
          `A connection to ${url.host} was refused: it is not an address of instance ${id}. ` +
          'If the provider serves archives from there, add the host to archiveHosts of the instance.',
        details: { instance: id, host: url.host, protocol: url.protocol },
      });
    },
    assertApi(url) {
      if (isSafe(url) && url.origin === apiUrl.origin) return;
      throw new AppError({
        kind: 'permanent',
        code: 'paging_host_refused',
        message:
          `The provider's answer leads to ${url.host} for its next page, which is not the API of instance ${id}. ` +
          'Check apiUrl of the instance: it must be the address the provider itself uses in its links.',
        details: { instance: id, host: url.host },
      });
    },
  };
}

import type { SimulatorRequest } from '../../http/exchange.ts';
import type { SimPull, SimRepository } from '../state/model.ts';

/** Addresses as they stand in answers. `api` carries the prefix that the caller used. */
export interface Urls {
  readonly api: string;
  readonly web: string;
  repository(repository: SimRepository): string;
  pull(pull: SimPull): string;
  webPull(pull: SimPull): string;
}

export function createUrls(api: string, web: string): Urls {
  const repository = (target: SimRepository): string => `${api}/repos/${target.fullName}`;
  return {
    api,
    web,
    repository,
    pull: (pull) => `${repository(pull.repository)}/pulls/${pull.number}`,
    webPull: (pull) => `${web}/${pull.repository.fullName}/pull/${pull.number}`,
  };
}

export function urlsOf(request: SimulatorRequest): Urls {
  return createUrls(`${request.origin}${request.prefix}`, request.origin);
}

/** Percent-encodes a path segment by segment. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** ISO 8601 to the second, as GitHub writes times; null for none. */
export function isoTime(epochMs: number): string;
export function isoTime(epochMs: number | undefined): string | null;
export function isoTime(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

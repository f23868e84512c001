import type { InstanceConfig } from '../config/config.ts';
import { AppError } from '../domain/app-error.ts';
import type { ProviderId } from '../domain/pull-request.ts';

/** A pull request as people name it. `repository` is the full path in the provider's own spelling of it. */
export interface PullRequestAddress {
  readonly provider: ProviderId;
  /** Id of the configured instance. */
  readonly instance: string;
  /** `owner/name` (GitHub), `project/repository` (Azure DevOps), `group/.../project` (GitLab). */
  readonly repository: string;
  readonly number: number;
}

/** The part of an instance that addresses are matched against. */
export type AddressedInstance = Pick<InstanceConfig, 'id' | 'provider' | 'webUrl'>;

interface Found {
  readonly repository: string;
  readonly number: string;
}

const MAX_URL_LENGTH = 2_000;

/**
 * Reads the address of a pull request, in every form the three providers have used, against the configured
 * instances; nothing is asked of any host. Query, fragment and what follows the number (`/files`, `/diffs`) are
 * dropped.
 * @throws AppError `rejected` pull_request_url_invalid, or pull_request_url_unknown_host for a host that no
 * instance has.
 */
export function parsePullRequestUrl(
  text: string,
  instances: readonly AddressedInstance[],
): PullRequestAddress {
  const url = toUrl(text);
  let isKnownHost = false;
  for (const instance of instances) {
    const path = pathBelow(instance, url);
    if (path === undefined) continue;
    isKnownHost = true;
    const found = READERS[instance.provider](path);
    const number = found === undefined ? undefined : toNumber(found.number);
    if (found === undefined || number === undefined) continue;
    return { provider: instance.provider, instance: instance.id, repository: found.repository, number };
  }
  throw isKnownHost
    ? invalid('it names no pull request of the instance there')
    : unknownHost(url.host, instances);
}

/** The address a person can open. */
export function formatPullRequestUrl(address: PullRequestAddress, instance: AddressedInstance): string {
  const base = instance.webUrl.href.replace(/\/+$/, '');
  const segments = address.repository.split('/').map(encodeURIComponent);
  switch (address.provider) {
    case 'github':
      return `${base}/${segments.join('/')}/pull/${address.number}`;
    case 'azure-devops': {
      const [project = '', repository = project] = segments;
      return `${base}/${project}/_git/${repository}/pullrequest/${address.number}`;
    }
    case 'gitlab':
      return `${base}/${segments.join('/')}/-/merge_requests/${address.number}`;
    default:
      return address.provider satisfies never;
  }
}

/**
 * Reads `<repository path>/<number>`, the rest of the routes that name one pull request. The path is taken as it
 * is; whether there is such a repository is the provider's to say.
 */
export function parsePullRequestTarget(target: string): { repository: string; number: number } | undefined {
  const segments = decodeAll(target.split('/'));
  const number = toNumber(segments?.at(-1) ?? '');
  const repository = segments?.slice(0, -1) ?? [];
  return number === undefined || repository.length < 1 || !repository.every(isPlain)
    ? undefined
    : { repository: repository.join('/'), number };
}

const READERS: Readonly<Record<ProviderId, (path: readonly string[]) => Found | undefined>> = {
  // /owner/name/pull/12
  github: ([owner, name, kind, number]) =>
    owner !== undefined && name !== undefined && kind === 'pull' && number !== undefined
      ? { repository: `${owner}/${name}`, number }
      : undefined,
  // /project/_git/repository/pullrequest/12, or /_git/repository/... when both have one name
  'azure-devops': (path) => {
    const at = path.indexOf('_git');
    const [repository, kind, number] = path.slice(at + 1);
    if (at < 0 || at > 1 || kind?.toLowerCase() !== 'pullrequest') return undefined;
    if (repository === undefined || number === undefined) return undefined;
    return { repository: `${path[0] === '_git' ? repository : path[0]}/${repository}`, number };
  },
  // /group/sub/project/-/merge_requests/12; before GitLab 12 without the /-
  gitlab: (path) => {
    const at = path.lastIndexOf('merge_requests');
    const number = path[at + 1];
    const project = path.slice(0, path[at - 1] === '-' ? at - 1 : at);
    return at < 0 || number === undefined || project.length < 2
      ? undefined
      : { repository: project.join('/'), number };
  },
};

/** The decoded path segments below the instance's web address; undefined when the address is not below it. */
function pathBelow(instance: AddressedInstance, url: URL): readonly string[] | undefined {
  const base = instance.webUrl.pathname.split('/').filter((segment) => segment !== '');
  const segments = decodeAll(url.pathname.split('/').filter((segment) => segment !== ''));
  if (segments === undefined || !segments.every(isPlain)) return undefined;
  const relative = relativeTo(instance.webUrl, base, url, segments);
  if (relative !== undefined || instance.provider !== 'azure-devops') return relative;
  return belowLegacyHost(instance.webUrl, base, url, segments);
}

function relativeTo(
  webUrl: URL,
  base: readonly string[],
  url: URL,
  segments: readonly string[],
): readonly string[] | undefined {
  if (url.origin !== webUrl.origin) return undefined;
  const isBelow = base.every((segment, index) => segments[index]?.toLowerCase() === segment.toLowerCase());
  return isBelow ? segments.slice(base.length) : undefined;
}

/**
 * Azure DevOps Services has two addresses for one organisation: dev.azure.com/{org} and the older
 * {org}.visualstudio.com, there with or without a DefaultCollection in front.
 */
function belowLegacyHost(
  webUrl: URL,
  base: readonly string[],
  url: URL,
  segments: readonly string[],
): readonly string[] | undefined {
  const organisation = organisationOf(webUrl, base);
  if (organisation === undefined || url.protocol !== 'https:' || url.port !== '') return undefined;
  if (url.hostname === 'dev.azure.com' && segments[0]?.toLowerCase() === organisation)
    return segments.slice(1);
  if (url.hostname !== `${organisation}.visualstudio.com`) return undefined;
  return segments[0]?.toLowerCase() === 'defaultcollection' ? segments.slice(1) : segments;
}

function organisationOf(webUrl: URL, base: readonly string[]): string | undefined {
  if (webUrl.hostname === 'dev.azure.com') return base[0]?.toLowerCase();
  return /^([^.]+)\.visualstudio\.com$/.exec(webUrl.hostname)?.[1];
}

function toUrl(text: string): URL {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URL_LENGTH || !URL.canParse(trimmed)) throw invalid('it is no web address');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('it is no web address');
  if (url.username !== '' || url.password !== '') throw invalid('it contains a user name or password');
  return url;
}

function decodeAll(segments: readonly string[]): string[] | undefined {
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** What could stand for another path, or end a line in a log, is no name. */
function isPlain(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\\?#\p{Cc}]/u.test(segment);
}

function toNumber(text: string): number | undefined {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : undefined;
}

function invalid(why: string): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'pull_request_url_invalid',
    message: `That is not the address of a pull request: ${why}. Copy it from the browser's address bar.`,
  });
}

function unknownHost(host: string, instances: readonly AddressedInstance[]): AppError {
  const known = instances.map((instance) => instance.webUrl.host).join(', ');
  return new AppError({
    kind: 'rejected',
    code: 'pull_request_url_unknown_host',
    message: `No configured instance is at ${host}. Configured: ${known === '' ? 'none' : known}.`,
    details: { host },
  });
}

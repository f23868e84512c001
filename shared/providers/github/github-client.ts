import { z } from 'zod';
import type { GitHubCredential, GitHubInstance } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../observability/ports.ts';
import { createProviderFetch } from '../http/provider-fetch.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import { createProviderHosts } from '../http/provider-hosts.ts';
import { createAppTokenSource } from './app-auth.ts';
import { createBoundedCache } from './bounded-cache.ts';
import type { OctokitPair, OctokitTuning } from './octokit-pair.ts';
import { createOctokitPair } from './octokit-pair.ts';
import type { Authorize } from './plumbing-plugin.ts';
import type { GitHubSession } from './session.ts';
import { createSession } from './session.ts';
import type { RepositoryHint, TokenScope } from './token-scopes.ts';
import { installationScope, namedScope, repositoryScope } from './token-scopes.ts';
import { createInstallationTokens } from './token-source.ts';

export interface GitHubClientDeps {
  /** Replaces the global fetch below our plumbing. */
  readonly fetch?: typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tuning?: OctokitTuning;
}

/** What GitHub says about a repository's names right now. */
export interface RepositoryNames {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly fullName: string;
}

/** Calls about one repository; routes may use `{owner}` and `{repo}`. */
export interface RepositorySession extends GitHubSession {
  readonly names: RepositoryNames;
}

export interface GitHubClient {
  readonly instance: string;
  readonly credential: GitHubCredential['kind'];
  /** As the App itself, or as the token's user. */
  readonly self: GitHubSession;
  /** Signed in for this one repository, names read from its id. @throws AppError `permanent` not_found, app_not_installed. */
  forRepository(hint: RepositoryHint): Promise<RepositorySession>;
  /** The same by name, for addresses that people give. */
  forRepositoryNamed(fullName: string): Promise<RepositorySession>;
  /** For listing the repositories of one installation; with a token the same as `self`. */
  forInstallation(installationId: number): GitHubSession;
  /** Like the client's fetch, for archives: more time and more bytes. */
  readonly archiveFetch: ProviderFetch;
}

const Repository = z.object({
  id: z.number(),
  name: z.string(),
  full_name: z.string(),
  owner: z.object({ login: z.string() }),
});

const READ_TIMEOUT_MS = 30_000;
/** GitHub gives blobs of up to 100 MB; in JSON nothing near that is read. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const ARCHIVE_TIMEOUT_MS = 5 * 60_000;
/** Compressed; what it unpacks to is limited where it is unpacked. */
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Names are read again after this long; until then GitHub itself redirects reads of a renamed repository. */
const NAMES_TTL_MS = 60_000;

/** @throws AppError `permanent` provider_credentials when the instance has none. */
export function createGitHubClient(instance: GitHubInstance, deps: GitHubClientDeps): GitHubClient {
  const { clock, log, tuning = {} } = deps;
  const { credential } = instance;
  if (credential === undefined) throw missingCredential(instance.id);
  const hosts = createProviderHosts(instance);
  const transport = deps.fetch === undefined ? {} : { transport: deps.fetch };
  const fetch = createProviderFetch({
    ...transport,
    hosts,
    clock,
    log,
    timeoutMs: READ_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
  const pair = (authorize: Authorize): OctokitPair =>
    createOctokitPair({ hosts, apiUrl: instance.apiUrl, fetch, authorize, clock, log, tuning });
  const session = (octokit: OctokitPair, base: Readonly<Record<string, unknown>> = {}): GitHubSession =>
    createSession({ instance: instance.id, clock, octokit, base });

  const selfOctokit = pair(selfAuthorize(credential));
  const self = session(selfOctokit);
  const tokens = credential.kind === 'app' ? createInstallationTokens(self, clock) : undefined;
  const octokits = createBoundedCache<OctokitPair>(500);
  const names = createBoundedCache<{ readonly names: RepositoryNames; readonly readAt: number }>(500);

  function octokitFor(scope: TokenScope): OctokitPair {
    if (tokens === undefined) return selfOctokit;
    return octokits.getOrCreate(`${scope.key} ${scope.name}`, () => pair(tokens.authorize(scope)));
  }
  function repositorySession(octokit: OctokitPair, found: RepositoryNames): RepositorySession {
    return { ...session(octokit, { owner: found.owner, repo: found.name }), names: found };
  }
  return {
    instance: instance.id,
    credential: credential.kind,
    self,
    async forRepository(hint) {
      const octokit = octokitFor(repositoryScope(hint));
      const { repositoryId } = hint;
      const known = names.get(repositoryId);
      if (known !== undefined && clock.now() - known.readAt < NAMES_TTL_MS)
        return repositorySession(octokit, known.names);
      const answer = await session(octokit).get('/repositories/{repositoryId}', { repositoryId }, Repository);
      const found = toNames(answer);
      if (found.id !== repositoryId) throw wrongRepository(instance.id, repositoryId);
      names.set(repositoryId, { names: found, readAt: clock.now() });
      return repositorySession(octokit, found);
    },
    async forRepositoryNamed(fullName) {
      const [owner = '', repo = ''] = fullName.split('/');
      const octokit = octokitFor(namedScope(owner, repo));
      const found = toNames(await session(octokit).get('/repos/{owner}/{repo}', { owner, repo }, Repository));
      return repositorySession(octokit, found);
    },
    forInstallation: (installationId) => session(octokitFor(installationScope(installationId))),
    archiveFetch: createProviderFetch({
      ...transport,
      hosts,
      clock,
      log,
      timeoutMs: ARCHIVE_TIMEOUT_MS,
      maxBytes: MAX_ARCHIVE_BYTES,
    }),
  };
}

function selfAuthorize(credential: GitHubCredential): Authorize {
  if (credential.kind === 'token') {
    return async (refresh) => (refresh ? undefined : credential.token.reveal());
  }
  const appToken = createAppTokenSource(credential.appId, credential.privateKey);
  return async (refresh) => (refresh ? undefined : await appToken());
}

function toNames(answer: z.output<typeof Repository>): RepositoryNames {
  return {
    id: String(answer.id),
    owner: answer.owner.login,
    name: answer.name,
    fullName: answer.full_name,
  };
}

function missingCredential(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'provider_credentials',
    message:
      `Instance ${instance} has no credential. Set GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or GITHUB_TOKEN ` +
      '(with the suffix of the instance, if it is not the first).',
    details: { instance },
  });
}

function wrongRepository(instance: string, repositoryId: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message: `Instance ${instance} answered another repository than the one asked for. Check apiUrl.`,
    details: { instance, repositoryId },
  });
}

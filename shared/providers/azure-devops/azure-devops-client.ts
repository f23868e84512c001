import { z } from 'zod';
import type { AzureDevOpsInstance } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { Logger } from '../../observability/ports.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import { createProviderFetch } from '../http/provider-fetch.ts';
import { createProviderHosts } from '../http/provider-hosts.ts';
import type { EntraCredential } from './authorization.ts';
import { createAuthorize } from './authorization.ts';
import type { HttpSession } from './http-session.ts';
import { createHttpSession } from './http-session.ts';
import { createPacing } from './pacing.ts';
import { withoutSignInRedirects } from './sign-in.ts';

export interface AzureDevOpsClientDeps {
  /** Replaces the global fetch below our plumbing. */
  readonly fetch?: typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
  /** Signs in where the instance has no token. */
  readonly credential?: EntraCredential;
  /** Pause before a read is tried again, in ms; default 500. */
  readonly retryBaseMs?: number;
}

/** What Azure DevOps says about a repository's names right now. */
export interface RepositoryNames {
  readonly id: string;
  readonly projectId: string;
  readonly project: string;
  readonly name: string;
  /** `project/name`. */
  readonly fullName: string;
}

/** Calls below one repository. */
export interface RepositorySession extends HttpSession {
  readonly names: RepositoryNames;
  /** Address of a pull request, or of one thread in it, that a person can open. */
  webUrlOf(number: number, threadId?: number): string;
}

export interface AzureDevOpsClient {
  readonly instance: string;
  /** Calls below the organization or collection. */
  readonly root: HttpSession;
  /** Names read by id. @throws AppError `permanent` not_found. */
  forRepository(repository: Pick<PullRequestRef, 'repositoryId'>): Promise<RepositorySession>;
  /** The same by name, for addresses that people give. */
  forRepositoryNamed(project: string, name: string): Promise<RepositorySession>;
  /** Like the client's fetch, for archives: more time and more bytes. */
  readonly archiveFetch: ProviderFetch;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Both ids become parts of addresses. */
export const Repository = z.object({
  id: z.string().regex(GUID),
  name: z.string(),
  project: z.object({ id: z.string().regex(GUID), name: z.string() }),
});

const READ_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const ARCHIVE_TIMEOUT_MS = 5 * 60_000;
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Names are read again after this long. */
const NAMES_TTL_MS = 60_000;
const MAX_NAMES = 500;

/** @throws AppError `permanent` provider_credentials when there is nothing to sign in with. */
export function createAzureDevOpsClient(
  instance: AzureDevOpsInstance,
  deps: AzureDevOpsClientDeps,
): AzureDevOpsClient {
  const { clock, log } = deps;
  const shared = {
    hosts: createProviderHosts(instance),
    clock,
    log,
    transport: withoutSignInRedirects(deps.fetch ?? fetch),
  };
  const limits = { timeoutMs: READ_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
  const base = {
    instance: instance.id,
    fetch: createProviderFetch({ ...shared, ...limits }),
    authorize: createAuthorize(instance, deps.credential, clock),
    pacing: createPacing(instance.id, clock),
    clock,
    retryBaseMs: deps.retryBaseMs ?? 500,
  };
  const rootUrl = withoutSlash(instance.apiUrl.href);
  const root = createHttpSession({ ...base, baseUrl: rootUrl });
  const names = new Map<string, { readonly names: RepositoryNames; readonly readAt: number }>();

  function repositorySession(found: RepositoryNames): RepositorySession {
    const web = `${withoutSlash(instance.webUrl.href)}/${encodeURIComponent(found.project)}/_git/${encodeURIComponent(found.name)}`;
    return {
      ...createHttpSession({
        ...base,
        baseUrl: `${rootUrl}/${found.projectId}/_apis/git/repositories/${found.id}`,
      }),
      names: found,
      webUrlOf: (number, threadId) =>
        `${web}/pullrequest/${number}${threadId === undefined ? '' : `?discussionId=${threadId}`}`,
    };
  }

  return {
    instance: instance.id,
    root,
    async forRepository({ repositoryId }) {
      const id = repositoryId.toLowerCase();
      if (!GUID.test(id)) throw notARepository(instance.id);
      const known = names.get(id);
      if (known !== undefined && clock.now() - known.readAt < NAMES_TTL_MS)
        return repositorySession(known.names);
      const found = toNames(await root.get(`/_apis/git/repositories/${id}`, {}, Repository));
      if (found.id !== id) throw wrongRepository(instance.id, id);
      names.delete(id);
      names.set(id, { names: found, readAt: clock.now() });
      const [oldest] = names.keys();
      if (names.size > MAX_NAMES && oldest !== undefined) names.delete(oldest);
      return repositorySession(found);
    },
    async forRepositoryNamed(project, name) {
      const path = `/${encodeURIComponent(project)}/_apis/git/repositories/${encodeURIComponent(name)}`;
      return repositorySession(toNames(await root.get(path, {}, Repository)));
    },
    archiveFetch: createProviderFetch({
      ...shared,
      timeoutMs: ARCHIVE_TIMEOUT_MS,
      maxBytes: MAX_ARCHIVE_BYTES,
    }),
  };
}

export function toNames({ id, name, project }: z.output<typeof Repository>): RepositoryNames {
  return {
    id: id.toLowerCase(),
    projectId: project.id.toLowerCase(),
    project: project.name,
    name,
    fullName: `${project.name}/${name}`,
  };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function notARepository(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `A repository of instance ${instance} is named by a GUID.`,
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

import { z } from 'zod';
import type { GitLabInstance } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { Logger } from '../../observability/ports.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import { createProviderFetch } from '../http/provider-fetch.ts';
import { createProviderHosts } from '../http/provider-hosts.ts';
import type { HttpSession } from './http-session.ts';
import { createHttpSession } from './http-session.ts';

export interface GitLabClientDeps {
  /** Replaces the global fetch below our plumbing. */
  readonly fetch?: typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
  /** Pause before a read is tried again, in ms; default 500. */
  readonly retryBaseMs?: number;
}

/** Calls below one project. */
export interface ProjectSession extends HttpSession {
  readonly id: string;
  /** Path with all groups, as GitLab writes it now. */
  readonly fullName: string;
  /** Address of a merge request, or of one note on it, that a person can open. */
  webUrlOf(number: number, noteId?: number): string;
}

export interface GitLabClient {
  readonly instance: string;
  readonly root: HttpSession;
  /** The name is read by id. @throws AppError `permanent` not_found. */
  forProject(repositoryId: string): Promise<ProjectSession>;
  /** The same by path, for addresses that people give. */
  forProjectNamed(fullName: string): Promise<ProjectSession>;
  /** Like the client's fetch, for archives: more time and more bytes. */
  readonly archiveFetch: ProviderFetch;
}

export const Project = z.object({ id: z.int(), path_with_namespace: z.string() });

const READ_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const ARCHIVE_TIMEOUT_MS = 5 * 60_000;
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;
/** Names are read again after this long. */
const NAMES_TTL_MS = 60_000;
const MAX_NAMES = 500;

/** @throws AppError `permanent` provider_credentials when there is nothing to sign in with. */
export function createGitLabClient(instance: GitLabInstance, deps: GitLabClientDeps): GitLabClient {
  const { clock, log } = deps;
  const token = instance.token?.reveal() ?? '';
  if (token === '') throw withoutToken(instance.id);
  const shared = { hosts: createProviderHosts(instance), clock, log, transport: deps.fetch ?? fetch };
  const base = {
    instance: instance.id,
    fetch: createProviderFetch({ ...shared, timeoutMs: READ_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES }),
    authorization: `Bearer ${token}`,
    clock,
    retryBaseMs: deps.retryBaseMs ?? 500,
  };
  const rootUrl = apiRoot(instance.apiUrl);
  const root = createHttpSession({ ...base, baseUrl: rootUrl });
  const webUrl = instance.webUrl.href.replace(/\/+$/, '');
  const names = new Map<string, { readonly fullName: string; readonly readAt: number }>();

  function projectSession(id: string, fullName: string): ProjectSession {
    const web = `${webUrl}/${fullName.split('/').map(encodeURIComponent).join('/')}/-/merge_requests`;
    return {
      ...createHttpSession({ ...base, baseUrl: `${rootUrl}/projects/${id}` }),
      id,
      fullName,
      webUrlOf: (number, noteId) => `${web}/${number}${noteId === undefined ? '' : `#note_${noteId}`}`,
    };
  }

  return {
    instance: instance.id,
    root,
    async forProject(id) {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw notAProject(instance.id);
      const known = names.get(id);
      if (known !== undefined && clock.now() - known.readAt < NAMES_TTL_MS)
        return projectSession(id, known.fullName);
      const found = await root.get(`/projects/${id}`, {}, Project);
      if (String(found.id) !== id) throw wrongProject(instance.id, id);
      names.delete(id);
      names.set(id, { fullName: found.path_with_namespace, readAt: clock.now() });
      const [oldest] = names.keys();
      if (names.size > MAX_NAMES && oldest !== undefined) names.delete(oldest);
      return projectSession(id, found.path_with_namespace);
    },
    async forProjectNamed(fullName) {
      const found = await root.get(`/projects/${encodeURIComponent(fullName)}`, {}, Project);
      return projectSession(String(found.id), found.path_with_namespace);
    },
    archiveFetch: createProviderFetch({
      ...shared,
      timeoutMs: ARCHIVE_TIMEOUT_MS,
      maxBytes: MAX_ARCHIVE_BYTES,
    }),
  };
}

/** Path of a merge request below its project. */
export function pullPath(ref: Pick<PullRequestRef, 'number'>): string {
  return `/merge_requests/${ref.number}`;
}

function apiRoot(apiUrl: URL): string {
  const root = `${apiUrl.origin}${apiUrl.pathname.replace(/\/+$/, '')}`;
  return root.endsWith('/api/v4') ? root : `${root}/api/v4`;
}

function withoutToken(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'provider_credentials',
    message: `Instance ${instance} has no token. Set GITLAB_TOKEN.`,
    details: { instance },
  });
}

function notAProject(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `A project of instance ${instance} is named by its number.`,
    details: { instance },
  });
}

function wrongProject(instance: string, repositoryId: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message: `Instance ${instance} answered another project than the one asked for. Check apiUrl.`,
    details: { instance, repositoryId },
  });
}

import type { SimulatorHandler, SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import type { WriteLog } from '../http/write-log.ts';
import type { Access } from './access.ts';
import { permissionOf, requireContribute } from './access.ts';
import { pullMissing, refuse, repositoryMissing } from './errors.ts';
import type { RequestBodies } from './request-bodies.ts';
import type { AzureDevOpsState, SimIdentity, SimPull, SimRepository } from './state.ts';

/** What every route group works with. */
export interface AzureDevOpsContext {
  readonly state: AzureDevOpsState;
  readonly access: Access;
  readonly writes: WriteLog;
  readonly bodies: RequestBodies;
  /** `http://127.0.0.1:port/organization`. */
  baseUrl(): string;
}

export interface RepositoryCall {
  readonly request: SimulatorRequest;
  readonly viewer: SimIdentity;
  readonly repository: SimRepository;
}

export interface PullCall extends RepositoryCall {
  readonly pull: SimPull;
}

type Answer = SimulatorReply | Promise<SimulatorReply>;

const REPOSITORY = '/:project/_apis/git/repositories/:repository';
const PULL = `${REPOSITORY}/pullRequests/:number`;
const VERSIONS = new Set(['7.0', '7.1', '7.1-preview', '7.1-preview.1']);

/** A call that only needs somebody to be signed in. */
export function signedIn(
  context: AzureDevOpsContext,
  handle: (request: SimulatorRequest, viewer: SimIdentity) => Answer,
): SimulatorHandler {
  return (request) => {
    const viewer = context.access.signIn(request);
    requireVersion(request);
    return handle(request, viewer);
  };
}

/** A call about one repository, by GUID or name, in its project or (by GUID) without one. */
export function repositoryRoute(
  context: AzureDevOpsContext,
  method: Route['method'],
  path: string,
  handle: (call: RepositoryCall) => Answer,
): Route {
  return {
    method,
    pattern: `${REPOSITORY}${path}`,
    handle: signedIn(context, (request, viewer) =>
      handle({ request, viewer, repository: findRepository(context.state, request, viewer) }),
    ),
  };
}

/** A call about one pull request; what changes something needs the right to contribute to pull requests. */
export function pullRoute(
  context: AzureDevOpsContext,
  method: Route['method'],
  path: string,
  handle: (call: PullCall) => Answer,
): Route {
  return {
    method,
    pattern: `${PULL}${path}`,
    handle: signedIn(context, (request, viewer) => {
      const repository = findRepository(context.state, request, viewer);
      const pull = repository.pulls.get(Number(request.params['number'])) ?? pullMissing();
      if (method !== 'GET') requireContribute(repository, viewer);
      return handle({ request, viewer, repository, pull });
    }),
  };
}

function findRepository(
  state: AzureDevOpsState,
  request: SimulatorRequest,
  viewer: SimIdentity,
): SimRepository {
  const name = (request.params['repository'] ?? '').toLowerCase();
  const project = (request.params['project'] ?? '-').toLowerCase();
  const found = state.repositories.find(
    (candidate) =>
      (candidate.id === name || (project !== '-' && candidate.name.toLowerCase() === name)) &&
      (project === '-' ||
        candidate.project.id === project ||
        candidate.project.name.toLowerCase() === project),
  );
  if (found === undefined || permissionOf(found, viewer) === 'none') return repositoryMissing(name);
  return found;
}

/** Reads may leave the version out, except where a format other than JSON is asked for. */
function requireVersion(request: SimulatorRequest): void {
  const version = request.query.get('api-version');
  const isNeeded = request.method !== 'GET' || request.query.get('$format') === 'zip';
  if (version === null && isNeeded)
    refuse(
      400,
      'VssVersionNotSpecifiedException',
      `No api-version was supplied for the "${request.method}" request. The version must be supplied either as part of the Accept header (e.g. "application/json; api-version=1.0") or as a query parameter (e.g. "?api-version=1.0").`,
    );
  if (version !== null && !VERSIONS.has(version))
    refuse(
      400,
      'VssVersionOutOfRangeException',
      `The requested REST API version of ${version} is out of range for this server.`,
    );
}

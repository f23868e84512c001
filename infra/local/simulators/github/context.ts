import type { SimulatorHandler, SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import { ReplyError } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import type { WriteLog } from '../http/write-log.ts';
import { authenticate } from './access/authenticate.ts';
import type { TokenStore } from './access/tokens.ts';
import type { Actor, Viewer } from './access/viewer.ts';
import { canSee, isPermitted } from './access/viewer.ts';
import type { GitHubSimulatorOptions } from './options.ts';
import { forbidden, githubError, notFound } from './rest/errors.ts';
import type { Urls } from './rest/urls.ts';
import { urlsOf } from './rest/urls.ts';
import type { UnknownField } from './unknown-field.ts';
import type { SimPull, SimRepository } from './state/model.ts';
import type { Places } from './state/places.ts';
import type { GitHubState } from './state/state.ts';

/** What every route group works with. */
export interface GitHubContext {
  readonly state: GitHubState;
  readonly tokens: TokenStore;
  readonly writes: WriteLog;
  readonly options: GitHubSimulatorOptions;
  readonly places: Places;
  /** Grows as bodies come in; see UnknownField. */
  readonly unknownFields: UnknownField[];
  /** Where archives are downloaded from: another origin than the API. */
  readonly codeloadOrigin: () => string;
}

export interface RepositoryRequest {
  readonly request: SimulatorRequest;
  readonly viewer: Actor;
  readonly repository: SimRepository;
  readonly urls: Urls;
}

export interface PullRequestRequest extends RepositoryRequest {
  readonly pull: SimPull;
}

/** The viewer of a request that needs one. @throws ReplyError 401 */
export function requireActor(context: GitHubContext, request: SimulatorRequest): Actor {
  const viewer: Viewer = authenticate(context.state, context.tokens, request);
  if (viewer.kind === 'anonymous') {
    throw new ReplyError(githubError(401, 'Requires authentication'));
  }
  if (viewer.kind === 'app') {
    throw forbidden('You must use an installation access token to access this endpoint');
  }
  return viewer;
}

/** @throws ReplyError 403 with GitHub's words for the kind of token. */
export function requirePermission(viewer: Actor, area: string, level: 'read' | 'write'): void {
  if (isPermitted(viewer, area, level)) return;
  throw forbidden(
    `Resource not accessible by ${viewer.kind === 'installation' ? 'integration' : 'personal access token'}`,
  );
}

/** A route below `/repos/{owner}/{name}`; what the token does not cover answers 404, as if it were not there. */
export function repositoryRoute(
  context: GitHubContext,
  method: Route['method'],
  path: string,
  handle: (input: RepositoryRequest) => SimulatorReply | Promise<SimulatorReply>,
): Route {
  const handler: SimulatorHandler = (request) => {
    const viewer = requireActor(context, request);
    const { owner = '', name = '' } = request.params;
    const repository = context.state.findRepository(`${owner}/${name}`);
    if (repository === undefined || !canSee(viewer, repository)) throw notFound();
    return handle({ request, viewer, repository, urls: urlsOf(request) });
  };
  return { method, pattern: `/repos/:owner/:name${path}`, handle: handler };
}

/** A route below `/repos/{owner}/{name}/pulls/{number}` or, with `base`, `/issues/{number}`. */
export function pullRoute(
  context: GitHubContext,
  method: Route['method'],
  path: string,
  handle: (input: PullRequestRequest) => SimulatorReply | Promise<SimulatorReply>,
  base: 'pulls' | 'issues' = 'pulls',
): Route {
  return repositoryRoute(context, method, `/${base}/:number${path}`, (input) => {
    requirePermission(input.viewer, 'pull_requests', 'read');
    const pull = input.repository.pulls.get(Number(input.request.params['number']));
    if (pull === undefined) throw notFound();
    return handle({ ...input, pull });
  });
}

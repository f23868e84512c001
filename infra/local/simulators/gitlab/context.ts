import type { SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import type { WriteLog } from '../http/write-log.ts';
import type { Access } from './access.ts';
import { notFound } from './errors.ts';
import type { RequestBodies } from './request-bodies.ts';
import type { GitLabState, SimProject, SimPull, SimUser } from './state.ts';
import { levelOf } from './state.ts';

/** What every route group works with. */
export interface GitLabContext {
  readonly state: GitLabState;
  readonly access: Access;
  readonly writes: WriteLog;
  readonly bodies: RequestBodies;
  /** `http://127.0.0.1:port`. */
  webUrl(): string;
}

export interface ProjectCall {
  readonly request: SimulatorRequest;
  readonly viewer: SimUser;
  readonly project: SimProject;
}

export interface PullCall extends ProjectCall {
  readonly pull: SimPull;
}

type Answer = SimulatorReply | Promise<SimulatorReply>;

export function userRoute(
  context: GitLabContext,
  pattern: string,
  handle: (request: SimulatorRequest, viewer: SimUser) => Answer,
): Route {
  return { method: 'GET', pattern, handle: (request) => handle(request, context.access.signIn(request)) };
}

/** A call about one project, by number or by its encoded path. */
export function projectRoute(
  context: GitLabContext,
  method: Route['method'],
  path: string,
  handle: (call: ProjectCall) => Answer,
): Route {
  return {
    method,
    pattern: `/projects/:project${path}`,
    handle: (request) => {
      const viewer = context.access.signIn(request);
      return handle({ request, viewer, project: findProject(context.state, request, viewer) });
    },
  };
}

/** A call about one merge request. */
export function pullRoute(
  context: GitLabContext,
  method: Route['method'],
  path: string,
  handle: (call: PullCall) => Answer,
): Route {
  return projectRoute(context, method, `/merge_requests/:iid${path}`, (call) => {
    const pull = call.project.pulls.get(Number(call.request.params['iid']));
    return pull === undefined ? notFound('Merge Request') : handle({ ...call, pull });
  });
}

function findProject(state: GitLabState, request: SimulatorRequest, viewer: SimUser): SimProject {
  const name = request.params['project'] ?? '';
  const found = state.projects.find(
    (project) => String(project.id) === name || project.fullName.toLowerCase() === name.toLowerCase(),
  );
  return found === undefined || levelOf(found, viewer) === 0 ? notFound('Project') : found;
}

/** One page of a listing, with the headers that lead to the next. */
export function page(request: SimulatorRequest, items: readonly unknown[]): SimulatorReply {
  const number = Math.max(1, Number(request.query.get('page') ?? 1));
  const size = Math.min(Math.max(1, Number(request.query.get('per_page') ?? 20)), 100);
  const isMore = items.length > number * size;
  return {
    status: 200,
    headers: {
      'x-page': String(number),
      'x-per-page': String(size),
      'x-next-page': isMore ? String(number + 1) : '',
      'x-total': String(items.length),
    },
    json: items.slice((number - 1) * size, number * size),
  };
}

import type { Route } from '../http/router.ts';
import type { AzureDevOpsContext } from './context.ts';
import { pullRoute } from './context.ts';
import { BODIES } from './request-bodies.ts';
import { renderStatus } from './render.ts';
import { iterationOf } from './routes-reading.ts';
import type { SimStatus } from './state.ts';

/** Statuses of pull requests: all are kept, the newest of each context counts. */
export function statusRoutes(context: AzureDevOpsContext): Route[] {
  const { state, writes, bodies } = context;
  return [
    pullRoute(context, 'GET', '/statuses', ({ pull }) => ({
      status: 200,
      json: { value: pull.statuses.map(renderStatus), count: pull.statuses.length },
    })),
    pullRoute(context, 'POST', '/statuses', ({ pull, request, viewer, repository }) => {
      const body = bodies.read(request, 'GitPullRequestStatus', BODIES.GitPullRequestStatus);
      if (body.iterationId !== undefined) iterationOf(pull, String(body.iterationId));
      const status: SimStatus = {
        id: pull.statuses.length + 1,
        state: body.state,
        description: body.description,
        context: { genre: body.context.genre ?? '', name: body.context.name },
        targetUrl: body.targetUrl,
        iterationId: body.iterationId,
        createdBy: viewer,
        createdAt: state.now(),
      };
      pull.statuses.push(status);
      writes.add({
        at: state.now(),
        kind: 'status.created',
        requestId: request.id,
        actor: viewer.displayName,
        details: {
          number: pull.number,
          repository: repository.id,
          state: status.state,
          name: status.context.name,
        },
      });
      return { status: 200, json: renderStatus(status) };
    }),
  ];
}

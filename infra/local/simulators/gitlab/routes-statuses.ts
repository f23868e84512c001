import type { Route } from '../http/router.ts';
import type { GitLabContext } from './context.ts';
import { page, projectRoute } from './context.ts';
import { forbidden, notFound, refuse } from './errors.ts';
import { renderStatus } from './render.ts';
import { BODIES } from './request-bodies.ts';
import type { SimStatus } from './state.ts';
import { levelOf } from './state.ts';

/** Statuses of commits; one of each name, which moves on and refuses to stay where it is. */
export function statusRoutes(context: GitLabContext): Route[] {
  const { state, bodies, writes } = context;
  return [
    projectRoute(context, 'GET', '/repository/commits/:sha/statuses', ({ project, request }) => {
      const name = request.query.get('name');
      return page(
        request,
        project.statuses
          .filter(({ sha }) => sha === request.params['sha'])
          .filter((status) => name === null || status.name === name)
          .map(renderStatus),
      );
    }),
    projectRoute(context, 'POST', '/statuses/:sha', async ({ project, request, viewer }) => {
      const body = bodies.read(request, 'status', BODIES.status);
      if (levelOf(project, viewer) < 30) return forbidden();
      const sha = request.params['sha'] ?? '';
      if ((await project.git.findCommit(sha)) === undefined) return notFound('Commit');
      const name = body.name ?? 'default';
      const known = project.statuses.find((status) => status.sha === sha && status.name === name);
      if (known?.state === body.state)
        return refuse(
          400,
          `Cannot transition status via :${body.state} from :${known.state} (Reason(s): Status cannot transition via "${body.state}")`,
        );
      const status: SimStatus = known ?? {
        id: state.nextId(),
        sha,
        name,
        state: body.state,
        description: null,
        targetUrl: null,
        author: viewer,
      };
      if (known === undefined) project.statuses.push(status);
      status.state = body.state;
      status.description = body.description ?? status.description;
      status.targetUrl = body.target_url ?? status.targetUrl;
      writes.add({
        at: state.now(),
        kind: 'status.set',
        requestId: request.id,
        actor: viewer.username,
        details: { repository: project.id, sha, name, state: body.state },
      });
      return { status: 201, json: renderStatus(status) };
    }),
  ];
}

import { z } from 'zod';
import type { Route } from '../../http/router.ts';
import type { GitHubContext, RepositoryRequest } from '../context.ts';
import { repositoryRoute, requirePermission } from '../context.ts';
import type { SimStatus } from '../state/model.ts';
import { notFound, unprocessable } from './errors.ts';
import { pageReply } from './paging.ts';
import { renderUser } from './render-accounts.ts';
import { parseBody } from './request-body.ts';
import { isoTime } from './urls.ts';

const NewStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  context: z.string().optional(),
});

const MAX_PER_CONTEXT = 1_000;
const MAX_DESCRIPTION = 140;

/** Commit statuses; the latest of a context counts. */
export function statusRoutes(context: GitHubContext): Route[] {
  const { state, writes } = context;
  function render(status: SimStatus, { repository, urls }: RepositoryRequest): Record<string, unknown> {
    return {
      url: `${urls.repository(repository)}/statuses/${status.sha}`,
      id: status.id,
      node_id: state.ids.node('SC', status.id),
      state: status.state,
      description: status.description,
      target_url: status.targetUrl,
      context: status.context,
      created_at: isoTime(status.createdAt),
      updated_at: isoTime(status.createdAt),
      creator: renderUser(status.creator, urls),
    };
  }
  return [
    repositoryRoute(context, 'POST', '/statuses/:sha', async (input) => {
      const { request, repository, viewer } = input;
      requirePermission(viewer, 'statuses', 'write');
      const body = parseBody(context, request, NewStatus);
      const given = request.params['sha'] ?? '';
      const sha = await repository.git.findCommit(given);
      if (sha !== given) throw unprocessable(`No commit found for SHA: ${given}`);
      const name = body.context ?? 'default';
      const { description } = body;
      if (typeof description === 'string' && description.length > MAX_DESCRIPTION) {
        throw unprocessable('Validation Failed', [
          {
            resource: 'Status',
            code: 'custom',
            field: 'description',
            message: `description is too long (maximum is ${MAX_DESCRIPTION} characters)`,
          },
        ]);
      }
      const earlier = repository.statuses.filter((status) => status.sha === sha && status.context === name);
      if (earlier.length >= MAX_PER_CONTEXT) {
        throw unprocessable('This SHA and context has reached the maximum number of statuses.');
      }
      const status: SimStatus = {
        id: state.ids.next(),
        sha,
        state: body.state,
        context: name,
        description: description ?? null,
        targetUrl: body.target_url ?? null,
        creator: viewer.user,
        createdAt: state.now(),
      };
      repository.statuses.push(status);
      writes.add({
        at: state.now(),
        kind: 'status.created',
        requestId: request.id,
        actor: viewer.user.login,
        details: { repository: repository.fullName, sha, context: name, state: body.state },
      });
      return { status: 201, json: render(status, input) };
    }),
    repositoryRoute(context, 'GET', '/commits/:ref/statuses', async (input) => {
      const { request, repository } = input;
      requirePermission(input.viewer, 'statuses', 'read');
      const sha = await repository.git.findCommit(request.params['ref'] ?? '');
      if (sha === undefined) throw notFound();
      const statuses = repository.statuses.filter((status) => status.sha === sha).toReversed();
      return pageReply(request, repository, statuses, (status) => render(status, input));
    }),
  ];
}

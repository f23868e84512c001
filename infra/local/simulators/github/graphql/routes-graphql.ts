import { z } from 'zod';
import type { SimulatorRequest } from '../../http/exchange.ts';
import { ReplyError, readJson } from '../../http/exchange.ts';
import type { Route } from '../../http/router.ts';
import { authenticate } from '../access/authenticate.ts';
import type { GitHubContext } from '../context.ts';
import type { RateLimits } from '../rate-limits.ts';
import { forbidden, githubError } from '../rest/errors.ts';
import { createUrls, isoTime } from '../rest/urls.ts';
import { pullNode } from './pull-nodes.ts';
import type { Scope } from './scope.ts';
import { executeGraphql } from './execute.ts';

const Body = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** GraphQL at `/graphql` (github.com) and `/api/graphql` (Enterprise Server). The schema is read on first use. */
export function graphqlRoutes(context: GitHubContext, rateLimits: RateLimits): Route[] {
  const handle = async (request: SimulatorRequest) => {
    const viewer = authenticate(context.state, context.tokens, request);
    if (viewer.kind === 'anonymous') {
      throw new ReplyError(githubError(401, 'This endpoint requires you to be authenticated.'));
    }
    if (viewer.kind === 'app') throw forbidden('Resource not accessible by integration');
    const body = Body.safeParse(readJson(request));
    if (!body.success) {
      return {
        status: 200,
        json: { errors: [{ message: 'A query attribute must be specified and must be a string.' }] },
      };
    }
    const { GITHUB_SCHEMA } = await import('./github-schema.ts');
    const isEnterprise = request.path.startsWith('/api/');
    const scope: Scope = {
      context,
      viewer,
      urls: createUrls(`${request.origin}${isEnterprise ? '/api/v3' : ''}`, request.origin),
      writer: { viewer, requestId: request.id },
      pullNode: (pull) => pullNode(pull, scope),
    };
    const { query, variables, operationName } = body.data;
    const json = await executeGraphql(
      GITHUB_SCHEMA,
      scope,
      { query, variables: variables ?? {}, operationName: operationName ?? undefined },
      () => {
        const { reset, ...facts } = rateLimits.describe(request);
        return { ...facts, cost: 1, nodeCount: 0, resetAt: isoTime(reset * 1000) };
      },
    );
    return { status: 200, json };
  };
  return [
    { method: 'POST', pattern: '/graphql', handle },
    { method: 'POST', pattern: '/api/graphql', handle },
  ];
}

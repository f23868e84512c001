import type { Route } from '../http/router.ts';
import type { ArchiveDownloads } from './archive-downloads.ts';
import type { GitHubContext } from './context.ts';
import { graphqlRoutes } from './graphql/routes-graphql.ts';
import type { RateLimits } from './rate-limits.ts';
import { accountRoutes } from './rest/routes-accounts.ts';
import { appRoutes } from './rest/routes-app.ts';
import { archiveRoutes } from './rest/routes-archive.ts';
import { checkRoutes } from './rest/routes-checks.ts';
import { compareRoutes } from './rest/routes-compare.ts';
import { contentsRoutes } from './rest/routes-contents.ts';
import { deliveryRoutes } from './rest/routes-deliveries.ts';
import { gitRoutes } from './rest/routes-git.ts';
import { issueCommentRoutes } from './rest/routes-issue-comments.ts';
import { pullRoutes } from './rest/routes-pulls.ts';
import { reactionRoutes } from './rest/routes-reactions.ts';
import { reviewCommentRoutes } from './rest/routes-review-comments.ts';
import { reviewRoutes } from './rest/routes-reviews.ts';
import { statusRoutes } from './rest/routes-statuses.ts';
import type { Webhooks } from './webhooks/deliveries.ts';

/** Every route of the API. Order matters where a literal segment competes with a placeholder. */
export function githubRoutes(
  context: GitHubContext,
  parts: {
    readonly downloads: ArchiveDownloads;
    readonly rateLimits: RateLimits;
    readonly webhooks: Webhooks;
  },
): Route[] {
  const { downloads, rateLimits, webhooks } = parts;
  const counted: Route[] = [
    ...deliveryRoutes(context, webhooks),
    ...appRoutes(context),
    ...accountRoutes(context),
    ...reviewCommentRoutes(context),
    ...reactionRoutes(context),
    ...pullRoutes(context),
    ...reviewRoutes(context),
    ...issueCommentRoutes(context),
    ...compareRoutes(context),
    ...contentsRoutes(context),
    ...checkRoutes(context),
    ...statusRoutes(context),
    ...gitRoutes(context),
    ...archiveRoutes(context, downloads),
    ...graphqlRoutes(context, rateLimits),
  ];
  return [
    ...counted.map((route): Route => ({
      ...route,
      handle: (request) => rateLimits.count(request) ?? route.handle(request),
    })),
    {
      method: 'GET',
      pattern: '/rate_limit',
      handle: (request) => {
        const core = rateLimits.describe(request);
        return { status: 200, json: { resources: { core, graphql: core }, rate: core } };
      },
    },
  ];
}

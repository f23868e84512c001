import { z } from 'zod';
import { adminRoute } from '../http/admin-routes.ts';
import type { SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import { readJson } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import { isGitError } from '../git/git-error.ts';
import type { PullControls } from './pull-controls.ts';
import type { PostedQueries } from './queries.ts';
import type { WebhookDelivery, Webhooks } from './webhooks/deliveries.ts';

const NewPull = z.strictObject({
  repository: z.string().exactOptional(),
  base: z.string(),
  head: z.string(),
  baseName: z.string().exactOptional(),
  headName: z.string().exactOptional(),
  title: z.string(),
  body: z.string().exactOptional(),
  author: z.string().nullable().exactOptional(),
  draft: z.boolean().exactOptional(),
});
const Event = z.strictObject({
  event: z.enum([
    'pull_request',
    'issue_comment',
    'pull_request_review',
    'pull_request_review_comment',
    'pull_request_review_thread',
    'ping',
  ]),
  action: z.string().exactOptional(),
  repository: z.string().exactOptional(),
  number: z.int().exactOptional(),
  sender: z.string().exactOptional(),
  before: z.string().exactOptional(),
  commentId: z.int().exactOptional(),
  reviewId: z.int().exactOptional(),
  threadId: z.string().exactOptional(),
  extra: z.record(z.string(), z.unknown()).exactOptional(),
});
const Target = z.strictObject({
  url: z.url(),
  secrets: z.array(z.string()),
  enterprise: z.boolean().exactOptional(),
  automatic: z.boolean().exactOptional(),
});

/** What a caller in another process learns of a delivery; the bytes stay here. */
function summary(delivery: WebhookDelivery): Record<string, unknown> {
  const { id, guid, event, action, statusCode, status, durationMs, responseBody } = delivery;
  return { id, guid, event, action, statusCode, status, durationMs, responseBody };
}

/** Runs `handle` on a checked body; what it throws is the caller's mistake, answered as 400. */
function withBody<Schema extends z.ZodType>(
  schema: Schema,
  handle: (body: z.output<Schema>, request: SimulatorRequest) => Promise<SimulatorReply> | SimulatorReply,
) {
  return async (request: SimulatorRequest): Promise<SimulatorReply> => {
    const body = schema.safeParse(readJson(request) ?? {});
    if (!body.success) return { status: 400, json: { error: body.error.message } };
    try {
      return await handle(body.data, request);
    } catch (error) {
      const code = isGitError(error) ? { code: error.code } : {};
      return {
        status: 400,
        json: { error: error instanceof Error ? error.message : String(error), ...code },
      };
    }
  };
}

function numberOf(request: SimulatorRequest): number {
  return Number(request.params['number']);
}

/** Remote control of the GitHub simulator, next to faults and logs. */
export function githubAdminRoutes(
  controls: PullControls,
  queries: PostedQueries,
  webhooks: Webhooks,
): Route[] {
  const Nothing = z.looseObject({});
  return [
    adminRoute('GET', '/pulls/:number/comments', async (request) => ({
      status: 200,
      json: await queries.comments(numberOf(request)),
    })),
    adminRoute('GET', '/pulls/:number/reviews', (request) => ({
      status: 200,
      json: queries.reviews(numberOf(request)),
    })),
    adminRoute('GET', '/pulls/:number/issue-comments', (request) => ({
      status: 200,
      json: queries.issueComments(numberOf(request)),
    })),
    adminRoute(
      'POST',
      '/pulls',
      withBody(NewPull, async (body) => {
        const pull = await controls.createPullRequest(body);
        return { status: 201, json: { number: pull.number, headSha: pull.headSha, baseSha: pull.baseSha } };
      }),
    ),
    adminRoute(
      'POST',
      '/pulls/:number/push',
      withBody(z.strictObject({ revision: z.string().optional() }), async ({ revision }, request) => {
        const before = await controls.pushHead(numberOf(request), revision);
        return { status: 200, json: { before, after: controls.findPull(numberOf(request)).headSha } };
      }),
    ),
    adminRoute(
      'PUT',
      '/webhook',
      withBody(Target, (target) => {
        webhooks.setTarget(target);
        return { status: 204 };
      }),
    ),
    adminRoute(
      'POST',
      '/deliveries',
      withBody(Event, async (event) => ({ status: 200, json: summary(await webhooks.deliver(event)) })),
    ),
    adminRoute('GET', '/deliveries', () => ({ status: 200, json: webhooks.list().map(summary) })),
    adminRoute(
      'POST',
      '/deliveries/:id/redeliver',
      withBody(Nothing, async (_, request) => ({
        status: 200,
        json: summary(await webhooks.redeliver(Number(request.params['id']))),
      })),
    ),
  ];
}

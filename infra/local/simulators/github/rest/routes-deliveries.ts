import type { Route } from '../../http/router.ts';
import type { GitHubContext } from '../context.ts';
import type { WebhookDelivery, Webhooks } from '../webhooks/deliveries.ts';
import { notFound } from './errors.ts';
import { requireApp } from './routes-app.ts';
import { isoTime } from './urls.ts';

function render(delivery: WebhookDelivery): Record<string, unknown> {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: isoTime(delivery.deliveredAt),
    redelivery: delivery.isRedelivery,
    duration: Math.round(delivery.durationMs) / 1000,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action ?? null,
    installation_id: delivery.installationId ?? null,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

function isSuccess(delivery: WebhookDelivery): boolean {
  return delivery.statusCode >= 200 && delivery.statusCode < 300;
}

/** The App's deliveries, newest first, paged by cursor; and sending one again. */
export function deliveryRoutes(context: GitHubContext, webhooks: Webhooks): Route[] {
  function requireDelivery(id: string | undefined): WebhookDelivery {
    const delivery = webhooks.find(Number(id));
    if (delivery === undefined) throw notFound();
    return delivery;
  }
  return [
    {
      method: 'GET',
      pattern: '/app/hook/deliveries',
      handle: (request) => {
        requireApp(context, request);
        const status = request.query.get('status');
        const perPage = Math.min(100, Number(request.query.get('per_page') ?? 30) || 30);
        const cursor = Number(request.query.get('cursor') ?? Number.MAX_SAFE_INTEGER);
        const wanted = webhooks
          .list()
          .toReversed()
          .filter((delivery) => delivery.id < cursor)
          .filter((delivery) => status === null || (status === 'success') === isSuccess(delivery));
        const page = wanted.slice(0, perPage);
        const last = page.at(-1);
        const next = new URLSearchParams(request.query);
        next.set('cursor', String(last?.id));
        const link = `<${request.origin}${request.prefix}${request.path}?${next.toString()}>; rel="next"`;
        return {
          status: 200,
          ...(wanted.length > page.length ? { headers: { link } } : {}),
          json: page.map(render),
        };
      },
    },
    {
      method: 'GET',
      pattern: '/app/hook/deliveries/:id',
      handle: (request) => {
        requireApp(context, request);
        const delivery = requireDelivery(request.params['id']);
        return {
          status: 200,
          json: {
            ...render(delivery),
            url: delivery.url,
            request: { headers: delivery.requestHeaders, payload: JSON.parse(delivery.requestBody) },
            response: { headers: delivery.responseHeaders, payload: delivery.responseBody },
          },
        };
      },
    },
    {
      method: 'POST',
      pattern: '/app/hook/deliveries/:id/attempts',
      handle: (request) => {
        requireApp(context, request);
        const delivery = requireDelivery(request.params['id']);
        // The answer does not wait for the receiver; a failure shows in the list of deliveries.
        void webhooks.redeliver(delivery.id).catch(() => undefined);
        return { status: 202, json: {} };
      },
    },
  ];
}

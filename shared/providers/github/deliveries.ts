import { z } from 'zod';
import type { DeliveryReader, FailedDelivery } from '../ports.ts';
import type { GitHubClient } from './github-client.ts';

const Id = z.union([z.number(), z.string()]).transform(String);

const Delivery = z.object({
  /** Larger than 2^53 on github.com. */
  id: Id,
  /** The same for all attempts of one event. */
  guid: z.string(),
  delivered_at: z.string(),
  status_code: z.number(),
  event: z.string(),
  action: z.string().nullish(),
  repository_id: Id.nullish(),
});

type Delivery = z.output<typeof Delivery>;

/**
 * The App's deliveries that were not taken, newest first as GitHub lists them. GitHub repeats none by itself; it
 * remembers them for three days (REST documentation, "GitHub App webhooks").
 */
export function createDeliveryReader(client: GitHubClient): DeliveryReader {
  return {
    async listFailedDeliveries(since) {
      const isOlder = (delivery: Delivery): boolean => Date.parse(delivery.delivered_at) < since;
      const listed = await client.self.list('/app/hook/deliveries', {}, Delivery, {
        isLastPage: (page) => page.some(isOlder),
      });
      const recent = listed.filter((delivery) => !isOlder(delivery));
      const taken = new Set(recent.filter(isTaken).map((delivery) => delivery.guid));
      const failed = new Map<string, Delivery>();
      for (const delivery of recent) {
        if (!taken.has(delivery.guid) && !failed.has(delivery.guid)) failed.set(delivery.guid, delivery);
      }
      return Array.from(failed.values(), toFailed);
    },
    async requestRedelivery(deliveryId) {
      await client.self.write('POST /app/hook/deliveries/{deliveryId}/attempts', { deliveryId }, z.unknown());
    },
  };
}

function isTaken(delivery: Delivery): boolean {
  return delivery.status_code >= 200 && delivery.status_code < 300;
}

function toFailed(delivery: Delivery): FailedDelivery {
  const { action, event, repository_id: repositoryId } = delivery;
  return {
    deliveryId: delivery.id,
    event: typeof action === 'string' ? `${event}.${action}` : event,
    deliveredAt: Date.parse(delivery.delivered_at),
    ...(typeof repositoryId === 'string' ? { repositoryId } : {}),
  };
}

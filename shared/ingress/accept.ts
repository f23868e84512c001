import { isAppError } from '../domain/app-error.ts';
import type { Logger } from '../observability/ports.ts';
import type { WebhookEvent, WebhookHeaders } from '../providers/ports.ts';
import { decide } from './decide.ts';
import type { HandleWebhookDeps, WebhookInstance, WebhookReply } from './ports.ts';

export interface AuthenticatedDelivery {
  readonly instance: string;
  readonly target: WebhookInstance;
  readonly headers: WebhookHeaders;
  /** The raw bytes that were authenticated. */
  readonly body: Uint8Array;
}

const DAY_MS = 86_400_000;

/** Reads, decides and appends an authenticated delivery. @throws whatever `append` throws. */
export async function accept(
  deps: HandleWebhookDeps,
  delivery: AuthenticatedDelivery,
  log: Logger,
): Promise<WebhookReply> {
  const { target, headers, body, instance } = delivery;
  const event = readEvent(delivery);
  if (typeof event === 'string') return ignored(log, undefined, event);
  const decision = decide({
    event,
    repositories: target.repositories,
    ...(target.branches === undefined ? {} : { branches: target.branches }),
    ownAccount: deps.ownAccount?.(instance),
    now: deps.clock.now(),
    retentionMs: deps.retentionDays * DAY_MS,
  });
  if (decision.kind === 'ignore') return ignored(log, event, decision.reason);
  const { pullRequest, job } = decision;
  const deliveryKey = target.source.deliveryKey(headers, body);
  const result = await deps.append({ pr: pullRequest, deliveryKey, job });
  log.info('webhook.accepted', {
    event: event.name,
    reason: result,
    repositoryId: pullRequest.repositoryId,
    number: pullRequest.number,
    jobKind: job.kind,
    jobClass: job.class,
    delivery: deliveryKey.slice(0, 16),
  });
  return {
    status: 202,
    body: { accepted: true, duplicate: result === 'duplicate', event: event.name, job: job.kind },
  };
}

/** The event, or the reason why authenticated bytes are none: the sender is genuine, so it is no error of the route. */
function readEvent({ target, headers, body }: AuthenticatedDelivery): WebhookEvent | string {
  try {
    return target.source.read(headers, body);
  } catch (error) {
    if (isAppError(error, 'rejected')) return error.code;
    throw error;
  }
}

function ignored(log: Logger, event: WebhookEvent | undefined, reason: string): WebhookReply {
  log.info('webhook.ignored', {
    event: event?.name ?? 'unreadable',
    reason,
    repositoryId: event?.pullRequest?.repositoryId,
    number: event?.pullRequest?.number,
  });
  return { status: 200, body: { accepted: false, reason } };
}

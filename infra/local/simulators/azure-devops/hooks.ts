import { randomUUID } from 'node:crypto';
import type { AzureDevOpsContext } from './context.ts';
import type { SimulatedHookOptions } from './options.ts';
import { isoTime, renderComment, renderPull, renderRepository } from './render.ts';
import type { SimPull } from './state.ts';
import { guidOf } from './state.ts';

export const HOOK_EVENTS = {
  created: 'git.pullrequest.created',
  updated: 'git.pullrequest.updated',
  merged: 'git.pullrequest.merged',
  comment: 'ms.vss-code.git-pullrequest-comment-event',
} as const;

export interface HookEvent {
  readonly event: keyof typeof HOOK_EVENTS;
  readonly number: number;
  readonly repository?: string;
  readonly threadId?: number;
  readonly commentId?: number;
  /** Of the comment event; default 2.0. */
  readonly resourceVersion?: '1.0' | '2.0';
}

/** One attempt to deliver a notification, and what came back. */
export interface HookDelivery {
  /** Kept on every attempt, as `subscriptionId` is. */
  readonly notificationId: number;
  readonly eventType: string;
  readonly attempt: number;
  readonly requestBody: string;
  /** 0 when no answer came. */
  readonly statusCode: number;
  readonly responseBody: string;
}

export interface Hooks {
  setTarget(target: SimulatedHookOptions): void;
  isAutomatic(): boolean;
  deliver(event: HookEvent): Promise<HookDelivery>;
  /** Sends the very same bytes again, as the service does by itself after 408, 502, 503 and 504. */
  redeliver(notificationId: number): Promise<HookDelivery>;
  list(): readonly HookDelivery[];
  stop(): void;
}

const TIMEOUT_MS = 20_000;

export function createHooks(
  context: AzureDevOpsContext,
  findPull: (number: number, repository?: string) => SimPull,
  first: SimulatedHookOptions | undefined,
): Hooks {
  const deliveries: HookDelivery[] = [];
  const stopping = new AbortController();
  let target = first;
  let lastId = 0;

  async function send(
    notification: Pick<HookDelivery, 'notificationId' | 'eventType' | 'requestBody'>,
  ): Promise<HookDelivery> {
    if (target === undefined) throw new Error('the simulator has no service hook to deliver to');
    const { notificationId } = notification;
    const earlier = deliveries.filter((delivery) => delivery.notificationId === notificationId);
    let answer = { statusCode: 0, responseBody: '' };
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'VSServices/19.262.36109.2 (w3wp.exe) (Service-Hooks)',
          authorization: `Basic ${Buffer.from(`${target.user}:${target.password}`).toString('base64')}`,
          ...target.headers,
        },
        body: notification.requestBody,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      answer = { statusCode: response.status, responseBody: await response.text() };
    } catch {
      // No answer came; the delivery says so by its status of 0.
    }
    const delivery = { ...notification, ...answer, attempt: earlier.length + 1 };
    deliveries.push(delivery);
    return delivery;
  }

  return {
    setTarget(next) {
      target = next;
    },
    isAutomatic: () => target?.automatic === true,
    async deliver(event) {
      lastId += 1;
      const payload = await buildPayload(context, findPull(event.number, event.repository), event);
      const eventType = HOOK_EVENTS[event.event];
      const requestBody = JSON.stringify({
        subscriptionId: guidOf(`subscription ${eventType}`),
        notificationId: lastId,
        id: randomUUID(),
        eventType,
        publisherId: 'tfs',
        ...payload,
        createdDate: isoTime(context.state.now()),
      });
      return send({ notificationId: lastId, eventType, requestBody });
    },
    redeliver(notificationId) {
      const known = deliveries.find((delivery) => delivery.notificationId === notificationId);
      if (known === undefined)
        return Promise.reject(new Error(`the simulator has no notification ${notificationId}`));
      return send(known);
    },
    list: () => [...deliveries],
    stop: () => stopping.abort(),
  };
}

async function buildPayload(
  context: AzureDevOpsContext,
  pull: SimPull,
  event: HookEvent,
): Promise<Record<string, unknown>> {
  const base = context.baseUrl();
  const containers = {
    collection: { id: guidOf('collection'), baseUrl: `${base}/` },
    project: { id: pull.repository.project.id, baseUrl: `${base}/` },
  };
  const common = {
    message: { text: `Pull request ${pull.number}` },
    detailedMessage: { text: `Pull request ${pull.number}` },
    resourceContainers: containers,
  };
  if (event.event !== 'comment')
    return { ...common, resource: await renderPull(pull, base), resourceVersion: '1.0' };
  const thread = pull.threads.find((candidate) => candidate.id === event.threadId);
  const comment = thread?.comments.find((candidate) => candidate.id === (event.commentId ?? 1));
  if (thread === undefined || comment === undefined)
    throw new Error(`the simulator has no comment ${event.threadId ?? ''}-${event.commentId ?? 1}`);
  const url = `${base}/_apis/git/repositories/${pull.repository.id}/pullRequests/${pull.number}`;
  if (event.resourceVersion === '1.0')
    return { ...common, resource: renderComment(comment), resourceVersion: '1.0' };
  const links = {
    self: { href: `${url}/threads/${thread.id}/comments/${comment.id}` },
    repository: { href: renderRepository(pull.repository, base)['url'] },
    threads: { href: `${url}/threads/${thread.id}` },
    pullRequests: { href: url },
  };
  return {
    ...common,
    resource: {
      comment: { ...renderComment(comment), _links: links },
      pullRequest: await renderPull(pull, base),
    },
    resourceVersion: '2.0',
  };
}

import { randomUUID } from 'node:crypto';
import type { GitHubContext } from '../context.ts';
import type { SimulatedWebhookOptions } from '../options.ts';
import { createUrls } from '../rest/urls.ts';
import type { WebhookEvent } from './payloads.ts';
import { buildPayload } from './payloads.ts';
import { signature1, signature256 } from './sign.ts';

/** One attempt to deliver an event, and what came back. */
export interface WebhookDelivery {
  /** Of this attempt. */
  readonly id: number;
  /** Of the event: `X-GitHub-Delivery`, the same on every attempt. */
  readonly guid: string;
  readonly event: string;
  readonly action: string | undefined;
  readonly isRedelivery: boolean;
  readonly deliveredAt: number;
  readonly durationMs: number;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  /** 0 when no answer came. */
  readonly statusCode: number;
  /** `OK`, the status text, or why there was no answer. */
  readonly status: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly repositoryId: number;
  readonly installationId: number | undefined;
}

export interface Webhooks {
  setTarget(target: SimulatedWebhookOptions): void;
  isAutomatic(): boolean;
  /** Sends an event once and waits for the answer; GitHub never retries by itself. */
  deliver(event: WebhookEvent): Promise<WebhookDelivery>;
  /** Sends the very same bytes and headers again. */
  redeliver(id: number): Promise<WebhookDelivery>;
  list(): readonly WebhookDelivery[];
  find(id: number): WebhookDelivery | undefined;
  stop(): void;
}

/** github.com gives up after ten seconds. */
const TIMEOUT_MS = 10_000;

type Outgoing = Pick<
  WebhookDelivery,
  'guid' | 'event' | 'action' | 'url' | 'requestHeaders' | 'requestBody' | 'repositoryId' | 'installationId'
>;

export function createWebhooks(context: GitHubContext, origin: () => string): Webhooks {
  const { state } = context;
  const deliveries: WebhookDelivery[] = [];
  const stopping = new AbortController();
  let target = context.options.webhook;

  async function send(outgoing: Outgoing, isRedelivery: boolean): Promise<WebhookDelivery> {
    const startedAt = state.now();
    const started = performance.now();
    let answer: Pick<WebhookDelivery, 'statusCode' | 'status' | 'responseHeaders' | 'responseBody'>;
    try {
      const response = await fetch(outgoing.url, {
        method: 'POST',
        headers: outgoing.requestHeaders,
        body: outgoing.requestBody,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      answer = {
        statusCode: response.status,
        status: response.ok ? 'OK' : response.statusText || 'Invalid HTTP Response',
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: await response.text(),
      };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      answer = {
        statusCode: 0,
        status: isTimeout ? 'timed out' : 'failed to connect to host',
        responseHeaders: {},
        responseBody: '',
      };
    }
    const delivery: WebhookDelivery = {
      ...outgoing,
      ...answer,
      id: state.ids.next(),
      isRedelivery,
      deliveredAt: startedAt,
      durationMs: performance.now() - started,
    };
    deliveries.push(delivery);
    return delivery;
  }
  function headersFor(
    event: string,
    guid: string,
    body: string,
    repositoryId: number,
  ): Record<string, string> {
    const [secret] = target?.secrets ?? [];
    return {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/0d1c2b3',
      'x-github-delivery': guid,
      'x-github-event': event,
      'x-github-hook-id': '480001',
      'x-github-hook-installation-target-id': String(state.app?.id ?? repositoryId),
      'x-github-hook-installation-target-type': state.app === undefined ? 'repository' : 'integration',
      ...(target?.enterprise === true
        ? { 'x-github-enterprise-host': new URL(origin()).host, 'x-github-enterprise-version': '3.19.0' }
        : {}),
      // A hook without a secret is not signed at all.
      ...(secret === undefined
        ? {}
        : {
            'x-hub-signature': signature1(secret, body),
            'x-hub-signature-256': signature256(secret, body),
          }),
    };
  }
  return {
    setTarget(next) {
      target = next;
    },
    isAutomatic: () => target?.automatic === true,
    async deliver(event) {
      if (target === undefined) throw new Error('the simulator has no webhook to deliver to');
      const api = target.enterprise === true ? `${origin()}/api/v3` : origin();
      const { payload, repository } = await buildPayload(event, context, createUrls(api, origin()));
      const requestBody = JSON.stringify(payload);
      const guid = randomUUID();
      return send(
        {
          guid,
          event: event.event,
          action: event.action,
          url: target.url,
          requestHeaders: headersFor(event.event, guid, requestBody, repository.id),
          requestBody,
          repositoryId: repository.id,
          installationId: repository.installationId,
        },
        false,
      );
    },
    redeliver(id) {
      const first = deliveries.find((delivery) => delivery.id === id);
      if (first === undefined) return Promise.reject(new Error(`the simulator has no delivery ${id}`));
      return send(first, true);
    },
    list: () => [...deliveries],
    find: (id) => deliveries.find((delivery) => delivery.id === id),
    stop: () => stopping.abort(),
  };
}

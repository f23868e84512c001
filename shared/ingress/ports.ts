import type { Account } from '../domain/pull-request.ts';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../observability/ports.ts';
import type { WebhookHeaders, WebhookSource } from '../providers/ports.ts';
import type { AcceptedJob } from '../sessions/append.ts';
import type { RequestBody } from './read-body.ts';

/** One instance as ingress sees it. */
export interface WebhookInstance {
  readonly source: WebhookSource;
  /** Covered repositories, globs over the full name. */
  readonly repositories: readonly string[];
  /** Covered target branches, globs; absent = all. */
  readonly branches?: readonly string[];
}

export interface HandleWebhookDeps {
  /** Undefined for an instance that is not configured. */
  findInstance(id: string): Promise<WebhookInstance | undefined>;
  /** Makes the job durable. @throws whatever storage throws; the event is then answered 503. */
  append(job: AcceptedJob): Promise<'appended' | 'duplicate'>;
  /** Who we are on an instance, when it is known already; no call is made to find out. */
  ownAccount?(instance: string): Account | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly retentionDays: number;
  /** Default 25 MiB. */
  readonly maxBytes?: number;
}

export interface WebhookRequest {
  /** From the route. */
  readonly instance: string;
  readonly headers: WebhookHeaders;
  readonly body: RequestBody;
}

export interface WebhookReply {
  readonly status: 200 | 202 | 400 | 401 | 404 | 413 | 503;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Refusals say no more than their status does. */
  readonly body: Readonly<Record<string, string | boolean>>;
}

import { isAppError } from '../domain/app-error.ts';
import type { Logger } from '../observability/ports.ts';
import { accept } from './accept.ts';
import type { HandleWebhookDeps, WebhookReply, WebhookRequest } from './ports.ts';
import { MAX_WEBHOOK_BYTES, readBody } from './read-body.ts';

/** Seconds after which a sender may try again while storage is down. */
const RETRY_AFTER_SECONDS = '30';

/**
 * Answers one delivery: raw bytes, authenticate, then parse, decide, append. 2xx only after the job is durable or
 * the event was ignored with a reason; storage trouble and bugs answer 503, since providers disable hooks that
 * answer 500. Every decision is one log line with a reason code.
 */
export async function handleWebhook(deps: HandleWebhookDeps, request: WebhookRequest): Promise<WebhookReply> {
  const log = deps.log.child({ instance: request.instance.slice(0, 60) });
  try {
    const instance = await deps.findInstance(request.instance);
    if (instance === undefined || !instance.source.isConfigured) {
      return refuse(log, 404, instance === undefined ? 'unknown_instance' : 'no_secret');
    }
    const body = await readBody(
      request.body,
      deps.maxBytes ?? MAX_WEBHOOK_BYTES,
      request.headers['content-length'],
    );
    if (!instance.source.authenticate(request.headers, body)) return refuse(log, 401, 'bad_signature');
    return await accept(deps, { ...request, body, target: instance }, log);
  } catch (error) {
    if (isAppError(error, 'rejected') && error.code === 'payload_too_large')
      return refuse(log, 413, error.code);
    if (isAppError(error, 'rejected') && error.code === 'body_incomplete')
      return refuse(log, 400, error.code);
    const code = isAppError(error) ? error.code : 'bug';
    log.error('webhook.failed', { reason: code, error });
    return {
      status: 503,
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      body: { accepted: false, reason: 'unavailable' },
    };
  }
}

const REFUSALS = {
  400: 'bad_request',
  401: 'unauthorized',
  404: 'not_found',
  413: 'payload_too_large',
} as const;

/** The reason goes to the log alone: an outsider learns the status and nothing else. */
function refuse(log: Logger, status: keyof typeof REFUSALS, reason: string): WebhookReply {
  log.warn('webhook.refused', { status, reason });
  return { status, body: { accepted: false, reason: REFUSALS[status] } };
}

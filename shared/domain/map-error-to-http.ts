import { isAppError } from './app-error.ts';

/** What an HTTP edge answers: generic text only, never an exception's. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string };
}

/** Seconds a caller should wait when we do not know better. */
const DEFAULT_RETRY_SECONDS = 30;

/** Codes whose status a caller can act on; every other rejection is a plain 400. */
const REJECTED_STATUS: ReadonlyMap<string, number> = new Map([
  ['unauthenticated', 401],
  ['not_found', 404],
  ['method_not_allowed', 405],
  ['payload_too_large', 413],
  ['unsupported_media_type', 415],
]);

/**
 * Errors on webhook routes. Never 500: providers disable hooks for it (Azure DevOps puts a subscription on
 * probation for any status but 408, 502, 503 and 504).
 */
export function mapErrorToWebhookAnswer(error: unknown): HttpAnswer {
  if (!isAppError(error)) return unavailable(undefined);
  switch (error.kind) {
    case 'rejected':
      return rejected(error.code);
    case 'denied':
      return answer(403, 'forbidden');
    case 'stale':
      return answer(202, 'ignored');
    case 'transient':
    case 'permanent':
      return unavailable(error.retryAfterMs);
  }
}

/** Errors on the other routes. */
export function mapErrorToHttpAnswer(error: unknown): HttpAnswer {
  if (!isAppError(error)) return answer(500, 'internal_error');
  switch (error.kind) {
    case 'rejected':
      return rejected(error.code);
    case 'denied':
      return answer(403, 'forbidden');
    case 'stale':
      return answer(202, 'ignored');
    case 'transient':
      return unavailable(error.retryAfterMs);
    case 'permanent':
      return answer(500, 'internal_error');
  }
}

function rejected(code: string): HttpAnswer {
  const status = REJECTED_STATUS.get(code);
  return status === undefined ? answer(400, 'bad_request') : answer(status, code);
}

function unavailable(retryAfterMs: number | undefined): HttpAnswer {
  const seconds = retryAfterMs === undefined ? DEFAULT_RETRY_SECONDS : Math.ceil(retryAfterMs / 1000);
  return answer(503, 'unavailable', { 'retry-after': String(Math.max(1, seconds)) });
}

function answer(status: number, error: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: { error } };
}

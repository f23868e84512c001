import { AppError } from '../domain/app-error.ts';
import type { AppErrorKind } from '../domain/app-error.ts';

/** What a failed call tells, already apart from the vendor's classes. Never the body: it may echo the prompt. */
export interface ModelFailure {
  readonly status: number | undefined;
  /** The API's `error.type`. */
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  readonly headers: Headers | undefined;
}

interface Meaning {
  readonly kind: AppErrorKind;
  readonly code: string;
  readonly message: string;
}

const RATE_LIMITED: Meaning = {
  kind: 'transient',
  code: 'model_rate_limited',
  message: 'The model service limits the rate of requests; the call will be tried again.',
};
const OVERLOADED: Meaning = {
  kind: 'transient',
  code: 'model_overloaded',
  message: 'The model service is overloaded; the call will be tried again.',
};
const UNAVAILABLE: Meaning = {
  kind: 'transient',
  code: 'model_unavailable',
  message: 'The model service failed; the call will be tried again.',
};
const CREDENTIALS: Meaning = {
  kind: 'permanent',
  code: 'model_credentials',
  message: 'The model service refused the key. Check ANTHROPIC_API_KEY.',
};
const BILLING: Meaning = {
  kind: 'permanent',
  code: 'model_billing',
  message: 'The model service refused the call for a billing reason. Check the account behind the key.',
};
const PERMISSION: Meaning = {
  kind: 'permanent',
  code: 'model_permission',
  message: 'The key may not use this model or feature. Check the key and the MODEL_ settings.',
};
const NOT_FOUND: Meaning = {
  kind: 'permanent',
  code: 'model_not_found',
  message:
    'The model service does not know the model or address. Check MODEL_ settings and ANTHROPIC_BASE_URL.',
};
const TOO_LARGE: Meaning = {
  kind: 'permanent',
  code: 'model_request_too_large',
  message: 'The request was larger than the model service accepts.',
};
const INVALID: Meaning = {
  kind: 'permanent',
  code: 'model_request_invalid',
  message: 'The model service refused the request as invalid.',
};

/** Statuses and types as documented for the Messages API (SDK 1.14.0, error classes). */
const BY_STATUS: Readonly<Record<number, Meaning>> = {
  400: INVALID,
  401: CREDENTIALS,
  402: BILLING,
  403: PERMISSION,
  404: NOT_FOUND,
  408: UNAVAILABLE,
  409: UNAVAILABLE,
  413: TOO_LARGE,
  422: INVALID,
  429: RATE_LIMITED,
  529: OVERLOADED,
};

const BY_TYPE: Readonly<Record<string, Meaning>> = {
  rate_limit_error: RATE_LIMITED,
  overloaded_error: OVERLOADED,
  api_error: UNAVAILABLE,
  timeout_error: UNAVAILABLE,
  authentication_error: CREDENTIALS,
  billing_error: BILLING,
  permission_error: PERMISSION,
  not_found_error: NOT_FOUND,
  request_too_large: TOO_LARGE,
  invalid_request_error: INVALID,
};

/** The longest wait we take over from the service: an absurd retry-after must not park a job for days. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

/** Translates one failed call, once, by status and then type. `now` is epoch ms, for a retry-after that is a date. */
export function translateModelFailure(failure: ModelFailure, now: number): AppError {
  const { status, type } = failure;
  const meaning = (status === undefined ? undefined : byStatus(status)) ?? BY_TYPE[type ?? ''] ?? UNAVAILABLE;
  const retryAfterMs = meaning.kind === 'transient' ? readRetryAfter(failure.headers, now) : undefined;
  return new AppError({
    ...meaning,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    details: { status, type, requestId: failure.requestId },
  });
}

function byStatus(status: number): Meaning | undefined {
  const meaning = BY_STATUS[status];
  if (meaning !== undefined) return meaning;
  if (status >= 500) return UNAVAILABLE;
  return status >= 400 ? INVALID : undefined;
}

/** Milliseconds from retry-after-ms, else retry-after (seconds or a date), at most an hour; undefined when absent. */
function readRetryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  if (milliseconds) return bounded(Number(milliseconds));
  const value = headers?.get('retry-after');
  if (!value) return undefined;
  const seconds = Number(value);
  return bounded(Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000);
}

function bounded(ms: number): number | undefined {
  if (Number.isNaN(ms)) return undefined;
  return Math.min(Math.max(0, Math.ceil(ms)), MAX_RETRY_AFTER_MS);
}

import { AppError, isAppError } from '../../domain/app-error.ts';
import type { ErrorDetails } from '../../domain/app-error.ts';
import { findTransient } from '../http/transient-failures.ts';
import { readWait } from '../http/read-wait.ts';
import { refusalReason } from './refusal-texts.ts';
import { isPrimaryLimit, isSecondaryLimit } from './rate-limits.ts';

export interface TranslationContext {
  readonly instance: string;
  /** Epoch ms. */
  readonly now: number;
}

/** What GitHub said in an error answer; shape of the REST documentation, "Client errors". */
interface ErrorAnswer {
  readonly message: string;
  readonly documentationUrl: string;
  readonly errors: readonly string[];
}

const MAX_TEXT = 300;
const MAX_ERRORS = 20;

/**
 * Translates what an Octokit request throws, once, by status and code. AppErrors pass unchanged. Messages say what
 * to do; what GitHub said goes into `details`, cut, never headers or URLs.
 */
export function translateRequestError(error: unknown, context: TranslationContext): unknown {
  if (isAppError(error)) return error;
  if (!isRequestError(error)) return error;
  if (isAppError(error.cause)) return error.cause;
  const { status } = error;
  const headers = toHeaders(error.response?.headers);
  const answer = readErrorAnswer(error.response?.data);
  const details: ErrorDetails = {
    instance: context.instance,
    status,
    said: answer.message === '' ? undefined : answer.message,
    errors: answer.errors.length === 0 ? undefined : answer.errors,
    ...refusalReason([answer.message, ...answer.errors]),
    requestId: headers.get('x-github-request-id') ?? undefined,
  };
  const limit = { status, headers, message: answer.message, documentationUrl: answer.documentationUrl };
  const providerCode = isSecondaryLimit(limit)
    ? 'secondary_limit'
    : isPrimaryLimit(limit)
      ? 'primary_limit'
      : undefined;
  const passing = findTransient('github', status, providerCode);
  if (passing !== undefined) {
    const wait = readWait(headers, context.now) ?? passing.minWaitMs;
    return new AppError({
      kind: 'transient',
      code: passing.code,
      message: `Instance ${context.instance} answered ${status}; the call will be tried again.`,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      details,
    });
  }
  return new AppError({ ...meaningOf(status, context.instance), details });
}

/** The error of @octokit/request: told by its shape, since the class may be installed more than once. */
export interface RequestFailure extends Error {
  /** 500 with `cause` and without `response` when no answer came. */
  readonly status: number;
  readonly response?: { readonly headers?: unknown; readonly data?: unknown };
}

export function isRequestError(error: unknown): error is RequestFailure {
  return error instanceof Error && error.name === 'HttpError' && 'status' in error;
}

interface Meaning {
  readonly kind: 'permanent' | 'rejected';
  readonly code: string;
  readonly message: string;
}

function meaningOf(status: number, instance: string): Meaning {
  switch (status) {
    case 401:
      return {
        kind: 'permanent',
        code: 'provider_credentials',
        message:
          `GitHub refused the credentials of instance ${instance}. Check GITHUB_APP_ID and ` +
          'GITHUB_APP_PRIVATE_KEY, or GITHUB_TOKEN, and that the clock of this machine is right.',
      };
    case 403:
    case 451:
      return {
        kind: 'permanent',
        code: 'provider_permission',
        message:
          `The credentials of instance ${instance} may not do this. Compare the permissions of the App or ` +
          'token with docs/setup-github.md.',
      };
    case 404:
    case 410:
      return {
        kind: 'permanent',
        code: 'not_found',
        message:
          `GitHub shows no such thing on instance ${instance}. It may be gone, or the App is not installed on ` +
          'the repository, or the token does not reach it.',
      };
    case 413:
    case 422:
      return {
        kind: 'rejected',
        code: 'provider_refused',
        message: 'GitHub refused the request as it stands; see what it said.',
      };
    default:
      return {
        kind: 'permanent',
        code: 'provider_unexpected_status',
        message: `Instance ${instance} answered status ${status}, which is not expected here. Check apiUrl.`,
      };
  }
}

/** Reads GitHub's error body; anything else gives empty texts. `errors` holds strings or objects with a message. */
export function readErrorAnswer(data: unknown): ErrorAnswer {
  if (typeof data !== 'object' || data === null) return { message: '', documentationUrl: '', errors: [] };
  const text = (key: string): string => {
    const value: unknown = Reflect.get(data, key);
    return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
  };
  const errors: unknown = Reflect.get(data, 'errors');
  return {
    message: text('message'),
    documentationUrl: text('documentation_url'),
    errors: Array.isArray(errors) ? errors.slice(0, MAX_ERRORS).map(describeError) : [],
  };
}

function describeError(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_TEXT);
  if (typeof error !== 'object' || error === null) return 'unknown';
  const parts = ['resource', 'field', 'code', 'message']
    .map((key): unknown => Reflect.get(error, key))
    .filter((value) => typeof value === 'string');
  return parts.join(' ').slice(0, MAX_TEXT);
}

/** Octokit keeps headers as a plain record with lower-case names. */
export function toHeaders(record: unknown): Headers {
  const headers = new Headers();
  if (typeof record !== 'object' || record === null) return headers;
  for (const [name, value] of Object.entries(record)) {
    if (typeof value === 'string' || typeof value === 'number') headers.set(name, String(value));
  }
  return headers;
}

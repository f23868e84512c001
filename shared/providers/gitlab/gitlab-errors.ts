import { AppError, isAppError } from '../../domain/app-error.ts';
import type { ErrorDetails } from '../../domain/app-error.ts';
import { readBytes } from '../http/read-answer.ts';
import { readWait } from '../http/read-wait.ts';
import { findTransient } from '../http/transient-failures.ts';

const MAX_TEXT = 300;
const MAX_ERROR_BYTES = 256 * 1024;

/**
 * Translates an answer that is no success, once, by status. What GitLab said goes into `details`, cut; never
 * headers or addresses. A limit answers 429 with the plain text "Retry later".
 */
export async function translateAnswer(response: Response, instance: string, now: number): Promise<AppError> {
  const { status, headers } = response;
  const said = await readSaid(response);
  const details: ErrorDetails = {
    instance,
    status,
    said: said === '' ? undefined : said,
    requestId: headers.get('x-request-id')?.slice(0, 80),
  };
  const passing = findTransient('gitlab', status);
  if (passing === undefined) return new AppError({ ...meaningOf(status, instance), details });
  const wait = readWait(headers, now) ?? passing.minWaitMs;
  return new AppError({
    kind: 'transient',
    code: passing.code,
    message: `Instance ${instance} answered ${status}; the call will be tried again.`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    details,
  });
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
          `GitLab refused the token of instance ${instance}. Check GITLAB_TOKEN: that it is of this instance, was ` +
          'not revoked and has not expired.',
      };
    case 403:
      return {
        kind: 'permanent',
        code: 'provider_permission',
        message:
          `The token of instance ${instance} may not do this. Compare its role and its scope with ` +
          'docs/setup-gitlab.md.',
      };
    case 404:
    case 410:
      return {
        kind: 'permanent',
        code: 'not_found',
        message:
          `GitLab shows no such thing on instance ${instance}. It may be gone, or the token has no access to the ` +
          'project.',
      };
    case 400:
    case 413:
    case 422:
      return {
        kind: 'rejected',
        code: 'provider_refused',
        message: 'GitLab refused the request as it stands; see what it said.',
      };
    default:
      return {
        kind: 'permanent',
        code: 'provider_unexpected_status',
        message: `Instance ${instance} answered status ${status}, which is not expected here. Check apiUrl.`,
      };
  }
}

export function isNotFound(error: unknown): error is AppError {
  return isAppError(error, 'permanent') && error.code === 'not_found';
}

/** True when GitLab refused a request with this status. */
export function isRefused(error: unknown, status: number): error is AppError {
  return isAppError(error) && error.details?.['status'] === status;
}

/** `message` or `error` of the answer: a text, or an object of lists by field. Empty when it has neither. */
async function readSaid(response: Response): Promise<string> {
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return '';
  }
  try {
    const error = (): AppError => new AppError({ kind: 'permanent', code: 'answer_too_large', message: '' });
    const bytes = await readBytes(response.body, { maxBytes: MAX_ERROR_BYTES, error });
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof data !== 'object' || data === null) return '';
    const said: unknown = Reflect.get(data, 'message') ?? Reflect.get(data, 'error') ?? '';
    return (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, MAX_TEXT);
  } catch {
    // The status alone must do.
    return '';
  }
}

export function headMoved(): AppError {
  return new AppError({
    kind: 'stale',
    code: 'head_moved',
    message: 'The merge request got new commits or a new target in the meantime; read it again.',
  });
}

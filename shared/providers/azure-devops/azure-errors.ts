import { AppError } from '../../domain/app-error.ts';
import type { ErrorDetails } from '../../domain/app-error.ts';
import { readBytes } from '../http/read-answer.ts';
import { readWait } from '../http/read-wait.ts';
import { findTransient } from '../http/transient-failures.ts';

const MAX_TEXT = 300;
const MAX_ERROR_BYTES = 256 * 1024;

interface ErrorAnswer {
  readonly message: string;
  /** Name of the exception, e.g. `GitItemNotFoundException`. */
  readonly typeKey: string;
  /** Number at the start of the message, e.g. `TF401174`. */
  readonly code: string | undefined;
}

/**
 * Translates an answer that is no success, once, by status and code. What Azure DevOps said goes into `details`,
 * cut; never headers or addresses.
 */
export async function translateAnswer(response: Response, instance: string, now: number): Promise<AppError> {
  const { status, headers } = response;
  const answer = await readErrorAnswer(response);
  const details: ErrorDetails = {
    instance,
    status,
    said: answer.message === '' ? undefined : answer.message,
    typeKey: answer.typeKey === '' ? undefined : answer.typeKey,
    errorCode: answer.code,
    activityId: headers.get('activityid') ?? undefined,
  };
  const passing = findTransient('azure-devops', status, answer.code);
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
    case 403:
      return {
        kind: 'permanent',
        code: 'provider_permission',
        message:
          `The identity of instance ${instance} may not do this. Compare its permissions and the scopes of its ` +
          'token with docs/setup-azure-devops.md.',
      };
    case 404:
    case 410:
      return {
        kind: 'permanent',
        code: 'not_found',
        message:
          `Azure DevOps shows no such thing on instance ${instance}. It may be gone, or the identity has no ` +
          'access to the project or the repository.',
      };
    case 400:
    case 413:
    case 422:
      return {
        kind: 'rejected',
        code: 'provider_refused',
        message: 'Azure DevOps refused the request as it stands; see what it said.',
      };
    default:
      return {
        kind: 'permanent',
        code: 'provider_unexpected_status',
        message: `Instance ${instance} answered status ${status}, which is not expected here. Check apiUrl.`,
      };
  }
}

/** Azure DevOps did not accept who we are: 401, a sign-in page, or a way to one. */
export function credentialsRefused(instance: string, status: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'provider_credentials',
    message:
      `Azure DevOps refused the credentials of instance ${instance}. Check AZURE_DEVOPS_TOKEN and that it has not ` +
      'expired, or that the managed identity was added to the organization as a user.',
    details: { instance, status },
  });
}

export function isNotFound(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === 'permanent' && error.code === 'not_found';
}

/** Shape of the REST API's errors: `{message, typeKey, ...}`; anything else gives empty texts. */
async function readErrorAnswer(response: Response): Promise<ErrorAnswer> {
  const data = await readErrorJson(response);
  const text = (key: string): string => {
    const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, key) : undefined;
    return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
  };
  const message = text('message');
  return { message, typeKey: text('typeKey'), code: /^(?:TF|VS)\d{4,9}/.exec(message)?.[0] };
}

async function readErrorJson(response: Response): Promise<unknown> {
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return undefined;
  }
  try {
    const error = (): AppError => new AppError({ kind: 'permanent', code: 'answer_too_large', message: '' });
    const bytes = await readBytes(response.body, { maxBytes: MAX_ERROR_BYTES, error });
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The status alone must do.
    return undefined;
  }
}

import { AppError } from '../domain/app-error.ts';
import type { WriteResult } from './ports.ts';

/** Codes of Table and Queue Storage that mean "not deployed", although their status is that of a missing row. */
const MISSING_RESOURCE: ReadonlySet<string> = new Set([
  'TableNotFound',
  'QueueNotFound',
  'ResourceContainerNotFound',
]);

interface StorageFailure {
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** True when nobody can say whether the request was carried out. */
  readonly isUnknown: boolean;
}

/** Reads status and code of an SDK error; undefined for an error that no request caused (a bug). */
export function readFailure(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return { status: undefined, code: error.name, isUnknown: true };
  }
  // Credential errors of @azure/identity carry no answer of the storage service.
  if (error.name === 'CredentialUnavailableError' || error.name === 'AuthenticationError') {
    return { status: 403, code: error.name, isUnknown: false };
  }
  if (error.name !== 'RestError') return undefined;
  const details = property(error, 'details');
  // Tables name the code in the OData error, queues in a header, connection failures on the error itself.
  const code = [
    property(property(details, 'odataError'), 'code'),
    property(details, 'errorCode'),
    property(error, 'code'),
  ].find((value) => typeof value === 'string');
  const statusCode = property(error, 'statusCode');
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  return { status, code, isUnknown: status === undefined || status === 408 || status >= 500 };
}

/**
 * The answer of a write that another request, or our own repeated one, may explain: 404, 409, 412, a time-out,
 * a lost connection or a 5xx. Undefined for every other error: those are thrown.
 */
export function unclearResult(error: unknown): Extract<WriteResult, { kind: 'unclear' }> | undefined {
  const failure = readFailure(error);
  if (failure === undefined || isMissingResource(failure)) return undefined;
  const { status } = failure;
  if (failure.isUnknown || status === 404 || status === 409 || status === 412)
    return { kind: 'unclear', status };
  return undefined;
}

/** True when the row or message was not there (and the table or queue was). */
export function isNotFound(error: unknown): boolean {
  const failure = readFailure(error);
  return failure !== undefined && failure.status === 404 && !isMissingResource(failure);
}

/** Translates an SDK error, by status and code. `what` is the operation, e.g. `table get`; no keys, no values. */
export function storageError(error: unknown, what: string): unknown {
  const failure = readFailure(error);
  if (failure === undefined) return error;
  const { status, code } = failure;
  const details = { operation: what, status, code };
  if (failure.isUnknown || status === 429) {
    return new AppError({
      kind: 'transient',
      code: 'storage_unavailable',
      message: 'Storage did not answer; try again later.',
      details,
      cause: error,
    });
  }
  if (isMissingResource(failure)) {
    return new AppError({
      kind: 'permanent',
      code: 'storage_missing',
      message: 'A table or queue does not exist; deploy the infrastructure.',
      details,
      cause: error,
    });
  }
  if (status === 401 || status === 403) {
    return new AppError({
      kind: 'permanent',
      code: 'storage_denied',
      message: 'Storage refused the identity of the app; check its roles.',
      details,
      cause: error,
    });
  }
  return new AppError({
    kind: 'permanent',
    code: 'storage_refused',
    message: 'Storage refused a request of the app.',
    details,
    cause: error,
  });
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isMissingResource(failure: StorageFailure): boolean {
  return failure.status === 404 && failure.code !== undefined && MISSING_RESOURCE.has(failure.code);
}

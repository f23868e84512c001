import { isAppError, type AppError } from '../domain/app-error.ts';
import type { ToolResult } from './tool-result.ts';

/** A call that came to nothing: a stable code and a text that is safe to show and says what to do. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

export function failedResult(failure: Failure): ToolResult {
  return { ok: false, ...failure };
}

/** Translates what a handler threw. The text of anything but an AppError never reaches the caller. */
export function failureOf(error: unknown): Failure {
  if (!isAppError(error)) return { code: 'internal_error', message: 'The call failed inside Gatehouse.' };
  return withDelay(error, textOf(error));
}

const CANNOT_HERE = 'Gatehouse cannot do this with its present configuration; the operator must look.';

/** A switch without a default: a new kind of error without a text is a type error. */
function textOf(error: AppError): string {
  let text: string;
  switch (error.kind) {
    case 'rejected':
    case 'denied':
      text = error.message;
      break;
    case 'stale':
      text = `${error.message} Read the pull request again.`;
      break;
    case 'transient':
      text = `${error.message} Try again in ${Math.ceil((error.retryAfterMs ?? 30_000) / 1_000)} s.`;
      break;
    case 'permanent':
      // Credentials and configuration are the operator's business; the code alone is shown.
      text = CANNOT_HERE;
  }
  return text;
}

function withDelay(error: AppError, message: string): Failure {
  const { code, retryAfterMs } = error;
  return retryAfterMs === undefined ? { code, message } : { code, message, retryAfterMs };
}

import { isAppError, type AppError } from './app-error.ts';

/** A call that came to nothing: a stable code and a text that is safe to show and says what to do. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

const DEFAULT_RETRY_MS = 30_000;

/** Errors at the edge of tools and MCP. The text of anything but an AppError never reaches the caller. */
export function mapErrorToTool(error: unknown): ToolFailure {
  if (!isAppError(error)) return { code: 'internal_error', message: 'The call failed inside Gatehouse.' };
  switch (error.kind) {
    case 'rejected':
    case 'denied':
      return failure(error, error.message);
    case 'stale':
      return failure(error, `${error.message} Read the pull request again.`);
    case 'transient': {
      const seconds = Math.ceil((error.retryAfterMs ?? DEFAULT_RETRY_MS) / 1000);
      return failure(error, `${error.message} Try again in ${Math.max(1, seconds)} s.`);
    }
    case 'permanent':
      // Credentials and configuration are the operator's business; the code alone is shown.
      return failure(
        error,
        'Gatehouse cannot do this with its present configuration; the operator must look.',
      );
  }
}

function failure({ code, retryAfterMs }: AppError, message: string): ToolFailure {
  return retryAfterMs === undefined ? { code, message } : { code, message, retryAfterMs };
}

/** Closed set of error kinds; each edge (HTTP, queue, tool) maps them with an exhaustive switch. */
export const APP_ERROR_KINDS = ['rejected', 'denied', 'stale', 'transient', 'permanent'] as const;
export type AppErrorKind = (typeof APP_ERROR_KINDS)[number];

/** Values safe to log and to show: ids, names, numbers. Never bodies, prompts or secrets. */
export type ErrorDetails = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface AppErrorInit {
  readonly kind: AppErrorKind;
  /** Stable snake_case string that tests, dashboards and documents may rely on. */
  readonly code: string;
  /** Safe to show to the caller; says what to do next. */
  readonly message: string;
  /** Milliseconds to wait before the same request may be tried again. */
  readonly retryAfterMs?: number;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/**
 * The one error class of the product. Anything else that is thrown is a bug and is treated as such.
 * Adapters translate vendor errors into it once, by status and code.
 */
export class AppError extends Error {
  readonly kind: AppErrorKind;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly details: ErrorDetails | undefined;

  constructor(init: AppErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'AppError';
    this.kind = init.kind;
    this.code = init.code;
    this.retryAfterMs = init.retryAfterMs;
    this.details = init.details;
  }
}

/** True when `error` is an AppError, optionally of one kind. */
export function isAppError(error: unknown, kind?: AppErrorKind): error is AppError {
  return error instanceof AppError && (kind === undefined || error.kind === kind);
}

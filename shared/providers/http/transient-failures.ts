import type { ProviderId } from '../../domain/pull-request.ts';

/** One failure that passes by itself. `providerCode` is the provider's own code, where a status alone does not tell. */
export interface TransientFailure {
  readonly status?: number;
  readonly providerCode?: string;
  /** Our code. */
  readonly code: string;
  /** Wait at least this long when the provider names no time, in ms. */
  readonly minWaitMs?: number;
}

/** GitHub: "wait for at least one minute before retrying" when a limit answers without Retry-After (REST best practices). */
export const LIMIT_WAIT_MS = 60_000;

const SERVER_FAILURES: readonly TransientFailure[] = [
  { status: 408, code: 'provider_failed' },
  { status: 500, code: 'provider_failed' },
  { status: 502, code: 'provider_failed' },
  { status: 503, code: 'provider_failed' },
  { status: 504, code: 'provider_failed' },
];

/** Which status, and which provider code, is worth another try later. Everything else is not. */
export const TRANSIENT_FAILURES: Readonly<Record<ProviderId, readonly TransientFailure[]>> = {
  github: [
    ...SERVER_FAILURES,
    { status: 409, code: 'provider_conflict' },
    { status: 429, code: 'provider_rate_limited', minWaitMs: LIMIT_WAIT_MS },
    { providerCode: 'secondary_limit', code: 'provider_secondary_limit', minWaitMs: LIMIT_WAIT_MS },
    { providerCode: 'primary_limit', code: 'provider_rate_limited', minWaitMs: LIMIT_WAIT_MS },
    // GraphQL answers these inside a 200 (GitHub GraphQL documentation, "Rate limits and query limits").
    { providerCode: 'RATE_LIMITED', code: 'provider_rate_limited', minWaitMs: LIMIT_WAIT_MS },
    { providerCode: 'SERVICE_UNAVAILABLE', code: 'provider_failed' },
    { providerCode: 'graphql_failed', code: 'provider_failed' },
  ],
  'azure-devops': [
    ...SERVER_FAILURES,
    { status: 409, code: 'provider_conflict' },
    { status: 429, code: 'provider_rate_limited', minWaitMs: LIMIT_WAIT_MS },
    // "Request was blocked due to exceeding usage of resource" (Azure DevOps rate limits).
    { providerCode: 'TF400733', code: 'provider_rate_limited', minWaitMs: LIMIT_WAIT_MS },
  ],
  gitlab: [
    ...SERVER_FAILURES,
    { status: 409, code: 'provider_conflict' },
    { status: 429, code: 'provider_rate_limited', minWaitMs: LIMIT_WAIT_MS },
  ],
};

/** The row for a failure; the provider's own code is looked at first. 5xx without a row of its own is transient too. */
export function findTransient(
  provider: ProviderId,
  status: number | undefined,
  providerCode?: string,
): TransientFailure | undefined {
  const rows = TRANSIENT_FAILURES[provider];
  const byCode =
    providerCode === undefined ? undefined : rows.find((row) => row.providerCode === providerCode);
  if (byCode !== undefined || status === undefined) return byCode;
  return (
    rows.find((row) => row.status === status) ??
    (status >= 500 ? { status, code: 'provider_failed' } : undefined)
  );
}

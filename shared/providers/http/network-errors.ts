import { AppError, isAppError } from '../../domain/app-error.ts';

/** Codes of Node's TLS layer for a certificate that is not trusted (Node documentation, "X509 certificate error codes"). */
const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The `code` of an error or of the error that caused it. */
export function errorCode(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code;
    current = current.cause;
  }
  return undefined;
}

/** Translates what `fetch` throws when no answer came, or when it broke off. AppErrors pass unchanged. */
export function translateNetworkError(error: unknown, instance: string): AppError {
  if (isAppError(error)) return error;
  const code = errorCode(error);
  if (code !== undefined && CERTIFICATE_CODES.has(code))
    return new AppError({
      kind: 'permanent',
      code: 'provider_certificate',
      message:
        `The certificate of instance ${instance} is not trusted (${code}). ` +
        'Give the authority that signed it to Node with NODE_EXTRA_CA_CERTS.',
      details: { instance, network: code },
    });
  return new AppError({
    kind: 'transient',
    code: 'provider_unreachable',
    message: `Instance ${instance} did not answer, or broke off; the call will be tried again.`,
    details: { instance, network: code },
  });
}

/** A time-out of ours, for a request that took longer than `timeoutMs`, its body included. */
export function timeoutError(instance: string, timeoutMs: number): AppError {
  return new AppError({
    kind: 'transient',
    code: 'provider_timeout',
    message: `Instance ${instance} did not answer within ${timeoutMs} ms; the call will be tried again.`,
    details: { instance, timeoutMs },
  });
}

import { AppError } from '../domain/app-error.ts';

/**
 * Largest webhook body that is read, in bytes. GitHub never sends a payload over 25 MB and GitLab's default limit
 * is 25 MB; a smaller cap would refuse real events of large pull requests, and a refused event is a lost one.
 */
export const MAX_WEBHOOK_BYTES = 25 * 1024 * 1024;

/** A request body as hosts and tests have it: absent, whole, or arriving in pieces. */
export type RequestBody = AsyncIterable<Uint8Array> | Uint8Array | null | undefined;

/**
 * The raw bytes, exactly as sent. The cap counts what arrives, so a missing or wrong Content-Length (chunked
 * bodies have none) changes nothing; a declared length over the cap is refused before reading.
 * @throws AppError `rejected` payload_too_large, body_incomplete when the sender broke off.
 */
export async function readBody(
  body: RequestBody,
  maxBytes: number,
  declaredLength?: string,
): Promise<Uint8Array> {
  if (Number(declaredLength) > maxBytes) throw tooLarge(maxBytes);
  if (body === null || body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) {
    if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
    return body;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new AppError({
      kind: 'rejected',
      code: 'body_incomplete',
      message: 'The request body broke off before its end.',
      cause: error,
    });
  }
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks, bytes);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'payload_too_large',
    message: `The request body is larger than the ${maxBytes} bytes that are read.`,
    details: { maxBytes },
  });
}

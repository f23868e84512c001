import { AppError } from '../domain/app-error.ts';

/** Of the encoded text: https://learn.microsoft.com/rest/api/storageservices/put-message */
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_DELAY_SECONDS = 7 * 24 * 3600;

/**
 * JSON as base64: the queue trigger decodes it, and no character of a body can break the XML of the service.
 * @throws AppError `permanent` `storage_message_limit` above 64 KiB of encoded text.
 */
export function encodeMessage(body: Readonly<Record<string, unknown>>): string {
  const text = Buffer.from(JSON.stringify(body), 'utf8').toString('base64');
  if (text.length > MAX_MESSAGE_BYTES) {
    throw new AppError({
      kind: 'permanent',
      code: 'storage_message_limit',
      message: 'A queue message is larger than 64 KiB.',
      details: { bytes: text.length },
    });
  }
  return text;
}

/** The reverse of encodeMessage; undefined for text that is no base64 of JSON. */
export function decodeMessage(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Seconds of a delay in milliseconds, rounded up: a message must never be visible early. At most 7 days. */
export function wholeSeconds(delayMs: number): number {
  return Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil(delayMs / 1000)));
}

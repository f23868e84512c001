import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { HostRefusal } from './host-refusal.ts';

/** Kestrel's limit as the host sets it (azure-functions-host 4.1037). */
const DEFAULT_LIMIT_BYTES = 104_857_600;

/** The request body exceeded the host's limit: the answer is 413. */
export class BodyTooLarge extends Error {}

/** Limit in bytes; the host's own setting FUNCTIONS_REQUEST_BODY_SIZE_LIMIT overrides the default. */
export function readBodyLimit(setting: string | undefined): number {
  if (setting === undefined || setting === '') return DEFAULT_LIMIT_BYTES;
  if (!/^\d{1,15}$/.test(setting)) {
    throw new HostRefusal('FUNCTIONS_REQUEST_BODY_SIZE_LIMIT must be a number of bytes');
  }
  return Number(setting);
}

/** The request's body, which fails with BodyTooLarge where it exceeds the limit. */
export function limitBody(request: IncomingMessage, limitBytes: number): Readable {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new BodyTooLarge();
  let seen = 0;
  const limited = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen += chunk.byteLength;
      done(seen > limitBytes ? new BodyTooLarge() : null, chunk);
    },
  });
  // A caller that hangs up in the middle of the body ends it with an error, not with a shorter body.
  request.on('error', (error) => limited.destroy(error));
  return request.pipe(limited);
}

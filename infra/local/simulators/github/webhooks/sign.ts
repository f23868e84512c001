import { createHmac } from 'node:crypto';

/** The value of `X-Hub-Signature-256` over the raw bytes of a body. */
export function signature256(secret: string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** The value of the older `X-Hub-Signature`, which GitHub still sends along. */
export function signature1(secret: string, body: string | Uint8Array): string {
  return `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`;
}

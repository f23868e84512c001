import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookSecret } from '../../config/config.ts';

/** Of `X-Hub-Signature-256`: `sha256=` and 64 hex digits (GitHub documentation, "Validating webhook deliveries"). */
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/**
 * The secrets that signed exactly these bytes. A header of any other shape matches none; every secret is tried
 * always, and digests of one length are compared in constant time.
 */
export function findSigners(
  secrets: readonly WebhookSecret[],
  header: string | undefined,
  rawBody: Uint8Array,
): WebhookSecret[] {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  const given = hex === undefined ? Buffer.alloc(32) : Buffer.from(hex, 'hex');
  const signers = secrets.filter((secret) => {
    const expected = createHmac('sha256', secret.value.reveal()).update(rawBody).digest();
    return timingSafeEqual(expected, given);
  });
  return hex === undefined ? [] : signers;
}

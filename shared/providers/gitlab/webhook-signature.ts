import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookSecret } from '../../config/config.ts';
import type { WebhookHeaders } from '../ports.ts';
import { isEqualInConstantTime } from '../webhooks/constant-time.ts';

/** Standard Webhooks, "Verifying signatures": older and newer deliveries than this are replays. */
const TOLERANCE_MS = 5 * 60_000;
const MAX_SIGNATURES = 20;

/** The key in a signing token: base64 after `whsec_`; undefined for any other text. */
export function readSigningKey(token: string): Buffer | undefined {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(token)?.[1];
  const key = Buffer.from(text ?? '', 'base64');
  return key.length === 0 ? undefined : key;
}

export interface GitLabSecrets {
  readonly signingTokens: readonly WebhookSecret[];
  readonly webhookTokens: readonly WebhookSecret[];
}

/**
 * The secrets that a delivery proves to come from. A delivery with `webhook-signature` must verify by it: the token
 * in clear is never a way around a wrong signature. Every secret is compared, digests in constant time.
 * @param now Epoch ms against which the signed time is held; undefined where that was done before.
 */
export function findSigners(
  secrets: GitLabSecrets,
  headers: WebhookHeaders,
  rawBody: Uint8Array,
  now: number | undefined,
): WebhookSecret[] {
  const signature = headers['webhook-signature'];
  if (signature !== undefined) return signedBy(secrets.signingTokens, signature, headers, rawBody, now);
  const token = headers['x-gitlab-token'] ?? '';
  const matching = secrets.webhookTokens.filter((secret) =>
    isEqualInConstantTime(secret.value.reveal(), token),
  );
  return token === '' ? [] : matching;
}

/** HMAC-SHA256 over `{id}.{timestamp}.{body}`, as `v1,<base64>`, several divided by spaces (Standard Webhooks). */
function signedBy(
  tokens: readonly WebhookSecret[],
  signature: string,
  headers: WebhookHeaders,
  rawBody: Uint8Array,
  now: number | undefined,
): WebhookSecret[] {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const isTimely = now === undefined || Math.abs(now - seconds * 1000) <= TOLERANCE_MS;
  // A dot in the id would let parts of id and time change places under one signature.
  if (!/^[\w-]{1,200}$/.test(id) || Number.isNaN(seconds) || !isTimely) return [];
  const given = signature.split(' ', MAX_SIGNATURES).flatMap((value) => {
    const digest = Buffer.from(/^v1,([A-Za-z0-9+/]{43}=)$/.exec(value)?.[1] ?? '', 'base64');
    return digest.length === 32 ? [digest] : [];
  });
  return tokens.filter((secret) => {
    const key = readSigningKey(secret.value.reveal());
    if (key === undefined) return false;
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
    return given.filter((digest) => timingSafeEqual(digest, expected)).length > 0;
  });
}

import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares two values without telling by its time where they differ. Both are hashed first, so that values of
 * any length are compared as digests of one length.
 */
export function isEqualInConstantTime(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

function sha256(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(value).digest();
}

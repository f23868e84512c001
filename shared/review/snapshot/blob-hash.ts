import { createHash } from 'node:crypto';

/**
 * The hash git gives to a file's bytes: SHA-1 or, in repositories of that object format, SHA-256 over
 * `blob <length>\0` and the bytes. `like` is the provider's hash, whose length tells which.
 * https://git-scm.com/book/en/v2/Git-Internals-Git-Objects
 */
export function gitBlobHash(bytes: Uint8Array, like: string): string {
  return createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** True when the bytes are the blob the provider names. */
export function isBlob(bytes: Uint8Array, sha: string): boolean {
  return gitBlobHash(bytes, sha) === sha.toLowerCase();
}

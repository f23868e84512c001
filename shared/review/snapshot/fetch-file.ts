import { isAppError } from '../../domain/app-error.ts';
import type { PullRequest } from '../../domain/pull-request.ts';
import type { SnapshotSource } from '../../providers/ports.ts';
import { isBlob } from './blob-hash.ts';
import type { ContentStore } from './content-store.ts';
import type { SnapshotLimits } from './snapshot-limits.ts';
import { storeContent } from './unpack-archive.ts';
import type { SnapshotEntry } from './unpack-archive.ts';

export interface FetchFileDeps {
  readonly source: SnapshotSource;
  readonly store: ContentStore;
  readonly limits: SnapshotLimits;
}

/**
 * Asks the provider what a path is at the head and reads it; undefined when the path does not exist there.
 * `expectedSha` is the blob the change list names: other bytes are never taken for it.
 * @throws AppError `transient` when the provider cannot answer now.
 */
export async function fetchFile(
  deps: FetchFileDeps,
  pullRequest: PullRequest,
  path: string,
  expectedSha?: string,
): Promise<SnapshotEntry | undefined> {
  const entry = await deps.source.findEntry(pullRequest.ref, pullRequest.headSha, path);
  if (entry === undefined) return undefined;
  if (entry.kind !== 'file') return unreadable(entry.kind);
  if ((entry.size ?? 0) > deps.limits.maxFileBytes) return unreadable('too_large');
  return fetchBlob(deps, pullRequest, expectedSha ?? entry.sha);
}

/** Reads one raw blob into the store. A blob that is gone or too large is named, not thrown. */
export async function fetchBlob(
  deps: FetchFileDeps,
  pullRequest: PullRequest,
  sha: string,
): Promise<SnapshotEntry> {
  let bytes: Uint8Array;
  try {
    bytes = await deps.source.readBlob(pullRequest.ref, sha, deps.limits.maxFileBytes);
  } catch (error) {
    if (!isAppError(error, 'permanent')) throw error;
    return unreadable(error.code === 'blob_too_large' ? 'too_large' : 'blob_unreadable');
  }
  if (bytes.length > deps.limits.maxFileBytes) return unreadable('too_large');
  if (!isBlob(bytes, sha)) return unreadable('hash_mismatch');
  return storeContent(deps.store, bytes);
}

function unreadable(reason: string): SnapshotEntry {
  return { kind: 'unreadable', reason };
}

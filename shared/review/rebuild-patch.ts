import { AppError, isAppError } from '../domain/app-error.ts';
import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { SnapshotSource } from '../providers/ports.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import { computePatch } from './compute-patch.ts';
import { isBlob } from './snapshot/blob-hash.ts';
import { unreadableContent } from './snapshot/classify-content.ts';
import { SNAPSHOT_LIMITS } from './snapshot/snapshot-limits.ts';

export type RebuiltPatch =
  | { readonly kind: 'patch'; readonly patch: string }
  /** Why there is none; a stable reason code. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The patch of a file that the provider gives none for, from its text at the merge base and at the head. */
export async function rebuildPatch(
  source: SnapshotSource,
  pullRequest: PullRequest,
  snapshot: Snapshot,
  file: ChangedFile,
): Promise<RebuiltPatch> {
  try {
    const [newText, oldText] = await Promise.all([
      snapshot.readText(file.path),
      readBase(source, pullRequest, file),
    ]);
    if (newText === undefined) return { kind: 'unreadable', reason: 'not_at_head' };
    const patch = computePatch(oldText, newText);
    return patch === undefined ? { kind: 'unreadable', reason: 'too_large' } : { kind: 'patch', patch };
  } catch (error) {
    if (!isAppError(error, 'rejected') && !isAppError(error, 'permanent')) throw error;
    return { kind: 'unreadable', reason: error.code === 'blob_too_large' ? 'too_large' : error.code };
  }
}

/** @throws AppError `rejected` with the reason as its code. */
async function readBase(
  source: SnapshotSource,
  pullRequest: PullRequest,
  file: ChangedFile,
): Promise<string> {
  if (file.change === 'added') return '';
  const { ref, mergeBaseSha } = pullRequest;
  const entry = await source.findEntry(ref, mergeBaseSha, file.previousPath ?? file.path);
  if (entry === undefined) throw unreadable('not_at_base');
  if (entry.kind !== 'file') throw unreadable(entry.kind);
  const bytes = await source.readBlob(ref, entry.sha, SNAPSHOT_LIMITS.maxFileBytes);
  if (!isBlob(bytes, entry.sha)) throw unreadable('hash_mismatch');
  const reason = unreadableContent(bytes);
  if (reason !== undefined) throw unreadable(reason);
  return new TextDecoder().decode(bytes);
}

function unreadable(reason: string): AppError {
  return new AppError({
    kind: 'rejected',
    code: reason,
    message: 'The text before the change cannot be read.',
  });
}

import type { ChangedFile } from '../../domain/pull-request.ts';
import { isAppError } from '../../domain/app-error.ts';
import { diffTexts } from '../../diff/diff-texts.ts';
import { formatHunks } from '../../diff/format-hunks.ts';
import type { RepositorySession } from './azure-devops-client.ts';
import type { ChangeEntry } from './change-entries.ts';
import { findEntry, readBlob } from './git-content.ts';

/** Commits that a change is measured between. */
export interface ChangeRange {
  readonly mergeBase: string;
  readonly head: string;
}

/** Larger files get no patch, as with the other providers. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Read for the patches of one pull request; files beyond it get none. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const CONCURRENCY = 6;

/**
 * Azure DevOps has no unified diff, so patches are computed here from the two blobs of each file: bounded in bytes,
 * and in time by `diffTexts`. A file without a patch counts no lines.
 */
export async function computePatches(
  session: RepositorySession,
  entries: readonly ChangeEntry[],
  range: ChangeRange,
): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  const waiting = entries.entries();
  let bytesLeft = MAX_TOTAL_BYTES;
  let hasFailed = false;
  const patch = async (entry: ChangeEntry): Promise<ChangedFile> => {
    const resolved = await withBlobs(session, entry, range);
    const sides = bytesLeft > 0 ? await readSides(session, resolved) : undefined;
    bytesLeft -= (sides?.old?.byteLength ?? 0) + (sides?.new?.byteLength ?? 0);
    return { ...toChangedFile(resolved), ...(sides === undefined ? {} : patchOf(sides)) };
  };
  const work = async (): Promise<void> => {
    try {
      for (const [index, entry] of waiting) {
        if (hasFailed) return;
        files[index] = await patch(entry);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return files;
}

/** The listing may leave a blob's hash out; then what stands at the path tells. */
async function withBlobs(
  session: RepositorySession,
  entry: ChangeEntry,
  { mergeBase, head }: ChangeRange,
): Promise<ChangeEntry> {
  if (entry.isSubmodule) return entry;
  const needsNew = entry.newBlob === undefined && entry.change !== 'deleted';
  const needsOld = entry.oldBlob === undefined && entry.change !== 'added';
  const newer = needsNew ? await findEntry(session, head, entry.path) : undefined;
  const older = needsOld ? await findEntry(session, mergeBase, entry.previousPath ?? entry.path) : undefined;
  return {
    ...entry,
    ...(newer === undefined ? {} : { newBlob: newer.sha, isSubmodule: newer.kind === 'submodule' }),
    ...(older === undefined ? {} : { oldBlob: older.sha }),
  };
}

interface Sides {
  readonly old: Uint8Array | undefined;
  readonly new: Uint8Array | undefined;
}

async function readSides(session: RepositorySession, entry: ChangeEntry): Promise<Sides | undefined> {
  const { oldBlob, newBlob } = entry;
  if (entry.isSubmodule) {
    const line = (commit: string | undefined): Uint8Array | undefined =>
      commit === undefined ? undefined : Buffer.from(`Subproject commit ${commit}\n`);
    return { old: line(oldBlob), new: line(newBlob) };
  }
  if (oldBlob === newBlob) return undefined;
  try {
    return {
      old: oldBlob === undefined ? undefined : await readBlob(session, oldBlob, MAX_FILE_BYTES),
      new: newBlob === undefined ? undefined : await readBlob(session, newBlob, MAX_FILE_BYTES),
    };
  } catch (error) {
    // A blob that is too large, or (a submodule that the listing does not tell apart) none of this repository.
    if (isAppError(error, 'permanent') && ['blob_too_large', 'not_found'].includes(error.code))
      return undefined;
    throw error;
  }
}

function patchOf(sides: Sides): Pick<ChangedFile, 'additions' | 'deletions' | 'patch'> | undefined {
  const diff = diffTexts(sides.old, sides.new);
  if (diff.kind === 'binary' || diff.hunks.length === 0) return undefined;
  return { additions: diff.additions, deletions: diff.deletions, patch: formatHunks(diff.hunks) };
}

function toChangedFile(entry: ChangeEntry): ChangedFile {
  const blobSha = entry.change === 'deleted' ? entry.oldBlob : entry.newBlob;
  return {
    path: entry.path,
    change: entry.change,
    additions: 0,
    deletions: 0,
    ...(blobSha === undefined ? {} : { blobSha }),
    ...(entry.previousPath === undefined ? {} : { previousPath: entry.previousPath }),
  };
}

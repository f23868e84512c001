import { isAppError } from '../../domain/app-error.ts';
import type { RandomSource } from '../../domain/clock.ts';
import type { ChangedFile, PullRequest } from '../../domain/pull-request.ts';
import type { Logger } from '../../observability/ports.ts';
import type { SnapshotSource } from '../../providers/ports.ts';
import type { Snapshot } from '../../providers/snapshot.ts';
import { checkChangedFiles } from './check-changed-files.ts';
import { openContentStore } from './content-store.ts';
import type { ContentStore } from './content-store.ts';
import { createStoredSnapshot } from './stored-snapshot.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';
import { SNAPSHOT_LIMITS } from './snapshot-limits.ts';
import type { SnapshotLimits } from './snapshot-limits.ts';
import { unpackArchive } from './unpack-archive.ts';
import type { ArchiveRefusal, UnpackedArchive } from './unpack-archive.ts';

export interface SnapshotDeps {
  readonly source: SnapshotSource;
  /** One for the whole process. */
  readonly budget: SnapshotBudget;
  /** Existing directory for temporary files. */
  readonly directory: string;
  readonly random: RandomSource;
  readonly log: Logger;
  readonly limits?: SnapshotLimits;
}

/** A snapshot that frees its disk when disposed. */
export interface OpenedSnapshot extends Snapshot, AsyncDisposable {
  /** Set when the archive was given up: only changed files and files asked for one by one are there. */
  readonly refusal: ArchiveRefusal | undefined;
}

/**
 * The head commit of a pull request, readable and nothing else. The archive is unpacked within the limits; one
 * that breaks them is given up and files are read one by one through the provider; a download that broke in the
 * middle is tried once more first.
 * @throws AppError `transient` when provider or disk cannot serve now, and the signal's reason when it aborts.
 */
export async function openSnapshot(
  deps: SnapshotDeps,
  pullRequest: PullRequest,
  changedFiles: readonly ChangedFile[],
  signal: AbortSignal,
): Promise<OpenedSnapshot> {
  const limits = deps.limits ?? SNAPSHOT_LIMITS;
  const wanted = new Map(
    changedFiles.flatMap(({ path, blobSha }) => (blobSha === undefined ? [] : [[path, blobSha] as const])),
  );
  let refusal: ArchiveRefusal | undefined;
  // Every try starts with an empty store: what was unpacked before a refusal is not the commit.
  for (let tries = 1; ; tries += 1) {
    const store = await openContentStore(deps.directory, `snapshot-${deps.random.hex(12)}`, deps.budget);
    try {
      let archive: UnpackedArchive = { entries: new Map(), hashes: new Map(), refusal };
      if (tries === 1 || (tries === 2 && refusal === 'archive_unreadable')) {
        archive = await readArchive(deps.source, pullRequest, store, wanted, limits, signal);
        refusal = archive.refusal;
        if (refusal !== undefined) {
          deps.log.warn('snapshot.archiveRefused', { reason: refusal, tries });
          await store[Symbol.asyncDispose]();
          continue;
        }
      }
      const fetching = { source: deps.source, store, limits };
      await checkChangedFiles(fetching, pullRequest, changedFiles, archive, signal);
      return createStoredSnapshot(fetching, pullRequest, archive);
    } catch (error) {
      await store[Symbol.asyncDispose]();
      throw error;
    }
  }
}

/** A provider that serves no archive still serves files, so only what may pass by itself is thrown. */
async function readArchive(
  source: SnapshotSource,
  pullRequest: PullRequest,
  store: ContentStore,
  wanted: ReadonlyMap<string, string>,
  limits: SnapshotLimits,
  signal: AbortSignal,
): Promise<UnpackedArchive> {
  signal.throwIfAborted();
  try {
    const stream = await source.openArchive(pullRequest.ref, pullRequest.headSha, signal);
    return await unpackArchive(stream, store, wanted, limits, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error, 'permanent')) throw error;
    return { entries: new Map(), hashes: new Map(), refusal: 'archive_unreadable' };
  }
}

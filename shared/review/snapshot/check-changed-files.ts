import type { ChangedFile, PullRequest } from '../../domain/pull-request.ts';
import { fetchBlob, fetchFile } from './fetch-file.ts';
import type { FetchFileDeps } from './fetch-file.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { UnpackedArchive } from './unpack-archive.ts';

const CONCURRENCY = 6;

/**
 * Makes every changed file in `archive.entries` the very blob the provider names. A pull request controls its
 * own archive (export-ignore, line endings, keyword expansion), so a file that is missing there is asked for and
 * one with another hash is replaced by the raw blob.
 */
export async function checkChangedFiles(
  deps: FetchFileDeps,
  pullRequest: PullRequest,
  changedFiles: readonly ChangedFile[],
  archive: UnpackedArchive,
  signal: AbortSignal,
): Promise<void> {
  const present = changedFiles.filter((file) => file.change !== 'deleted');
  await mapConcurrently(present, CONCURRENCY, signal, async ({ path, blobSha }) => {
    const entry = archive.entries.get(path);
    const hash = archive.hashes.get(path);
    if (entry !== undefined && blobSha !== undefined && hash === blobSha.toLowerCase()) return;
    // Links, special and over-large files of the archive have no hash; what they are does not hang on one.
    if (entry?.kind === 'unreadable' && hash === undefined) return;
    const fetched =
      entry !== undefined && blobSha !== undefined
        ? await fetchBlob(deps, pullRequest, blobSha)
        : await fetchFile(deps, pullRequest, path, blobSha);
    archive.entries.set(path, fetched ?? { kind: 'unreadable', reason: 'not_at_head' });
  });
}

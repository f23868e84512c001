import { AppError } from '../../domain/app-error.ts';
import type { PullRequest } from '../../domain/pull-request.ts';
import { isSafePath } from './archive-path.ts';
import { fetchFile } from './fetch-file.ts';
import type { FetchFileDeps } from './fetch-file.ts';
import type { OpenedSnapshot } from './open-snapshot.ts';
import type { SnapshotEntry, UnpackedArchive } from './unpack-archive.ts';

/** The snapshot over a store that holds `archive.entries`; owns the store and closes it when disposed. */
export function createStoredSnapshot(
  fetching: FetchFileDeps,
  pullRequest: PullRequest,
  archive: UnpackedArchive,
): OpenedSnapshot {
  const { entries } = archive;
  const files: string[] = [];
  const unreadable: { what: string; reason: string }[] = [];
  for (const [path, entry] of entries) {
    if (entry.kind === 'text') files.push(path);
    else unreadable.push({ what: path, reason: entry.reason });
  }
  files.sort(byCodeUnit);
  unreadable.sort((left, right) => byCodeUnit(left.what, right.what));

  const lookups = new Map<string, Promise<SnapshotEntry | undefined>>();
  const lookUp = (path: string) => {
    const known = lookups.get(path);
    if (known !== undefined) return known;
    // Bounded: a model must not turn one review into a crawl of the provider.
    if (lookups.size >= fetching.limits.maxLookups) {
      throw new AppError({
        kind: 'rejected',
        code: 'lookup_limit',
        message: 'Too many files that are not in the snapshot were asked for; read the listed files instead.',
      });
    }
    const lookup = fetchFile(fetching, pullRequest, path);
    lookups.set(path, lookup);
    // A failure is not an answer: the next call asks again.
    lookup.catch(() => lookups.delete(path));
    return lookup;
  };

  return {
    commit: pullRequest.headSha,
    refusal: archive.refusal,
    unreadable,
    listFiles: () => files,
    async readText(path) {
      if (!isSafePath(path)) return undefined;
      const entry = entries.get(path) ?? (await lookUp(path));
      if (entry === undefined) return undefined;
      if (entry.kind === 'unreadable') throw unreadableFile(entry.reason);
      return new TextDecoder().decode(await fetching.store.read(entry.content));
    },
    [Symbol.asyncDispose]: () => fetching.store[Symbol.asyncDispose](),
  };
}

function unreadableFile(reason: string): AppError {
  return new AppError({
    kind: 'rejected',
    code: reason,
    message: `This path exists but cannot be read as text (${reason.replaceAll('_', ' ')}).`,
  });
}

function byCodeUnit(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

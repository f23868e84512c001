import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { Thread } from '../domain/thread.ts';
import type { Provider } from '../providers/ports.ts';
import { excludedByPath } from './classify-path.ts';
import { classifyFiles } from './classify-files.ts';
import type { ClassifiedFiles } from './classify-files.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import type { OpenedSnapshot, SnapshotDeps } from './snapshot/open-snapshot.ts';

/** All that a review reads from the provider; each resource once. */
export interface Gathered extends ClassifiedFiles, AsyncDisposable {
  readonly pullRequest: PullRequest;
  /** As the provider lists them. */
  readonly changedFiles: readonly ChangedFile[];
  readonly threads: readonly Thread[];
  readonly snapshot: OpenedSnapshot;
}

/** Reads the change, what was said about it and the head commit. Dispose it to free the disk. */
export async function gather(
  provider: Provider,
  snapshots: Omit<SnapshotDeps, 'source'>,
  pullRequest: PullRequest,
  signal: AbortSignal,
): Promise<Gathered> {
  const source = provider.snapshots;
  const [changedFiles, threads] = await Promise.all([
    provider.pullRequests.listChangedFiles(pullRequest),
    provider.threads.listThreads(pullRequest.ref),
  ]);
  signal.throwIfAborted();
  // Nothing is fetched for a file that its name already leaves out, or that is gone.
  const wanted = changedFiles.filter(
    ({ path, change }) => change !== 'deleted' && excludedByPath(path) === undefined,
  );
  const snapshot =
    wanted.length === 0
      ? emptySnapshot(pullRequest.headSha)
      : await openSnapshot({ ...snapshots, source }, pullRequest, wanted, signal);
  try {
    const classified = await classifyFiles(source, pullRequest, changedFiles, snapshot, signal);
    const dispose = () => snapshot[Symbol.asyncDispose]();
    return { ...classified, pullRequest, changedFiles, threads, snapshot, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await snapshot[Symbol.asyncDispose]();
    throw error;
  }
}

/** For a change without anything to read. */
function emptySnapshot(commit: string): OpenedSnapshot {
  return {
    commit,
    refusal: undefined,
    unreadable: [],
    listFiles: () => [],
    readText: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

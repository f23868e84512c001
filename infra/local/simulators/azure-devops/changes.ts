import type { GitChangedFile } from '../git/changed-files.ts';
import type { SimIteration, SimPull } from './state.ts';

/** One entry of a listing of changes; paths begin with a slash. */
export interface SimChange {
  readonly changeTrackingId: number;
  readonly changeId: number;
  readonly item: Readonly<Record<string, unknown>>;
  readonly originalPath?: string;
  readonly changeType: string;
}

const ZEROS = /^0+$/;

/** What differs between an iteration's head and its merge base, or the head of an earlier iteration. */
export async function listChanges(
  pull: SimPull,
  iteration: SimIteration,
  compareTo: number,
): Promise<SimChange[]> {
  const from = pull.iterations.find((candidate) => candidate.id === compareTo)?.head ?? iteration.common;
  const files = await pull.repository.git.changedFiles(from, iteration.head);
  const entries = files.flatMap((file) => {
    const entry = { ...toEntry(file), changeTrackingId: trackingIdOf(pull, file) };
    return file.change === 'renamed' ? [entry, sourceOf(file, entry.changeTrackingId)] : [entry];
  });
  return entries.map((entry, index) => ({ ...entry, changeId: index + 1 }));
}

/** The number a file keeps while the pull request lives. */
export function trackingIdOf(pull: SimPull, file: Pick<GitChangedFile, 'path' | 'previousPath'>): number {
  const { trackingIds } = pull;
  const known = trackingIds.get(file.path) ?? trackingIds.get(file.previousPath ?? file.path);
  const id = known ?? new Set(trackingIds.values()).size + 1;
  trackingIds.set(file.path, id);
  return id;
}

type Entry = Omit<SimChange, 'changeId' | 'changeTrackingId'>;

function toEntry(file: GitChangedFile): Entry {
  const isSubmodule = file.newMode === '160000' || file.oldMode === '160000';
  const item = {
    ...(ZEROS.test(file.newSha) ? {} : { objectId: file.newSha }),
    ...(ZEROS.test(file.oldSha) ? {} : { originalObjectId: file.oldSha }),
    ...(isSubmodule ? { gitObjectType: 'commit' } : {}),
    path: `/${file.path}`,
  };
  const isEdited = file.newSha !== file.oldSha;
  switch (file.change) {
    case 'added':
    case 'copied':
      return { item, changeType: 'add' };
    case 'removed':
      return { item, changeType: 'delete' };
    case 'renamed':
      return {
        item,
        originalPath: `/${file.previousPath ?? ''}`,
        changeType: isEdited ? 'edit, rename' : 'rename',
      };
    default:
      return { item, changeType: 'edit' };
  }
}

/** A rename is listed at both of its paths. */
function sourceOf(file: GitChangedFile, changeTrackingId: number): Omit<SimChange, 'changeId'> {
  return {
    changeTrackingId,
    item: { originalObjectId: file.oldSha, path: `/${file.previousPath ?? ''}` },
    changeType: 'delete, sourceRename',
  };
}

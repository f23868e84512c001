import type { FileChange } from '../../domain/pull-request.ts';
import type { Change } from './iterations.ts';

/** A changed file as the listing of an iteration names it. Paths have no leading slash. */
export interface ChangeEntry {
  readonly path: string;
  readonly previousPath?: string;
  readonly change: FileChange;
  /** Blob at the head; absent for a deleted file. */
  readonly newBlob?: string;
  /** Blob at the merge base; absent for an added file, and where the provider leaves it out. */
  readonly oldBlob?: string;
  readonly isSubmodule: boolean;
  /** The file's number in this iteration. */
  readonly changeTrackingId?: number;
}

/** The files among the entries: without folders, and without the former place of what was renamed. */
export function toChangeEntries(changes: readonly Change[]): ChangeEntry[] {
  const renamed = new Set(changes.filter(isRenameTarget).map((change) => previousPathOf(change)));
  return changes.flatMap((change) => {
    const isFolder = change.item?.isFolder === true || change.item?.gitObjectType === 'tree';
    const path = withoutSlash(change.item?.path ?? previousPathOf(change) ?? '');
    if (isFolder || path === '') return [];
    const kinds = kindsOf(change);
    if (kinds.has('sourcerename') && renamed.has(`/${path}`)) return [];
    return [toEntry(change, path, kinds)];
  });
}

function toEntry(change: Change, path: string, kinds: ReadonlySet<string>): ChangeEntry {
  const fileChange = fileChangeOf(kinds);
  const previousPath = fileChange === 'renamed' ? withoutSlash(previousPathOf(change) ?? '') : '';
  const { objectId, originalObjectId, gitObjectType } = change.item ?? {};
  const isDeleted = fileChange === 'deleted';
  const newBlob = isDeleted ? undefined : (objectId ?? undefined);
  // Of a deleted file some answers name the blob that was as the blob that is.
  const oldBlob =
    fileChange === 'added' ? undefined : (originalObjectId ?? (isDeleted ? objectId : undefined));
  return {
    path,
    change: fileChange,
    isSubmodule: gitObjectType === 'commit',
    ...(previousPath === '' || previousPath === path ? {} : { previousPath }),
    ...(newBlob === undefined ? {} : { newBlob }),
    ...(oldBlob === undefined || oldBlob === null ? {} : { oldBlob }),
    ...(change.changeTrackingId === undefined ? {} : { changeTrackingId: change.changeTrackingId }),
  };
}

function fileChangeOf(kinds: ReadonlySet<string>): FileChange {
  if (kinds.has('rename') || kinds.has('targetrename')) return 'renamed';
  if (kinds.has('delete')) return 'deleted';
  if (kinds.has('add') || kinds.has('undelete') || kinds.has('branch')) return 'added';
  return 'modified';
}

function kindsOf(change: Change): Set<string> {
  return new Set(change.changeType.split(',').map((kind) => kind.trim().toLowerCase()));
}

function isRenameTarget(change: Change): boolean {
  const kinds = kindsOf(change);
  return kinds.has('rename') || kinds.has('targetrename');
}

function previousPathOf(change: Change): string | undefined {
  return change.originalPath ?? change.sourceServerItem ?? undefined;
}

function withoutSlash(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}

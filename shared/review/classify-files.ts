import { isAppError } from '../domain/app-error.ts';
import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { NotReviewed } from '../domain/run-outcome.ts';
import type { Hunk } from '../diff/file-diff.ts';
import { parseHunks } from '../diff/parse-patch.ts';
import type { SnapshotSource } from '../providers/ports.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import { excludedByPath } from './classify-path.ts';
import { rebuildPatch } from './rebuild-patch.ts';
import type { ReviewFile } from './review-file.ts';
import { readIfPossible } from './snapshot/read-if-possible.ts';
import { mapConcurrently } from './snapshot/map-concurrently.ts';
import { MAX_LINE_CHARACTERS } from './split-units.ts';

/** Reasons that lie in the nature of a file: leaving it out leaves nothing to review behind. */
const NOT_FOR_REVIEW: ReadonlySet<string> = new Set([
  'binary',
  'lfs_pointer',
  'submodule',
  'link',
  'special_file',
  'directory',
  'deleted',
  'unchanged_content',
  'lock_file',
  'vendored',
  'minified',
  'test_snapshot',
  'generated',
]);

export interface ClassifiedFiles {
  /** Files whose diff the passes see, in the provider's order. */
  readonly files: readonly ReviewFile[];
  /** Left out on purpose, each with its reason. */
  readonly excluded: readonly NotReviewed[];
  /** Should have been reviewed and cannot be: the review is partial. */
  readonly missed: readonly NotReviewed[];
}

const CONCURRENCY = 6;

/** Sorts the changed files into those that are reviewed, those that need not be and those that cannot be. */
export async function classifyFiles(
  source: SnapshotSource,
  pullRequest: PullRequest,
  changedFiles: readonly ChangedFile[],
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<ClassifiedFiles> {
  const unreadable = new Map(snapshot.unreadable.map(({ what, reason }) => [what, reason]));
  const results = await mapConcurrently(changedFiles, CONCURRENCY, signal, (file) =>
    classifyFile(source, pullRequest, file, snapshot, unreadable.get(file.path)),
  );
  const left = results.flatMap(({ file, reason }) =>
    reason === undefined ? [] : [{ what: file.path, reason }],
  );
  return {
    files: results.flatMap(({ review }) => (review === undefined ? [] : [review])),
    excluded: left.filter(({ reason }) => NOT_FOR_REVIEW.has(reason)),
    missed: left.filter(({ reason }) => !NOT_FOR_REVIEW.has(reason)),
  };
}

interface Classified {
  readonly file: ChangedFile;
  /** Set when the file, or a part of it, is shown. */
  readonly review?: ReviewFile;
  /** Set when it is not reviewed; a deleted file has both. */
  readonly reason?: string;
}

async function classifyFile(
  source: SnapshotSource,
  pullRequest: PullRequest,
  file: ChangedFile,
  snapshot: Snapshot,
  unreadable: string | undefined,
): Promise<Classified> {
  const byPath = excludedByPath(file.path);
  if (byPath !== undefined) return { file, reason: byPath };
  if (file.change === 'deleted') return classifyDeleted(file);
  if (unreadable !== undefined && NOT_FOR_REVIEW.has(unreadable)) return { file, reason: unreadable };
  const given = wholePatch(file);
  if (given !== undefined)
    return decide(snapshot, { file, hunks: given, isFromProvider: true, mustBeReviewed: true });
  // Without text there is no patch to compute; what the provider gave of one is incomplete.
  if (unreadable !== undefined) return { file, reason: unreadable };
  if (file.patch === undefined && file.additions + file.deletions === 0)
    return { file, reason: 'unchanged_content' };
  const rebuilt = await rebuildPatch(source, pullRequest, snapshot, file);
  if (rebuilt.kind === 'unreadable') return { file, reason: rebuilt.reason };
  const hunks = rebuilt.patch === '' ? [] : parseHunks(rebuilt.patch);
  return decide(snapshot, {
    file: { ...file, patch: rebuilt.patch },
    hunks,
    isFromProvider: false,
    mustBeReviewed: true,
  });
}

function classifyDeleted(file: ChangedFile): Classified {
  const hunks = wholePatch(file) ?? [];
  if (hunks.length === 0) return { file, reason: 'deleted' };
  return { file, reason: 'deleted', review: { file, hunks, isFromProvider: true, mustBeReviewed: false } };
}

async function decide(snapshot: Snapshot, review: ReviewFile): Promise<Classified> {
  const { file, hunks } = review;
  if (hunks.length === 0) return { file, reason: 'unchanged_content' };
  const added = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'));
  if (added.some(({ text }) => text.length > MAX_LINE_CHARACTERS)) return { file, reason: 'minified' };
  const isGenerated = await saysGenerated(snapshot, file.path, new Set(added.map(({ newLine }) => newLine)));
  return isGenerated ? { file, reason: 'generated' } : { file, review };
}

/** The provider's hunks when they are all there: it may cut a long patch, and the counts tell. */
function wholePatch(file: ChangedFile): Hunk[] | undefined {
  if (file.patch === undefined) return undefined;
  let hunks: Hunk[];
  try {
    hunks = parseHunks(file.patch);
  } catch (error) {
    if (isAppError(error, 'rejected')) return undefined;
    throw error;
  }
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const isWhole =
    lines.filter(({ kind }) => kind === 'added').length === file.additions &&
    lines.filter(({ kind }) => kind === 'removed').length === file.deletions;
  return isWhole ? hunks : undefined;
}

const HEADER_LINES = 10;
const GENERATED_HEADER = /@generated\b|Code generated .{0,80}DO NOT EDIT|<auto-?generated\b/i;

/**
 * True when the file's head says that a program wrote it. A line that this very change adds does not count: nobody
 * takes a file out of the review by writing a comment into it.
 */
async function saysGenerated(
  snapshot: Snapshot,
  path: string,
  addedLines: ReadonlySet<number | undefined>,
): Promise<boolean> {
  const text = await readIfPossible(snapshot, path);
  const head = (text ?? '').slice(0, 4_000).split('\n').slice(0, HEADER_LINES);
  return head.some((line, index) => !addedLines.has(index + 1) && GENERATED_HEADER.test(line));
}

import type { ChangedFile } from '../domain/pull-request.ts';
import type { Hunk } from '../diff/file-diff.ts';

/** A changed file whose diff is shown to the passes. */
export interface ReviewFile {
  readonly file: ChangedFile;
  /** Not empty; ascending. */
  readonly hunks: readonly Hunk[];
  /** False when we computed the hunks ourselves because the provider gave none or cut them. */
  readonly isFromProvider: boolean;
  /** False for a deleted file: it is shown, but nothing is missing when it is not reviewed. */
  readonly mustBeReviewed: boolean;
}

/** A part of a file that one unit shows; `hunks` may be pieces of the file's hunks. */
export interface FilePart {
  readonly file: ChangedFile;
  readonly hunks: readonly Hunk[];
}

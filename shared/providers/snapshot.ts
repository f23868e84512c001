import type { NotReviewed } from '../domain/run-outcome.ts';

/** The head commit on disk, read-only. Paths are `/`-separated, relative, without `..`. */
export interface Snapshot {
  readonly commit: string;
  /** Every readable path, sorted by code unit. */
  listFiles(): readonly string[];
  /** UTF-8 text (invalid bytes replaced); undefined when the path is not there. @throws AppError `rejected` for binary or too large files. */
  readText(path: string): Promise<string | undefined>;
  /** Paths that exist but cannot be read (LFS pointer, submodule, link, too large), with the reason. */
  readonly unreadable: readonly NotReviewed[];
}

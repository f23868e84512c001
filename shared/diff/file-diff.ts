/**
 * One line of a hunk. `text` is the line without its diff sign and without its line feed; a carriage return, a
 * form feed or U+2028 is content, because git numbers lines by line feeds alone. Numbers are 1-based.
 */
export type DiffLine = AddedLine | RemovedLine | ContextLine;

interface LineContent {
  readonly text: string;
  /** Set when this is the last line of its file and no line feed ends it. */
  readonly noNewline?: true;
}
export interface AddedLine extends LineContent {
  readonly kind: 'added';
  readonly newLine: number;
  readonly oldLine?: undefined;
}
export interface RemovedLine extends LineContent {
  readonly kind: 'removed';
  readonly oldLine: number;
  readonly newLine?: undefined;
}
export interface ContextLine extends LineContent {
  readonly kind: 'context';
  readonly oldLine: number;
  readonly newLine: number;
}

/**
 * A run of changed lines with its context. A start is the number of the first line of the hunk on that side;
 * on a side without lines it is the number of the line that would come next (the header says one less there).
 */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

/** One file of a whole `git diff`. */
export interface FileDiff {
  /** Path before the change; absent for a new file. */
  readonly oldPath?: string;
  /** Path after the change; absent for a deleted file. */
  readonly newPath?: string;
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied';
  /** Octal file modes as git writes them, e.g. `100755`, where the diff states them. */
  readonly oldMode?: string;
  readonly newMode?: string;
  /** True when git gives a notice or a binary patch instead of hunks. */
  readonly isBinary: boolean;
  /** True for a gitlink (mode 160000); its hunk shows commit hashes, not file content. */
  readonly isSubmodule: boolean;
  /** Ascending and without overlap on both sides; empty for pure renames, mode changes and binary files. */
  readonly hunks: readonly Hunk[];
}

import type { Side } from '../domain/finding.ts';
import type { FileChange } from '../domain/pull-request.ts';
import { codeLines } from './code-lines.ts';
import type { CodeLine } from './code-lines.ts';
import type { Hunk } from './file-diff.ts';
import { createLineMap } from './line-map.ts';
import type { LineMap } from './line-map.ts';

/** What is known about one changed file. Without `hunks` (binary, too large) nothing can stand on a line. */
export interface AnchorableFileInput {
  /** The path comments go to: at the head, at the base for a deleted file. */
  readonly path: string;
  readonly change?: FileChange;
  readonly hunks?: readonly Hunk[];
  /** Whole text at the head and at the merge base, where available; they find evidence outside the hunks. */
  readonly newText?: string;
  readonly oldText?: string;
}

/** A file prepared once, so that many findings on it cost one pass each. */
export interface AnchorableFile extends AnchorableFileInput {
  /** Undefined when the file has no hunks at all. */
  readonly map: LineMap | undefined;
  /** Lines of each hunk on one side, blank ones left out. Computed on first use. */
  hunkCode(side: Side): readonly (readonly CodeLine[])[];
  /** Lines of the whole text on one side, blank ones left out; empty when the text is not known. */
  textCode(side: Side): readonly CodeLine[];
}

/** Prepares a file for anchorFinding and buildSuggestion. */
export function prepareFile(input: AnchorableFileInput): AnchorableFile {
  const hunks = input.hunks ?? [];
  const hunkCache = new Map<Side, readonly (readonly CodeLine[])[]>();
  const textCache = new Map<Side, readonly CodeLine[]>();
  return {
    ...input,
    map: hunks.length === 0 ? undefined : createLineMap(hunks),
    hunkCode: (side) => cached(hunkCache, side, () => hunks.map((hunk) => sideCode(hunk, side))),
    textCode: (side) =>
      cached(textCache, side, () => {
        const text = side === 'new' ? input.newText : input.oldText;
        return text === undefined ? [] : codeLines(text.split('\n'), 1);
      }),
  };
}

function sideCode(hunk: Hunk, side: Side): CodeLine[] {
  const other = side === 'new' ? 'removed' : 'added';
  const texts = hunk.lines.filter((line) => line.kind !== other).map((line) => line.text);
  return codeLines(texts, side === 'new' ? hunk.newStart : hunk.oldStart);
}

function cached<T>(cache: Map<Side, T>, side: Side, compute: () => T): T {
  const known = cache.get(side);
  if (known !== undefined) return known;
  const value = compute();
  cache.set(side, value);
  return value;
}

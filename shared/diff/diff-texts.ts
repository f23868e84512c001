import { diffLineIds } from './diff-line-ids.ts';
import type { Edit } from './diff-line-ids.ts';
import type { DiffLine, Hunk } from './file-diff.ts';
import { internLines, readContent } from './read-content.ts';
import type { Content } from './read-content.ts';

export interface DiffTextsOptions {
  /** Unchanged lines around a change. Default 3, as git. */
  readonly context?: number;
}

export type TextDiff =
  /** A NUL among the first 8,000 bytes of a side makes it binary, as for git. */
  | { readonly kind: 'binary' }
  | {
      readonly kind: 'text';
      readonly hunks: readonly Hunk[];
      readonly additions: number;
      readonly deletions: number;
      /**
       * True when no diff has fewer changed lines. False beyond the bounds: the hunks still turn the old text
       * into the new one, but may replace lines that did not change.
       */
      readonly isMinimal: boolean;
    };

/**
 * The unified diff of two versions of a file, for providers without a diff API and files whose patch is withheld.
 * Bytes are read as UTF-8; lines that differ only in invalid bytes count as different. Undefined stands for a file
 * that does not exist and gives the same hunks as an empty one.
 *
 * Deterministic, and bounded on any input: memory is linear in the texts, and the search for common lines stops
 * after a fixed number of steps (about a second). See diffLineIds for what is given up then.
 */
export function diffTexts(
  oldContent: string | Uint8Array | undefined,
  newContent: string | Uint8Array | undefined,
  options: DiffTextsOptions = {},
): TextDiff {
  const oldSide = readContent(oldContent ?? '');
  const newSide = readContent(newContent ?? '');
  if (oldSide === undefined || newSide === undefined) return { kind: 'binary' };
  const { oldIds, newIds } = internLines(oldSide, newSide);
  const { edits, isMinimal } = diffLineIds(oldIds, newIds);
  return {
    kind: 'text',
    hunks: hunksOf(edits, oldSide, newSide, Math.max(0, options.context ?? 3)),
    additions: edits.reduce((sum, edit) => sum + edit.newEnd - edit.newStart, 0),
    deletions: edits.reduce((sum, edit) => sum + edit.oldEnd - edit.oldStart, 0),
    isMinimal,
  };
}

/** Edits are 0-based and half open; changes whose contexts touch share a hunk. */
function hunksOf(edits: readonly Edit[], oldSide: Content, newSide: Content, context: number): Hunk[] {
  const hunks: Hunk[] = [];
  let group: Edit[] = [];
  for (const [index, edit] of edits.entries()) {
    group.push(edit);
    const next = edits[index + 1];
    if (next !== undefined && next.oldStart - edit.oldEnd <= 2 * context) continue;
    hunks.push(hunkOf(group, oldSide, newSide, context));
    group = [];
  }
  return hunks;
}

function hunkOf(group: readonly Edit[], oldSide: Content, newSide: Content, context: number): Hunk {
  const first = group[0] ?? { oldStart: 0, newStart: 0 };
  const last = group[group.length - 1] ?? { oldEnd: 0 };
  const before = Math.min(context, first.oldStart, first.newStart);
  const oldEnd = Math.min(oldSide.lines.length, last.oldEnd + context);
  const oldStart = first.oldStart - before;
  const newStart = first.newStart - before;
  const lines: DiffLine[] = [];
  let oldAt = oldStart;
  let newAt = newStart;
  const keepUntil = (end: number): void => {
    for (; oldAt < end; oldAt += 1, newAt += 1) {
      lines.push({ kind: 'context', ...lineOf(newSide, newAt), oldLine: oldAt + 1, newLine: newAt + 1 });
    }
  };
  for (const edit of group) {
    keepUntil(edit.oldStart);
    for (; oldAt < edit.oldEnd; oldAt += 1) {
      lines.push({ kind: 'removed', ...lineOf(oldSide, oldAt), oldLine: oldAt + 1 });
    }
    for (; newAt < edit.newEnd; newAt += 1) {
      lines.push({ kind: 'added', ...lineOf(newSide, newAt), newLine: newAt + 1 });
    }
  }
  keepUntil(oldEnd);
  return {
    oldStart: oldStart + 1,
    oldLines: oldAt - oldStart,
    newStart: newStart + 1,
    newLines: newAt - newStart,
    lines,
  };
}

function lineOf(side: Content, index: number): { text: string; noNewline?: true } {
  const text = side.lines[index] ?? '';
  return side.lacksFinalNewline && index === side.lines.length - 1 ? { text, noNewline: true } : { text };
}

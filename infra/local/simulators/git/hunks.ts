/** One hunk of a unified diff. */
export interface Hunk extends HunkRange {
  /** The header line itself, with git's section heading. */
  readonly header: string;
  /** Content lines with their first character (` `, `+`, `-`), no-newline markers left out. */
  readonly lines: readonly string[];
}

/** The numbers of a hunk. Starts are 1-based; an empty side has count 0. */
export interface HunkRange {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The four numbers of a hunk header; undefined for any other line. An omitted count is 1. */
export function parseHunkHeader(line: string): HunkRange | undefined {
  const match = HEADER.exec(line);
  if (match === null) return undefined;
  return {
    oldStart: Number(match[1]),
    oldCount: match[2] === undefined ? 1 : Number(match[2]),
    newStart: Number(match[3]),
    newCount: match[4] === undefined ? 1 : Number(match[4]),
  };
}

/**
 * Parses hunks without file headers, as providers show them. Lines end at line feeds alone: a carriage return,
 * a form feed or U+2028 is content. Hunks are read by their counts, so content cannot pose as a header.
 */
export function parseHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  const rows = patch.split('\n');
  let index = 0;
  while (index < rows.length) {
    const header = rows[index] ?? '';
    const range = parseHunkHeader(header);
    index += 1;
    if (range === undefined) continue;
    const lines: string[] = [];
    let oldLeft = range.oldCount;
    let newLeft = range.newCount;
    while ((oldLeft > 0 || newLeft > 0) && index < rows.length) {
      const row = rows[index] ?? '';
      index += 1;
      if (row.startsWith('\\')) continue;
      if (!row.startsWith('+')) oldLeft -= 1;
      if (!row.startsWith('-')) newLeft -= 1;
      lines.push(row);
    }
    hunks.push({ ...range, header, lines });
  }
  return hunks;
}

/** Where a line of a file stands in its diff. */
export interface DiffLine {
  /** Index of the hunk; lines of one range must share it. */
  readonly hunk: number;
  /** 0-based index in the hunk's lines. */
  readonly index: number;
  /** 1-based count of lines below the first hunk header, later headers included (the old `position`). */
  readonly position: number;
  readonly kind: 'added' | 'removed' | 'context';
}

export interface DiffLines {
  /** By line number in the old file: removed and context lines. */
  readonly old: ReadonlyMap<number, DiffLine>;
  /** By line number in the new file: added and context lines. */
  readonly new: ReadonlyMap<number, DiffLine>;
}

/** Every line of either side that a diff shows. */
export function diffLines(hunks: readonly Hunk[]): DiffLines {
  const oldLines = new Map<number, DiffLine>();
  const newLines = new Map<number, DiffLine>();
  let position = 0;
  hunks.forEach((hunk, hunkIndex) => {
    if (hunkIndex > 0) position += 1;
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    for (const [index, line] of hunk.lines.entries()) {
      position += 1;
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
      const entry: DiffLine = { hunk: hunkIndex, index, position, kind };
      if (kind !== 'added') oldLines.set(oldLine++, entry);
      if (kind !== 'removed') newLines.set(newLine++, entry);
    }
  });
  return { old: oldLines, new: newLines };
}

/** Follows a line of the old file into the new one; undefined when the line was changed or removed. */
export function followLine(hunks: readonly HunkRange[], line: number): number | undefined {
  let shift = 0;
  for (const hunk of hunks) {
    // For a pure insertion oldStart names the line BEFORE it.
    const firstAffected = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    if (line < firstAffected) break;
    if (line < firstAffected + hunk.oldCount) return undefined;
    shift += hunk.newCount - hunk.oldCount;
  }
  return line + shift;
}

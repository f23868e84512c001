import type { DiffLine, Hunk } from './file-diff.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };

/**
 * Hunks as providers write a file's patch: no file headers, no final line feed. parseHunks gives the same hunks
 * back, and git applies the text below `---` and `+++` lines. Empty for no hunks.
 */
export function formatHunks(hunks: readonly Hunk[]): string {
  const lines: string[] = [];
  for (const hunk of hunks) {
    const old = rangeOf(hunk.oldStart, hunk.oldLines);
    lines.push(`@@ -${old} +${rangeOf(hunk.newStart, hunk.newLines)} @@`);
    for (const line of hunk.lines) {
      lines.push(SIGNS[line.kind] + line.text);
      if (line.noNewline) lines.push('\\ No newline at end of file');
    }
  }
  return lines.join('\n');
}

// On an empty side a header names the line before.
function rangeOf(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}

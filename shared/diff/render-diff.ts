import type { DiffLine, Hunk } from './file-diff.ts';

export interface RenderDiffOptions {
  /** Characters (UTF-16 units) the whole text may have, the statement of what was cut included. At least 200. */
  readonly maxChars: number;
  /** Characters of one line's content; a longer line is cut and says so. Default 2,000. */
  readonly maxLineChars?: number;
}

export interface RenderedDiff {
  readonly text: string;
  /** Per hunk, in order: whether all of it, a part of it or nothing of it is in the text. */
  readonly shown: readonly ('all' | 'part' | 'none')[];
  /** Lines of the hunks that the text leaves out; lines shown in part not counted. */
  readonly linesCut: number;
}

const DEFAULT_LINE_CHARS = 2000;
const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };

/**
 * The hunks of a file as a model reads them: sign, old number, new number, text; a line has a number only on the
 * side it exists on.
 *
 *     @@ old 10-11, new 10-11 @@
 *       10  10 | function a() {
 *     - 11     | removed
 *     +     11 | added
 *
 * The content is untrusted; fence the result before it goes into a prompt.
 */
export function renderDiff(hunks: readonly Hunk[], options: RenderDiffOptions): RenderedDiff {
  const maxLine = options.maxLineChars ?? DEFAULT_LINE_CHARS;
  const width = numberWidth(hunks);
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const room = options.maxChars - cutStatement(hunks.length, hunks.length, total).length;
  const output: string[] = [];
  const shown: RenderedDiff['shown'][number][] = [];
  let used = 0;
  let linesShown = 0;
  let isFull = false;

  for (const hunk of hunks) {
    const header = headerOf(hunk);
    let complete = true;
    let linesOfHunk = 0;
    // A header without a line below it would say nothing.
    const rows: string[] = [header];
    let size = header.length + 1;
    for (const line of isFull ? [] : hunk.lines) {
      const row = rowOf(line, width, maxLine);
      if (used + size + row.length + 1 > room) {
        isFull = true;
        break;
      }
      complete &&= line.text.length <= maxLine;
      rows.push(row);
      size += row.length + 1;
      linesOfHunk += 1;
    }
    if (linesOfHunk > 0) {
      output.push(...rows);
      used += size;
      linesShown += linesOfHunk;
    }
    if (linesOfHunk === 0) shown.push('none');
    else shown.push(complete && linesOfHunk === hunk.lines.length ? 'all' : 'part');
  }

  const linesCut = total - linesShown;
  const hunksCut = shown.filter((state) => state === 'none').length;
  if (linesCut > 0) output.push(cutStatement(hunksCut, hunks.length, linesCut));
  return { text: output.join('\n'), shown, linesCut };
}

function headerOf(hunk: Hunk): string {
  const old = rangeOf(hunk.oldStart, hunk.oldLines);
  return `@@ old ${old}, new ${rangeOf(hunk.newStart, hunk.newLines)} @@`;
}

function rangeOf(start: number, lines: number): string {
  if (lines === 0) return 'none';
  return lines === 1 ? `${start}` : `${start}-${start + lines - 1}`;
}

function rowOf(line: DiffLine, width: number, maxLine: number): string {
  const old = String(line.oldLine ?? '').padStart(width);
  const fresh = String(line.newLine ?? '').padStart(width);
  const noNewline = line.noNewline ? ' [no newline at end of file]' : '';
  return `${SIGNS[line.kind]} ${old} ${fresh} | ${cutLine(line.text, maxLine)}${noNewline}`;
}

function cutLine(text: string, maxLine: number): string {
  if (text.length <= maxLine) return text;
  const kept = text.slice(0, maxLine).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept} [${text.length - kept.length} more characters of this line cut]`;
}

function cutStatement(hunksCut: number, hunks: number, linesCut: number): string {
  return `[cut: ${linesCut} diff lines not shown; ${hunksCut} of ${hunks} hunks not shown at all]`;
}

function numberWidth(hunks: readonly Hunk[]): number {
  const last = hunks[hunks.length - 1];
  if (last === undefined) return 1;
  return String(Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines) - 1).length;
}

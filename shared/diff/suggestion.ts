import type { Finding } from '../domain/finding.ts';
import type { AnchorResult } from './anchor.ts';
import type { AnchorableFile } from './anchorable-file.ts';
import { evidenceCode, visibleCode } from './code-lines.ts';
import type { LineRange } from './line-map.ts';

/** A replacement that a person can commit with one click: lines `startLine` to `line` of the new file. */
export interface Suggestion extends LineRange {
  /** The new lines without line feeds; empty to delete the range. */
  readonly lines: readonly string[];
}

/**
 * The suggestion of a finding, when committing it does exactly what the finding says; undefined otherwise, and
 * then the words have to do. Holds only for an anchor on whole lines of the new side that the head really has
 * (`file.newText` is required). The replacement differs from what is there, keeps its indentation (a block given
 * without any is indented as the code is), does not repeat a line next to the range, and leaves every kind of
 * bracket balanced as before.
 */
export function buildSuggestion(input: {
  readonly finding: Finding;
  readonly result: AnchorResult;
  readonly file: AnchorableFile;
}): Suggestion | undefined {
  const { finding, result, file } = input;
  const range = exactRange(result, finding, file);
  if (range === undefined || finding.suggestion === null || file.newText === undefined) return undefined;
  const head = file.newText.split('\n').map((line) => line.replace(/\r$/, ''));
  const current = head.slice(range.startLine - 1, range.line);
  const lines = indentLike(current, replacementLines(finding.suggestion));
  if (lines === undefined) return undefined;
  const isSafe =
    lines.join('\n') !== current.join('\n') &&
    !repeatsNeighbour(lines, current, head.slice(0, range.startLine - 1), head.slice(range.line)) &&
    hasSameBalance(lines, current) &&
    !addsFence(lines, current);
  return isSafe ? { ...range, lines } : undefined;
}

/**
 * The block a provider offers as a commit. `info` is `suggestion` for GitHub and Azure DevOps; GitLab counts from
 * the commented (last) line: `suggestion:-2+0` for three lines.
 */
export function renderSuggestion(suggestion: Suggestion, info = 'suggestion'): string {
  const runs = suggestion.lines.join('\n').match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return [fence + info, ...suggestion.lines, fence].join('\n');
}

/** The anchored lines, when they are the quoted lines, all of them and whole, in the diff and in the head alike. */
function exactRange(result: AnchorResult, finding: Finding, file: AnchorableFile): LineRange | undefined {
  const { anchor } = result;
  if (anchor.kind !== 'line' || anchor.side !== 'new') return undefined;
  const line = anchor.line ?? 0;
  const range = { startLine: anchor.startLine ?? line, line };
  const evidence = evidenceCode(finding.evidence).join('\n');
  const head = (file.newText ?? '').split('\n').slice(range.startLine - 1, range.line);
  const shown = head.map((_, index) => file.map?.lineAt('new', range.startLine + index)?.text);
  const isThere = head.length > 0 && head.every((text, index) => text === shown[index]);
  return isThere && evidenceCode(head.join('\n')).join('\n') === evidence ? range : undefined;
}

function replacementLines(suggestion: string): string[] {
  const lines = suggestion.replace(/\n$/, '').split('\n');
  return suggestion === '' ? [] : lines.map((line) => line.replace(/\r$/, ''));
}

/** Models often leave the indentation out; any other difference may be meant and is not ours to settle. */
function indentLike(current: readonly string[], lines: readonly string[]): string[] | undefined {
  const wanted = indentOf(current);
  const given = indentOf(lines);
  if (given === undefined || given === wanted) return mixesIndent(current, lines) ? undefined : [...lines];
  if (given !== '' || wanted === undefined) return undefined;
  const indented = lines.map((line) => (isCode(line) ? wanted + line : line));
  return mixesIndent(current, indented) ? undefined : indented;
}

function indentOf(lines: readonly string[]): string | undefined {
  const first = lines.find(isCode);
  return first === undefined ? undefined : /^[ \t]*/.exec(first)?.[0];
}

/** True when the replacement indents with spaces where the code has tabs only, or the other way round. */
function mixesIndent(current: readonly string[], lines: readonly string[]): boolean {
  const known = indentCharacters(current);
  return known.size > 0 && [...indentCharacters(lines)].some((character) => !known.has(character));
}

function indentCharacters(lines: readonly string[]): Set<string> {
  return new Set(lines.flatMap((line) => (/^[ \t]+(?=\S)/.exec(line)?.[0] ?? '').match(/[ \t]/g) ?? []));
}

/** A model that gives one line more than it replaces would double that line; blank lines do not count. */
function repeatsNeighbour(
  lines: readonly string[],
  current: readonly string[],
  before: readonly string[],
  after: readonly string[],
): boolean {
  const above = before.findLast(isCode);
  const below = after.find(isCode);
  return (
    (isSameLine(lines.find(isCode), above) && !isSameLine(current.find(isCode), above)) ||
    (isSameLine(lines.findLast(isCode), below) && !isSameLine(current.findLast(isCode), below))
  );
}

function isCode(line: string): boolean {
  return line.trim() !== '';
}

/** A closing bracket repeats another only at the same depth; code repeats at any. */
function isSameLine(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if (!/[\p{L}\p{N}]/u.test(right)) return left.trimEnd() === right.trimEnd();
  return visibleCode(left) === visibleCode(right);
}

function hasSameBalance(lines: readonly string[], current: readonly string[]): boolean {
  const after = lines.join('\n');
  const before = current.join('\n');
  return ['()', '[]', '{}'].every(([open = '', close = '']) => {
    const balance = (text: string): number => text.split(open).length - text.split(close).length;
    return balance(after) === balance(before);
  });
}

/** A replacement that brings its own code fence is prose about a change, not the change. */
function addsFence(lines: readonly string[], current: readonly string[]): boolean {
  return lines.some(isFence) && !current.some(isFence);
}

function isFence(line: string): boolean {
  return /^\s*(?:```|~~~)/.test(line);
}

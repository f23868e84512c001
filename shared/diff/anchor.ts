import type { Anchor, Finding, Side } from '../domain/finding.ts';
import type { AnchorableFile } from './anchorable-file.ts';
import { evidenceCode } from './code-lines.ts';
import { betterOccurrence, findEvidence } from './find-evidence.ts';
import type { Occurrence } from './find-evidence.ts';
import type { LineRange } from './line-map.ts';

/** Why a finding went where it went. */
export type AnchorReason =
  | 'claimed' // the evidence stands on the claimed line
  | 'moved' // it stands on another line of the hunks
  | 'clipped' // it begins or ends outside its hunk; the anchor is the part inside
  | 'outside_hunks' // it stands in the file, but on no line of the diff
  | 'whole_file' // the finding claims no line
  | 'not_found'; // it stands nowhere, or there is no text to look in

export interface AnchorResult {
  readonly anchor: Anchor;
  readonly reason: AnchorReason;
  /** False when the quoted evidence was not found in the file; say so wherever the finding is shown. */
  readonly verified: boolean;
  /** Where the evidence truly stands; the whole of it also when the anchor is clipped or on the file. */
  readonly evidenceAt?: LineRange & { readonly side: Side };
}

/**
 * Decides where a finding is shown; the model's line counts only as a hint, its quote has to be there. A range of
 * kind `line` lies in one hunk, on lines that can be commented, each end a line of the evidence.
 *
 * Order: the claimed line; the same claimed line outside the hunks; the nearest place in the hunks; the nearest
 * in the rest of the file; the hunks of the other side. Evidence that stands outside every hunk becomes a comment
 * on the file, evidence that stands nowhere goes to the summary. White space, blank lines and copied line-number
 * columns or diff signs are tolerated.
 */
export function anchorFinding(input: {
  readonly finding: Finding;
  readonly file: AnchorableFile;
}): AnchorResult {
  const { finding, file } = input;
  const side = file.change === 'deleted' ? 'old' : finding.side;
  for (const evidence of evidenceVariants(finding.evidence)) {
    const result = place(file, side, evidence, finding.line);
    if (result !== undefined) return result;
  }
  if (finding.line === null && evidenceCode(finding.evidence).length === 0) {
    return { anchor: anchorOf(file, side, 'file', false), reason: 'whole_file', verified: false };
  }
  return { anchor: anchorOf(file, side, 'summary', false), reason: 'not_found', verified: false };
}

function place(
  file: AnchorableFile,
  side: Side,
  evidence: readonly string[],
  claimed: number | null,
): AnchorResult | undefined {
  const line = claimed ?? 1;
  const inHunks = findInHunks(file, side, evidence, line);
  const inText = findEvidence(file.textCode(side), evidence, line);
  const found = inHunks ?? inText;
  if (claimed === null && found !== undefined) return onFile(file, side, found, 'whole_file', false);
  if (inHunks !== undefined && (inHunks.distance === 0 || inText?.distance !== 0)) {
    return onLines(file, side, inHunks, inHunks.distance === 0 ? 'claimed' : 'moved');
  }
  if (inText !== undefined) {
    const inside = clipToHunk(file, side, inText, line);
    return inside === undefined
      ? onFile(file, side, inText, 'outside_hunks', inText.distance > 0)
      : onLines(file, side, inText, 'clipped', inside);
  }
  const other = side === 'new' ? 'old' : 'new';
  const elsewhere = findInHunks(file, other, evidence, line);
  return elsewhere === undefined ? undefined : onLines(file, other, elsewhere, 'moved');
}

function findInHunks(
  file: AnchorableFile,
  side: Side,
  evidence: readonly string[],
  claimed: number,
): Occurrence | undefined {
  let best: Occurrence | undefined;
  for (const lines of file.hunkCode(side))
    best = betterOccurrence(best, findEvidence(lines, evidence, claimed));
  return best;
}

/** The part of the range inside one hunk: the hunk that shows the claimed line, else the one that shows most. */
function clipToHunk(
  file: AnchorableFile,
  side: Side,
  range: LineRange,
  claimed: number,
): LineRange | undefined {
  let best: LineRange | undefined;
  for (const lines of file.hunkCode(side)) {
    const inside = lines.filter(({ line }) => line >= range.startLine && line <= range.line);
    const first = inside[0];
    const last = inside[inside.length - 1];
    if (first === undefined || last === undefined) continue;
    const part = { startLine: first.line, line: last.line };
    if (part.startLine <= claimed && claimed <= part.line) return part;
    if (best === undefined || part.line - part.startLine > best.line - best.startLine) best = part;
  }
  return best;
}

function onLines(
  file: AnchorableFile,
  side: Side,
  found: Occurrence,
  reason: 'claimed' | 'moved' | 'clipped',
  range: LineRange = found,
): AnchorResult {
  const corrected = reason === 'moved' || found.distance > 0;
  const anchor: Anchor = {
    ...anchorOf(file, side, 'line', corrected),
    line: range.line,
    ...(range.startLine < range.line ? { startLine: range.startLine } : {}),
  };
  return { anchor, reason, verified: true, evidenceAt: placeOf(found, side) };
}

function onFile(
  file: AnchorableFile,
  side: Side,
  found: Occurrence,
  reason: 'whole_file' | 'outside_hunks',
  corrected: boolean,
): AnchorResult {
  return {
    anchor: anchorOf(file, side, 'file', corrected),
    reason,
    verified: true,
    evidenceAt: placeOf(found, side),
  };
}

function placeOf(found: Occurrence, side: Side): LineRange & { side: Side } {
  return { side, startLine: found.startLine, line: found.line };
}

function anchorOf(file: AnchorableFile, side: Side, kind: Anchor['kind'], corrected: boolean): Anchor {
  return { kind, path: file.path, side, corrected };
}

// A model copies from what it was shown: the number column of a rendered file, or the signs of a diff.
const NUMBER_COLUMN = /^[ +-]?[ \d]*\d[ \d]*[|:\t→] ?/;
const DIFF_SIGN = /^[ +-]/;

function evidenceVariants(evidence: string): string[][] {
  const lines = evidence.split('\n').filter((line) => line.trim() !== '');
  const variants = [lines.join('\n')];
  for (const prefix of [NUMBER_COLUMN, DIFF_SIGN]) {
    if (lines.every((line) => prefix.test(line))) {
      variants.push(lines.map((line) => line.replace(prefix, '')).join('\n'));
    }
  }
  return variants.map(evidenceCode).filter((code) => code.length > 0);
}

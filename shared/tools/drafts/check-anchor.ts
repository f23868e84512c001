import type { ChangedFile } from '../../domain/pull-request.ts';
import type { Side } from '../../domain/finding.ts';
import { createLineMap, type LineMap, type LineRange } from '../../diff/line-map.ts';
import { parseHunks } from '../../diff/parse-patch.ts';
import type { DraftAnchor } from './draft.ts';

const MAX_EVIDENCE = 1_000;
const MAX_RANGES = 20;

export type AnchorCheck =
  | {
      readonly ok: true;
      /** The commented lines, joined by line feeds; empty for a comment on a file. */
      readonly evidence: string;
    }
  | { readonly ok: false; /** Names what would be valid. */ readonly message: string };

/**
 * Checks where a comment wants to stand against our own line maps, because providers refuse a whole review for one
 * bad line (GitHub), file it out of sight (Azure DevOps) or answer with a riddle (GitLab).
 */
export function checkAnchor(changedFiles: readonly ChangedFile[], anchor: DraftAnchor): AnchorCheck {
  const file = changedFiles.find((candidate) => candidate.path === anchor.path);
  if (file === undefined)
    return refuse('This file is not changed by the pull request; get_pull_request lists the changed files.');
  const { line, startLine, side } = anchor;
  if (line === undefined)
    return startLine === undefined ? { ok: true, evidence: '' } : refuse('startLine needs line.');
  if (file.patch === undefined)
    return refuse('No line of this file can be commented (binary or too large); use subject file.');
  const map = createLineMap(parseHunks(file.patch));
  if (startLine !== undefined && startLine >= line)
    return refuse(`startLine must be less than line. ${validRanges(map)}`);
  const first = startLine ?? line;
  if (map.hunkAt(side, first) === undefined || map.hunkAt(side, line) === undefined)
    return refuse(
      `Line ${map.hunkAt(side, line) === undefined ? line : first} (${side} side) is not part of the diff. ${validRanges(map)}`,
    );
  if (!map.isCommentable(side, { startLine: first, line }))
    return refuse(`Lines ${first} to ${line} (${side} side) span more than one hunk. ${validRanges(map)}`);
  return { ok: true, evidence: textOf(map, side, { startLine: first, line }) };
}

function refuse(message: string): AnchorCheck {
  return { ok: false, message };
}

/** The ranges of both sides in words, e.g. `Valid: new 1-4, 10-12; old 1-3.` */
function validRanges(map: LineMap): string {
  const sides = (['new', 'old'] as const).flatMap((side) => {
    const ranges = map.validRanges(side).map(({ startLine, line }) => `${startLine}-${line}`);
    if (ranges.length === 0) return [];
    const shown = ranges.slice(0, MAX_RANGES).join(', ');
    return [`${side} ${shown}${ranges.length > MAX_RANGES ? ` and ${ranges.length - MAX_RANGES} more` : ''}`];
  });
  return sides.length === 0
    ? 'No line of this file can be commented; use subject file.'
    : `Valid: ${sides.join('; ')}.`;
}

function textOf(map: LineMap, side: Side, { startLine, line }: LineRange): string {
  const lines: string[] = [];
  for (let number = startLine; number <= line; number += 1) lines.push(map.lineAt(side, number)?.text ?? '');
  return lines.join('\n').slice(0, MAX_EVIDENCE);
}

import type { Finding } from '../domain/finding.ts';
import type { PlacedFinding } from './anchor-findings.ts';
import type { DraftComment } from './review-tools.ts';
import { usableSuggestion } from './usable-suggestion.ts';

/** The comment for a finding that stands on lines or on a file. Masking and neutralising is the tools' work. */
export function renderComment(placed: PlacedFinding): DraftComment {
  const { finding, anchor } = placed;
  const suggestion = usableSuggestion(placed);
  const parts = [`**${titleOf(finding)}**`, finding.body.trim()];
  const note = placeNote(placed);
  if (note !== undefined) parts.push(note);
  if (finding.suggestion !== null && finding.suggestion.trim() !== '' && suggestion === undefined) {
    parts.push('Possible change, not checked:', codeBlock(finding.suggestion));
  }
  const body = parts.join('\n\n');
  if (anchor.kind !== 'line' || anchor.line === undefined) {
    return { path: anchor.path, subject: 'file', body };
  }
  return {
    path: anchor.path,
    subject: 'line',
    side: anchor.side,
    line: anchor.line,
    ...(anchor.startLine === undefined ? {} : { startLine: anchor.startLine }),
    ...(suggestion === undefined ? {} : { suggestion }),
    body,
  };
}

/** `High: what is wrong`, on one line. */
export function titleOf({ severity, title }: Finding): string {
  const word = `${severity.slice(0, 1).toUpperCase()}${severity.slice(1)}`;
  return `${word}: ${title.replace(/\s+/g, ' ').trim()}`;
}

/** Says so when the comment does not stand where the finding was reported. */
function placeNote({ finding, anchor, reason, evidenceLine }: PlacedFinding): string | undefined {
  if (reason === 'outside_hunks' && evidenceLine !== undefined) {
    return `The code stands on line ${evidenceLine}, outside the lines this change shows.`;
  }
  if (!anchor.corrected || finding.line === null || anchor.line === undefined) return undefined;
  return finding.line === anchor.line
    ? undefined
    : `Reported for line ${finding.line}; the quoted code stands here.`;
}

/** A fence longer than any inside. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

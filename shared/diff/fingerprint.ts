import { createHash } from 'node:crypto';
import type { Finding } from '../domain/finding.ts';
import { evidenceCode } from './code-lines.ts';

/**
 * Identity of a finding over commits: 32 hex characters of SHA-256 over the path and the evidence without white
 * space and blank lines, so it survives line shifts and re-indentation and changes with the code. Two findings on
 * the same code share it. Without evidence the category and the words of the title stand in for the code.
 */
export function fingerprintFinding(
  finding: Pick<Finding, 'path' | 'evidence' | 'category' | 'title'>,
): string {
  const code = evidenceCode(finding.evidence);
  const parts = code.length > 0 ? ['code', ...code] : ['words', finding.category, ...wordsOf(finding.title)];
  return createHash('sha256')
    .update(JSON.stringify([finding.path, ...parts]))
    .digest('hex')
    .slice(0, 32);
}

function wordsOf(title: string): string[] {
  return title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

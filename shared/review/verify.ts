import type { Finding } from '../domain/finding.ts';
import type { ReviewFile } from './review-file.ts';
import type { ReviewUnit } from './split-units.ts';

/** What one pass answered about one unit. */
export interface PassAnswerOfUnit {
  readonly pass: string;
  readonly unit: ReviewUnit;
  readonly findings: readonly Finding[];
}

export interface RejectedFinding {
  readonly finding: Finding;
  readonly pass: string;
  /** `not_in_change`: no such changed file. `not_shown`: the pass did not see it. `empty`: it says nothing. */
  readonly reason: 'not_in_change' | 'not_shown' | 'empty';
}

export interface VerifiedFindings {
  readonly verified: readonly Finding[];
  readonly rejected: readonly RejectedFinding[];
}

/**
 * Keeps findings on files that the pass was shown. A model that speaks of other files has not read them, whatever
 * it says; a path written the way diffs write it (`a/`, `b/`, `./`, the name before a rename) is understood.
 */
export function verifyFindings(
  answers: readonly PassAnswerOfUnit[],
  files: readonly ReviewFile[],
): VerifiedFindings {
  const names = new Map<string, string>();
  for (const { file } of files) if (file.previousPath !== undefined) names.set(file.previousPath, file.path);
  for (const { file } of files) names.set(file.path, file.path);
  const verified: Finding[] = [];
  const rejected: RejectedFinding[] = [];
  for (const { pass, unit, findings } of answers) {
    const shown = new Set(unit.parts.map(({ file }) => file.path));
    for (const finding of findings) {
      const path = resolvePath(finding.path, names);
      const reason = rejection(finding, path, shown);
      if (path === undefined || reason !== undefined) {
        rejected.push({ finding, pass, reason: reason ?? 'not_in_change' });
      } else verified.push({ ...finding, path });
    }
  }
  return { verified, rejected };
}

function resolvePath(path: string, names: ReadonlyMap<string, string>): string | undefined {
  return names.get(path) ?? names.get(path.replace(/^(?:\.\/|[ab]\/)/, ''));
}

function rejection(
  finding: Finding,
  path: string | undefined,
  shown: ReadonlySet<string>,
): RejectedFinding['reason'] | undefined {
  if (path === undefined) return 'not_in_change';
  if (!shown.has(path)) return 'not_shown';
  return finding.title.trim() === '' || finding.body.trim() === '' ? 'empty' : undefined;
}

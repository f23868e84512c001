import type { RunReport } from '../domain/run-outcome.ts';

/**
 * What is wrong with a report, or undefined. A run may only settle as what it is: the findings add up, `clean`
 * has none, `partial` names what was not reviewed, and there always is a reason.
 */
export function reportProblem(report: RunReport): string | undefined {
  const { verified, posted, heldBack, duplicates, unanchored, refused } = report.counts;
  const parts = [posted, heldBack, duplicates, unanchored, refused];
  if ([verified, ...parts].some((count) => !Number.isInteger(count) || count < 0)) {
    return 'a count is no whole number';
  }
  const sum = parts.reduce((total, count) => total + count, 0);
  if (sum !== verified) return `${verified} verified findings but ${sum} accounted for`;
  if (report.reason === '') return 'no reason';
  if (report.outcome === 'clean' && verified > 0) return 'clean with verified findings';
  if (report.outcome === 'partial' && report.notReviewed.length === 0)
    return 'partial without naming what is missing';
  return undefined;
}

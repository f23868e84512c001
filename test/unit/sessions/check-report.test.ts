import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../shared/domain/run-outcome.ts';
import { reportProblem } from '../../../shared/sessions/check-report.ts';

const none = { verified: 0, posted: 0, heldBack: 0, duplicates: 0, unanchored: 0, refused: 0 };
const report = (change: Partial<RunReport>): RunReport => ({
  outcome: 'posted',
  reason: 'findings',
  counts: { verified: 5, posted: 1, heldBack: 1, duplicates: 1, unanchored: 1, refused: 1 },
  notReviewed: [],
  filesReviewed: 3,
  ...change,
});

describe('a run settles only as what it is', () => {
  it.each([
    { what: 'every finding accounted for', change: {} },
    { what: 'clean with nothing found', change: { outcome: 'clean', counts: none } as const },
    {
      what: 'partial that names what is missing',
      change: { outcome: 'partial', notReviewed: [{ what: 'a.ts', reason: 'too_large' }] } as const,
    },
    { what: 'skipped', change: { outcome: 'skipped', reason: 'draft', counts: none } as const },
  ])('$what is fine', ({ change }) => {
    expect(reportProblem(report(change))).toBeUndefined();
  });

  it.each([
    {
      what: 'a finding that went missing',
      change: { counts: { ...none, verified: 2, posted: 1 } },
      problem: '2 verified findings but 1 accounted for',
    },
    {
      what: 'a finding counted twice',
      change: { counts: { ...none, verified: 1, posted: 1, refused: 1 } },
      problem: '1 verified findings but 2 accounted for',
    },
    {
      what: 'clean although something was found',
      change: { outcome: 'clean', counts: { ...none, verified: 1, heldBack: 1 } } as const,
      problem: 'clean with verified findings',
    },
    {
      what: 'partial that names nothing',
      change: { outcome: 'partial' } as const,
      problem: 'partial without naming what is missing',
    },
    { what: 'no reason', change: { reason: '' }, problem: 'no reason' },
    {
      what: 'a count below zero',
      change: { counts: { ...none, posted: -1, refused: 1 } },
      problem: 'a count is no whole number',
    },
  ])('$what is a bug', ({ change, problem }) => {
    expect(reportProblem(report(change))).toBe(problem);
  });
});

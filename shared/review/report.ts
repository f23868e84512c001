import type { FindingCounts, NotReviewed, Outcome, RunReport } from '../domain/run-outcome.ts';
import type { Gathered } from './gather.ts';
import type { Plan } from './plan.ts';
import type { Published } from './publish.ts';
import type { EndedPass } from './run-passes.ts';

export const NO_COUNTS: FindingCounts = {
  verified: 0,
  posted: 0,
  heldBack: 0,
  duplicates: 0,
  unanchored: 0,
  refused: 0,
};

/** How much of the change was looked at. */
export interface Coverage {
  /** Files of which every part was answered by every pass meant for it. */
  readonly filesReviewed: number;
  /** Left out on purpose and left out against the plan, in this order. */
  readonly notReviewed: readonly NotReviewed[];
  /** True when something reviewable was not reviewed. */
  readonly isPartial: boolean;
  /** Why no pass counts; undefined when at least one was answered. */
  readonly failure: string | undefined;
}

/** Adds up what the passes saw: a file counts only when every one of its parts was answered. */
export function measureCoverage(
  gathered: Pick<Gathered, 'files' | 'excluded' | 'missed'>,
  plan: Pick<Plan, 'left'>,
  passes: readonly EndedPass[],
): Coverage {
  const unread = new Set(plan.left.map(({ what }) => what));
  const gaps: NotReviewed[] = [...gathered.missed, ...plan.left];
  for (const { name, unit, result } of passes) {
    if (result.kind === 'missing') {
      gaps.push({ what: name, reason: result.reason });
      for (const { file } of unit.parts) unread.add(file.path);
    } else if (result.dropped > 0) gaps.push({ what: name, reason: 'too_many_findings' });
  }
  const [firstMissing] = passes.flatMap(({ result }) => (result.kind === 'missing' ? [result.reason] : []));
  const hasAnswer = passes.some(({ result }) => result.kind === 'answered');
  const required = gathered.files.filter(({ mustBeReviewed }) => mustBeReviewed);
  return {
    filesReviewed: required.filter(({ file }) => !unread.has(file.path)).length,
    notReviewed: [...gathered.excluded, ...gaps],
    isPartial: gaps.length > 0,
    failure: hasAnswer ? undefined : (firstMissing ?? 'no_pass'),
  };
}

/** What a run comes to, decided before it is published so that the published text can say it. */
export function decideOutcome(
  coverage: Coverage,
  verified: number,
): { readonly outcome: Outcome; readonly reason: string } {
  if (coverage.failure !== undefined) return { outcome: 'failed', reason: coverage.failure };
  if (coverage.isPartial) return { outcome: 'partial', reason: 'not_all_reviewed' };
  return verified > 0
    ? { outcome: 'posted', reason: 'findings' }
    : { outcome: 'clean', reason: 'nothing_to_say' };
}

/**
 * The report of a run that reached its end.
 * @throws Error when the findings do not add up: then something was lost or counted twice, a bug.
 */
export function settle(input: {
  readonly headSha: string;
  readonly coverage: Coverage;
  readonly verified: number;
  /** Duplicates found before publishing. */
  readonly duplicates: number;
  readonly published: Published;
}): RunReport {
  const { coverage, published, verified } = input;
  const counts: FindingCounts = {
    verified,
    posted: published.posted,
    heldBack: published.heldBack,
    duplicates: input.duplicates + published.duplicates,
    unanchored: published.unanchored,
    refused: published.refused,
  };
  assertBalance(counts);
  const decided = decideOutcome(coverage, verified);
  const ending =
    published.refusedBy === undefined ? decided : { outcome: 'failed' as const, reason: published.refusedBy };
  return {
    ...ending,
    headSha: input.headSha,
    counts,
    notReviewed: coverage.notReviewed,
    filesReviewed: coverage.filesReviewed,
  };
}

/** The report of a run that ended before any pass. */
export function endedEarly(
  outcome: Outcome,
  reason: string,
  rest: { readonly headSha?: string; readonly notReviewed?: readonly NotReviewed[] } = {},
): RunReport {
  const { headSha, notReviewed = [] } = rest;
  const head = headSha === undefined ? {} : { headSha };
  return { outcome, reason, ...head, counts: NO_COUNTS, notReviewed, filesReviewed: 0 };
}

function assertBalance(counts: FindingCounts): void {
  const { verified, posted, heldBack, duplicates, unanchored, refused } = counts;
  if (posted + heldBack + duplicates + unanchored + refused !== verified) {
    throw new Error(`findings do not add up: ${JSON.stringify(counts)}`);
  }
}

import type { RunReport } from '../domain/run-outcome.ts';
import type { JobContext, JobResult, JobRunner, PullRequestState } from '../sessions/ports.ts';
import { endedEarly } from './report.ts';
import { reportFailure } from './report-failure.ts';
import type { ReportedFailure } from './report-failure.ts';
import type { ReviewDeps } from './review-deps.ts';
import { runReviewJob } from './review-job.ts';
import type { EndedReview } from './review-job.ts';

/**
 * The runner of a pull request's jobs. Reviews run to their report; what is thrown keeps its meaning for the
 * session (see JobRunner).
 */
export function createReviewRunner(deps: ReviewDeps): JobRunner {
  return async (job, context): Promise<JobResult> => {
    switch (job.kind) {
      case 'review.full':
      case 'review.incremental':
        return settledReview(context.state, await runReviewJob(deps, job, context));
      case 'run.failed':
        return settledFailure(context.state, await reportFailure(deps, job, context));
      case 'comment':
        return settled(context, endedEarly('skipped', 'comments_not_answered'));
      // The session applies control jobs itself.
      case 'control':
        return settled(context, endedEarly('skipped', 'control_not_a_run'));
    }
  };
}

function settledReview(state: PullRequestState, { runId, report, base }: EndedReview): JobResult {
  const next: PullRequestState = { ...state, lastOutcome: report.outcome, lastRunId: runId };
  if (!isComplete(report)) return { kind: 'settled', report, state: next };
  const { headSha } = report;
  return {
    kind: 'settled',
    report,
    state: {
      ...next,
      lastCompletedBase: base,
      ...(headSha === undefined ? {} : { lastCompletedHead: headSha }),
    },
  };
}

function settledFailure(state: PullRequestState, { runId, report }: ReportedFailure): JobResult {
  return { kind: 'settled', report, state: { ...state, lastOutcome: report.outcome, lastRunId: runId } };
}

/** True when the head needs no further review: it was looked at, or there is nothing in it to look at. */
function isComplete({ outcome, reason }: RunReport): boolean {
  if (outcome === 'posted' || outcome === 'clean' || outcome === 'partial') return true;
  return (
    outcome === 'skipped' &&
    (reason === 'nothing_reviewable' || reason === 'too_large' || reason === 'no_changes')
  );
}

function settled(context: JobContext, report: RunReport): JobResult {
  return { kind: 'settled', report, state: { ...context.state, lastOutcome: report.outcome } };
}

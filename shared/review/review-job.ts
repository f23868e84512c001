import { isAppError } from '../domain/app-error.ts';
import type { Job } from '../domain/job.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import type { JobContext } from '../sessions/ports.ts';
import { readPullRequest } from './read-pull-request.ts';
import { endedEarly } from './report.ts';
import type { ReviewDeps } from './review-deps.ts';
import { runIdOf, storeRun } from './run-record.ts';
import { NOTHING_RUN, runReview } from './run-review.ts';
import type { ReviewedChange } from './run-review.ts';

/** How a review ended, and what it was measured from (for the session's state). */
export interface EndedReview {
  readonly runId: string;
  readonly report: RunReport;
  /** Merge base of the change. */
  readonly base: string;
}

/**
 * One review job from the event to its record: reads the pull request again, skips what needs no review, and
 * records how every run ended, also one that a newer push made pointless.
 * @throws AppError as runReview.
 */
export async function runReviewJob(deps: ReviewDeps, job: Job, context: JobContext): Promise<EndedReview> {
  const startedAt = deps.clock.now();
  const provider = await deps.providerOf(context.pr.instance);
  const reading = await readPullRequest(provider, context.pr, context.state, job);
  const { pullRequest } = reading;
  const { headSha, mergeBaseSha: base, ref } = pullRequest;
  const runId = runIdOf(context.partitionKey, job.ticket, headSha);
  const recordOf = (change: ReviewedChange) => {
    return { ...change, runId, ref, job, build: deps.build, startedAt, endedAt: deps.clock.now() };
  };
  const end = async (change: ReviewedChange): Promise<EndedReview> => {
    await storeRun(deps.runs, recordOf(change));
    return { runId, report: change.report, base };
  };
  if (reading.kind === 'skip') {
    return end({ ...NOTHING_RUN, report: endedEarly('skipped', reading.reason, { headSha }) });
  }
  const log = deps.log.child({ runId });
  try {
    const { signal } = context;
    return await end(await runReview(deps, { provider, pullRequest, runId, job: context, log, signal }));
  } catch (error) {
    // Whoever took the lease over works on the same run; the end of it is theirs to record.
    if (isAppError(error, 'stale') && error.code !== 'lost') {
      const report = endedEarly('superseded', error.code, { headSha });
      await storeRun(deps.runs, recordOf({ ...NOTHING_RUN, report })).catch((failure: unknown) => {
        log.warn('run.recordLost', { outcome: report.outcome, error: failure });
      });
    }
    throw error;
  }
}

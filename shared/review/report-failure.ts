import { isAppError } from '../domain/app-error.ts';
import type { Job } from '../domain/job.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import { isInSignedScope } from '../providers/signed-scope.ts';
import { FAILURE_IDS } from '../sessions/ports.ts';
import type { JobContext } from '../sessions/ports.ts';
import { PUBLISH_POLICY } from './publish.ts';
import { renderFailure } from './render-summary.ts';
import { endedEarly } from './report.ts';
import type { ReviewDeps } from './review-deps.ts';
import { createReviewTools } from './review-tools.ts';
import { runIdOf, storeRun } from './run-record.ts';
import { NOTHING_RUN } from './run-review.ts';
import { publishingContext } from './tool-contexts.ts';
import type { RunPlace } from './tool-contexts.ts';

export interface ReportedFailure {
  readonly runId: string;
  readonly report: RunReport;
}

/**
 * Says on the pull request that its review failed, once, with the code of the failure and nothing more: details are
 * in the logs. Nobody waits for a review of a pull request that is closed or a draft by now.
 * @throws AppError `transient` when it cannot be said now.
 */
export async function reportFailure(
  deps: ReviewDeps,
  job: Job,
  context: JobContext,
): Promise<ReportedFailure> {
  const startedAt = deps.clock.now();
  const provider = await deps.providerOf(context.pr.instance);
  const pullRequest = await provider.pullRequests.getPullRequest(context.pr);
  const { headSha, ref } = pullRequest;
  const reason = job.ids[FAILURE_IDS.code] ?? 'run_failed';
  const report = endedEarly('failed', reason, { headSha });
  const runId = `${runIdOf(context.partitionKey, job.ticket, headSha)}-failed`;
  const log = deps.log.child({ runId });
  const isExpected =
    pullRequest.state === 'open' && !pullRequest.isDraft && isInSignedScope(job, pullRequest.ref.repository);
  const url =
    isExpected && job.ids[FAILURE_IDS.kind] !== 'comment'
      ? await say(deps, { provider, pullRequest, runId, job: context, log, signal: context.signal }, reason)
      : undefined;
  log.warn('review.failed', { reason });
  await storeRun(deps.runs, {
    runId,
    ref,
    job,
    report,
    ...NOTHING_RUN,
    url,
    build: deps.build,
    startedAt,
    endedAt: deps.clock.now(),
  });
  return { runId, report };
}

async function say(deps: ReviewDeps, place: RunPlace, reason: string): Promise<string | undefined> {
  const tools = createReviewTools(publishingContext(deps, place, [], deps.policy ?? PUBLISH_POLICY));
  try {
    const { url } = await tools.submit(renderFailure(reason), place.runId);
    return url;
  } catch (error) {
    // Not allowed to speak: the run record and the logs still tell how it ended.
    if (!isAppError(error, 'denied')) throw error;
    place.log.warn('review.failureNotShown', { code: error.code });
    return undefined;
  }
}

import { isAppError } from '../domain/app-error.ts';
import type { Job } from '../domain/job.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import { FAILURE_IDS } from '../sessions/ports.ts';
import type { JobContext } from '../sessions/ports.ts';
import { PUBLISH_POLICY } from './publish.ts';
import { renderFailure } from './render-summary.ts';
import { endedEarly } from './report.ts';
import type { ReviewDeps } from './review-deps.ts';
import { createReviewTools } from './review-tools.ts';
import { runIdOf } from './run-record.ts';
import { publishingContext } from './tool-contexts.ts';

/**
 * Says on the pull request that its review failed, once, with the code of the failure and nothing more: details are
 * in the logs. Nobody waits for a review of a pull request that is closed or a draft by now.
 * @throws AppError `transient` when it cannot be said now.
 */
export async function reportFailure(deps: ReviewDeps, job: Job, context: JobContext): Promise<RunReport> {
  const provider = await deps.providerOf(context.pr.instance);
  const pullRequest = await provider.pullRequests.getPullRequest(context.pr);
  const { headSha } = pullRequest;
  const reason = job.ids[FAILURE_IDS.code] ?? 'run_failed';
  const report = endedEarly('failed', reason, { headSha });
  const isExpected = pullRequest.state === 'open' && !pullRequest.isDraft;
  if (!isExpected || job.ids[FAILURE_IDS.kind] === 'comment') return report;
  const runId = `${runIdOf(context.partitionKey, job.ticket, headSha)}-failed`;
  const place = {
    provider,
    pullRequest,
    runId,
    job: context,
    log: deps.log.child({ runId }),
    signal: context.signal,
  };
  const tools = createReviewTools(publishingContext(deps, place, [], deps.policy ?? PUBLISH_POLICY));
  try {
    await tools.submit(renderFailure(reason), runId);
  } catch (error) {
    // Not allowed to speak: the run record and the logs still tell how it ended.
    if (!isAppError(error, 'denied')) throw error;
    deps.log.warn('run.failureNotShown', { code: error.code });
  }
  return report;
}

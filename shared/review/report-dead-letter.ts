import type { Job } from '../domain/job.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { DeadLetter } from '../sessions/sweep.ts';
import { sessionPartition } from '../state/keys.ts';
import { reportFailure } from './report-failure.ts';
import type { ReviewDeps } from './review-deps.ts';

/**
 * Says on the pull request that a job failed for good, outside a session: nobody holds a lease for it any more.
 * Once, however often it is called: the outbox knows the write by ticket and head.
 * @throws AppError when it cannot be said now; the next sweep tries again.
 */
export async function reportDeadLetter(
  deps: ReviewDeps,
  pr: PullRequestRef,
  deadLetter: DeadLetter,
): Promise<void> {
  const { ticket, kind, cause, ids } = deadLetter;
  const job: Job = {
    kind,
    class: deadLetter.class,
    cause,
    ids,
    ticket,
    attempts: 1,
    notBefore: 0,
    firstFailedAt: 0,
  };
  await reportFailure(deps, job, {
    pr,
    partitionKey: sessionPartition(pr),
    fence: 0,
    state: {},
    isProtected: false,
    signal: new AbortController().signal,
    confirmBeforeWrite: async () => {},
  });
}

import type { Job } from '../domain/job.ts';
import type { PullRequest, PullRequestRef } from '../domain/pull-request.ts';
import type { Provider } from '../providers/ports.ts';
import { isInSignedScope } from '../providers/signed-scope.ts';
import type { PullRequestState } from '../sessions/ports.ts';

export type Reading =
  | { readonly kind: 'review'; readonly pullRequest: PullRequest }
  /** Nothing to do, with a stable reason code. */
  | { readonly kind: 'skip'; readonly reason: string; readonly pullRequest: PullRequest };

/** Reads the pull request again, since the event that led here is only a hint, and decides whether to go on. */
export async function readPullRequest(
  provider: Pick<Provider, 'pullRequests' | 'identity'>,
  ref: PullRequestRef,
  state: PullRequestState,
  job: Pick<Job, 'ids'>,
): Promise<Reading> {
  const pullRequest = await provider.pullRequests.getPullRequest(ref);
  const reason = (await jobRefusal(provider, pullRequest, job)) ?? skipReason(pullRequest, state);
  return reason === undefined ? { kind: 'review', pullRequest } : { kind: 'skip', reason, pullRequest };
}

/** Why this job may not be run for this pull request, now that the provider has said what its ids mean. */
async function jobRefusal(
  provider: Pick<Provider, 'identity'>,
  pullRequest: PullRequest,
  job: Pick<Job, 'ids'>,
): Promise<string | undefined> {
  if (!isInSignedScope(job, pullRequest.ref.repository)) return 'not_signed_for';
  const { requestedReviewerId } = job.ids;
  if (requestedReviewerId === undefined) return undefined;
  const self = await provider.identity.whoAmI();
  return self.id === requestedReviewerId ? undefined : 'reviewer_not_us';
}

function skipReason(pullRequest: PullRequest, state: PullRequestState): string | undefined {
  if (pullRequest.state !== 'open') return pullRequest.state;
  if (pullRequest.isDraft) return 'draft';
  if (state.paused === true) return 'paused';
  if (pullRequest.changedFiles === 0) return 'no_changes';
  const isDone =
    state.lastCompletedHead === pullRequest.headSha && state.lastCompletedBase === pullRequest.mergeBaseSha;
  return isDone ? 'nothing_new' : undefined;
}

import type { PullRequest, PullRequestRef } from '../domain/pull-request.ts';
import type { Provider } from '../providers/ports.ts';
import type { PullRequestState } from '../sessions/ports.ts';

export type Reading =
  | { readonly kind: 'review'; readonly pullRequest: PullRequest }
  /** Nothing to do, with a stable reason code. */
  | { readonly kind: 'skip'; readonly reason: string; readonly pullRequest: PullRequest };

/** Reads the pull request again, since the event that led here is only a hint, and decides whether to go on. */
export async function readPullRequest(
  provider: Provider,
  ref: PullRequestRef,
  state: PullRequestState,
): Promise<Reading> {
  const pullRequest = await provider.pullRequests.getPullRequest(ref);
  const reason = skipReason(pullRequest, state);
  return reason === undefined ? { kind: 'review', pullRequest } : { kind: 'skip', reason, pullRequest };
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

import type { PullRequest } from '../domain/pull-request.ts';
import type { Gathered } from './gather.ts';
import type { RunPlace } from './tool-contexts.ts';

/** The head that findings are posted on, and what it holds. */
export interface Target extends AsyncDisposable {
  readonly gathered: Gathered;
  /** True when it is not the head that was reviewed: only what still anchors may be posted. */
  readonly isMoved: boolean;
}

/**
 * The reviewed head; in a run that is protected from pushes, the head as it is now, so that an author who pushes
 * faster than a review still gets one, on lines that exist.
 */
export async function chooseTarget(
  { provider, job }: Pick<RunPlace, 'provider' | 'job'>,
  gathered: Gathered,
  gatherAgain: (pullRequest: PullRequest) => Promise<Gathered>,
): Promise<Target> {
  const reviewed: Target = { gathered, isMoved: false, [Symbol.asyncDispose]: async () => {} };
  if (!job.isProtected) return reviewed;
  const latest = await provider.pullRequests.getPullRequest(gathered.pullRequest.ref);
  if (latest.state !== 'open' || latest.headSha === gathered.pullRequest.headSha) return reviewed;
  const moved = await gatherAgain(latest);
  return { gathered: moved, isMoved: true, [Symbol.asyncDispose]: () => moved[Symbol.asyncDispose]() };
}

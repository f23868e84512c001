import { AppError } from '../../domain/app-error.ts';
import type { ToolContext } from '../tool.ts';

/** @throws AppError `stale` stale_head or pull_request_closed when the pull request is not as it was read. */
export async function confirmHead({ provider, pullRequest }: ToolContext): Promise<void> {
  const now = await provider.pullRequests.getPullRequest(pullRequest.ref);
  if (now.state !== 'open')
    throw new AppError({
      kind: 'stale',
      code: 'pull_request_closed',
      message: `The pull request is ${now.state}.`,
    });
  if (now.headSha !== pullRequest.headSha)
    throw new AppError({
      kind: 'stale',
      code: 'stale_head',
      message: `The head moved from ${pullRequest.headSha} to ${now.headSha}.`,
    });
}

/**
 * What is asked right before one write: inside a run the lease, everywhere the head. `isPartOfMany` leaves the head
 * to the first write of a series where a lease already tells of newer pushes.
 */
export async function confirmWrite(context: ToolContext, isPartOfMany = false): Promise<void> {
  await context.confirmBeforeWrite?.();
  if (isPartOfMany && context.confirmBeforeWrite !== undefined) return;
  await confirmHead(context);
}

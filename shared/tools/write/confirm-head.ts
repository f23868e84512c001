import { AppError } from '../../domain/app-error.ts';
import type { PullRequest } from '../../domain/pull-request.ts';
import type { ToolContext } from '../tool.ts';

/** @throws AppError `stale` pull_request_closed. Gives back what the provider says now. */
async function readOpen({ provider, pullRequest }: ToolContext): Promise<PullRequest> {
  const now = await provider.pullRequests.getPullRequest(pullRequest.ref);
  if (now.state === 'open') return now;
  throw new AppError({
    kind: 'stale',
    code: 'pull_request_closed',
    message: `The pull request is ${now.state}.`,
  });
}

/** @throws AppError `stale` stale_head or pull_request_closed when the pull request is not as it was read. */
async function confirmHead(context: ToolContext): Promise<void> {
  const before = context.pullRequest.headSha;
  const { headSha } = await readOpen(context);
  if (headSha === before) return;
  throw new AppError({
    kind: 'stale',
    code: 'stale_head',
    message: `The head moved from ${before} to ${headSha}.`,
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

/** The same for a reply: it answers words, so a new head does not make it stale. */
export async function confirmReply(context: ToolContext): Promise<void> {
  await context.confirmBeforeWrite?.();
  await readOpen(context);
}

import type { LoggedWrite } from '../http/write-log.ts';
import type { HookEvent } from './hooks.ts';

/** The notifications a change causes when a subscription for each event exists; likes and edits cause none. */
export function eventsOfWrite(
  write: LoggedWrite,
): Pick<HookEvent, 'event' | 'number' | 'threadId' | 'commentId'>[] {
  const { number, threadId, commentId } = write.details;
  if (typeof number !== 'number') return [];
  switch (write.kind) {
    case 'pull_request.opened':
      return [{ event: 'created', number }];
    case 'pull_request.pushed':
      return [
        { event: 'updated', number },
        { event: 'merged', number },
      ];
    case 'pull_request.retargeted':
    case 'pull_request.closed':
    case 'pull_request.reopened':
    case 'pull_request.drafted':
    case 'pull_request.published':
      return [{ event: 'updated', number }];
    case 'thread.created':
    case 'comment.created':
      return typeof threadId === 'number' && typeof commentId === 'number'
        ? [{ event: 'comment', number, threadId, commentId }]
        : [];
    default:
      return [];
  }
}

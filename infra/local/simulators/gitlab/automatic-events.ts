import type { LoggedWrite } from '../http/write-log.ts';
import type { HookEvent } from './hooks.ts';

type Event = Pick<HookEvent, 'event' | 'number' | 'oldrev' | 'changes' | 'noteId'>;

/** The events that a change causes; system notes and award emoji cause none. */
export function eventsOfWrite(write: LoggedWrite): Event[] {
  const { number, noteId, before } = write.details;
  if (typeof number !== 'number') return [];
  const update = (changes: Readonly<Record<string, unknown>>): Event[] => [
    { event: 'update', number, changes },
  ];
  switch (write.kind) {
    case 'merge_request.opened':
      return [{ event: 'open', number }];
    case 'merge_request.reopened':
      return [{ event: 'reopen', number }];
    case 'merge_request.closed':
      return [{ event: 'close', number }];
    case 'merge_request.merged':
      return [{ event: 'merge', number }];
    case 'merge_request.pushed':
      return [{ event: 'update', number, oldrev: String(before) }];
    case 'merge_request.retargeted':
      return update({ target_branch: { previous: write.details['previous'], current: 'changed' } });
    case 'merge_request.drafted':
      return update({ draft: { previous: false, current: true } });
    case 'merge_request.published':
      return update({ draft: { previous: true, current: false } });
    case 'discussion.created':
    case 'note.created':
    case 'note.edited':
      return typeof noteId === 'number' ? [{ event: 'note', number, noteId }] : [];
    default:
      return [];
  }
}

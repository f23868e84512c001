import type { Account } from '../domain/pull-request.ts';
import type { Thread } from '../domain/thread.ts';
import { threadKey } from '../state/keys.ts';
import { readMarker } from './markers.ts';
import type { ToolContext } from './tool.ts';

/**
 * True when Gatehouse opened the thread: the opener is us AND the thread carries a marker or was recorded. An
 * identity may be shared with a person, and anybody can paste a marker, so neither is enough alone. A thread
 * without a first comment has an unknown opener and is foreign.
 */
export async function isOwnThread(context: ToolContext, thread: Thread, self: Account): Promise<boolean> {
  const [opening] = thread.comments;
  if (opening === undefined || opening.author.id !== self.id) return false;
  if (readMarker(opening.body) !== undefined) return true;
  return (await context.sessions.get(context.partitionKey, threadKey(thread.id))) !== undefined;
}

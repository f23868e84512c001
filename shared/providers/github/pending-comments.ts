import type { PendingComment } from '../write-ports.ts';
import type { RepositorySession } from './github-client.ts';
import { listThreadNodes, placeOf } from './thread-nodes.ts';

/** The comments of our pending review. Their side is known of the thread alone, so they are read through it. */
export async function listPendingComments(
  session: RepositorySession,
  number: number,
): Promise<PendingComment[]> {
  const threads = await listThreadNodes(session, number);
  return threads.flatMap(({ thread, comments }) =>
    comments
      .filter((comment) => comment.state === 'PENDING')
      .map((comment) => ({
        commentId: comment.id,
        path: thread.path,
        body: comment.body,
        ...placeOf(thread),
      })),
  );
}

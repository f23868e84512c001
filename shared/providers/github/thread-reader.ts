import type { ProviderThread, ThreadReader } from '../ports.ts';
import type { GitHubClient } from './github-client.ts';
import { actorToAccount, nodeToComment } from './graphql-schemas.ts';
import type { WholeThread } from './thread-nodes.ts';
import { listThreadNodes, placeOf } from './thread-nodes.ts';

/** Threads over GraphQL, since REST does not say what is resolved. */
export function createThreadReader(client: GitHubClient): ThreadReader {
  return {
    async listThreads(ref) {
      const session = await client.forRepository(ref);
      const threads = (await listThreadNodes(session, ref.number)).map(toThread);
      // Without a visible comment it is a draft of ours, or everything in it was deleted.
      return threads.filter((thread) => thread.comments.length > 0);
    },
  };
}

function toThread({ thread, comments: nodes }: WholeThread): ProviderThread {
  const comments = nodes.filter((comment) => comment.state === 'SUBMITTED').map(nodeToComment);
  const url = comments[0]?.url;
  return {
    id: thread.id,
    path: thread.path,
    isResolved: thread.isResolved,
    isOutdated: thread.isOutdated,
    comments,
    ...placeOf(thread),
    ...(thread.resolvedBy === undefined || thread.resolvedBy === null
      ? {}
      : { resolvedBy: actorToAccount(thread.resolvedBy) }),
    ...(url === undefined ? {} : { url }),
  };
}

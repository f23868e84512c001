import { z } from 'zod';
import type { ProviderThread, ThreadReader } from '../ports.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';
import { Actor, CommentConnection, PageInfo, actorToAccount, nodeToComment } from './graphql-schemas.ts';
import { MORE_COMMENTS_QUERY, THREADS_QUERY } from './thread-documents.ts';

const ThreadNode = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  isOutdated: z.boolean(),
  resolvedBy: Actor.optional(),
  path: z.string(),
  line: z.number().nullable(),
  startLine: z.number().nullable(),
  diffSide: z.enum(['LEFT', 'RIGHT']),
  subjectType: z.enum(['LINE', 'FILE']),
  comments: CommentConnection,
});

type ThreadNode = z.output<typeof ThreadNode>;
type CommentPage = z.output<typeof CommentConnection>;

const ThreadsAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({ pageInfo: PageInfo, nodes: z.array(ThreadNode.nullable()) }),
    }),
  }),
});

const MoreCommentsAnswer = z.object({ node: z.object({ comments: CommentConnection }) });

/** Threads over GraphQL, since REST does not say what is resolved; all pages of threads and of their comments. */
export function createThreadReader(client: GitHubClient): ThreadReader {
  return {
    async listThreads(ref) {
      const session = await client.forRepository(ref);
      const { owner, name: repo } = session.names;
      const answers = await session.queryPages(
        THREADS_QUERY,
        { owner, repo, number: ref.number },
        ThreadsAnswer,
      );
      const nodes = answers.flatMap((answer) => answer.repository.pullRequest.reviewThreads.nodes);
      const threads: ProviderThread[] = [];
      for (const node of nodes) {
        if (node === null) continue;
        const thread = toThread(node, await readAllComments(session, node));
        // Without a visible comment it is a draft of ours, or everything in it was deleted.
        if (thread.comments.length > 0) threads.push(thread);
      }
      return threads;
    },
  };
}

async function readAllComments(
  session: RepositorySession,
  thread: ThreadNode,
): Promise<CommentPage['nodes']> {
  const { nodes, pageInfo } = thread.comments;
  if (!pageInfo.hasNextPage) return nodes;
  const more = await session.queryPages(
    MORE_COMMENTS_QUERY,
    { threadId: thread.id, cursor: pageInfo.endCursor },
    MoreCommentsAnswer,
  );
  return [...nodes, ...more.flatMap((answer) => answer.node.comments.nodes)];
}

function toThread(node: ThreadNode, commentNodes: CommentPage['nodes']): ProviderThread {
  const comments = commentNodes
    .filter((comment) => comment !== null)
    .filter((comment) => comment.state === 'SUBMITTED')
    .map(nodeToComment);
  const url = comments[0]?.url;
  return {
    id: node.id,
    path: node.path,
    isResolved: node.isResolved,
    isOutdated: node.isOutdated,
    comments,
    ...placeOf(node),
    ...(node.resolvedBy === undefined || node.resolvedBy === null
      ? {}
      : { resolvedBy: actorToAccount(node.resolvedBy) }),
    ...(url === undefined ? {} : { url }),
  };
}

/** Where it stands now; nothing for whole files and for threads whose lines are gone. */
function placeOf(node: ThreadNode): Pick<ProviderThread, 'line' | 'startLine' | 'side'> {
  const { line, startLine } = node;
  if (node.subjectType === 'FILE' || line === null || node.isOutdated) return {};
  return {
    line,
    side: node.diffSide === 'LEFT' ? 'old' : 'new',
    ...(startLine === null ? {} : { startLine }),
  };
}

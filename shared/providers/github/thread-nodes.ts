import { z } from 'zod';
import type { ProviderThread } from '../ports.ts';
import type { RepositorySession } from './github-client.ts';
import { Actor, CommentConnection, PageInfo } from './graphql-schemas.ts';
import type { CommentNode } from './graphql-schemas.ts';
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

export type ThreadNode = z.output<typeof ThreadNode>;

const ThreadsAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({ pageInfo: PageInfo, nodes: z.array(ThreadNode.nullable()) }),
    }),
  }),
});

const MoreCommentsAnswer = z.object({ node: z.object({ comments: CommentConnection }) });

/** A thread with all its comments, those of our pending review included. */
export interface WholeThread {
  readonly thread: ThreadNode;
  readonly comments: readonly CommentNode[];
}

/** Every thread of a pull request, all pages of threads and of the comments in each. */
export async function listThreadNodes(session: RepositorySession, number: number): Promise<WholeThread[]> {
  const { owner, name: repo } = session.names;
  const answers = await session.queryPages(THREADS_QUERY, { owner, repo, number }, ThreadsAnswer);
  const threads: WholeThread[] = [];
  for (const answer of answers) {
    for (const thread of answer.repository.pullRequest.reviewThreads.nodes) {
      if (thread !== null) threads.push({ thread, comments: await readAllComments(session, thread) });
    }
  }
  return threads;
}

async function readAllComments(session: RepositorySession, thread: ThreadNode): Promise<CommentNode[]> {
  const { nodes, pageInfo } = thread.comments;
  const first = nodes.filter((comment) => comment !== null);
  if (!pageInfo.hasNextPage) return first;
  const more = await session.queryPages(
    MORE_COMMENTS_QUERY,
    { threadId: thread.id, cursor: pageInfo.endCursor },
    MoreCommentsAnswer,
  );
  const rest = more.flatMap((answer) => answer.node.comments.nodes).filter((comment) => comment !== null);
  return [...first, ...rest];
}

/** Where it stands now; nothing for whole files and for threads whose lines are gone. */
export function placeOf(node: ThreadNode): Pick<ProviderThread, 'line' | 'startLine' | 'side'> {
  const { line, startLine } = node;
  if (node.subjectType === 'FILE' || line === null || node.isOutdated) return {};
  return {
    line,
    side: node.diffSide === 'LEFT' ? 'old' : 'new',
    ...(startLine === null ? {} : { startLine }),
  };
}

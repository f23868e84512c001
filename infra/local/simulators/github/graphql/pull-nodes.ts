import { canSee } from '../access/viewer.ts';
import { isVisibleTo } from '../state/find.ts';
import type { SimIssueComment, SimPull } from '../state/model.ts';
import { mergeBaseOf } from '../state/pulls.ts';
import { actorNode, reactionGroups, repositoryNode } from './account-nodes.ts';
import type { ConnectionArguments } from './connection.ts';
import { connection } from './connection.ts';
import { TypedGraphqlError } from './errors.ts';
import { reviewNode, threadNode } from './review-nodes.ts';
import type { Scope } from './scope.ts';

function time(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

export function issueCommentNode(comment: SimIssueComment, scope: Scope): Record<string, unknown> {
  return {
    __typename: 'IssueComment',
    id: comment.nodeId,
    databaseId: comment.id,
    fullDatabaseId: String(comment.id),
    author: actorNode(comment.author, scope),
    body: comment.body,
    createdAt: time(comment.createdAt),
    updatedAt: time(comment.updatedAt),
    url: `${scope.urls.webPull(comment.pull)}#issuecomment-${comment.id}`,
    isMinimized: comment.minimized !== undefined,
    minimizedReason: comment.minimized?.toLowerCase() ?? null,
    viewerDidAuthor: comment.author === scope.viewer.user,
    reactionGroups: () => reactionGroups(comment.reactions, scope),
  };
}

interface ReviewArguments extends ConnectionArguments {
  readonly states?: readonly string[] | null;
  readonly author?: string | null;
}

export function pullNode(pull: SimPull, scope: Scope): Record<string, unknown> {
  const files = async () => pull.repository.git.changedFiles(await mergeBaseOf(pull), pull.headSha);
  return {
    __typename: 'PullRequest',
    id: pull.nodeId,
    fullDatabaseId: String(pull.id),
    number: pull.number,
    title: pull.title,
    body: pull.body,
    url: scope.urls.webPull(pull),
    author: actorNode(pull.author, scope),
    state: pull.mergedAt === undefined ? pull.state.toUpperCase() : 'MERGED',
    isDraft: pull.draft,
    merged: pull.mergedAt !== undefined,
    closed: pull.state === 'closed',
    createdAt: time(pull.createdAt),
    updatedAt: time(pull.updatedAt),
    mergedAt: time(pull.mergedAt),
    closedAt: time(pull.closedAt),
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
    baseRefName: pull.baseRef,
    baseRefOid: pull.baseSha,
    isCrossRepository: pull.fork !== undefined,
    viewerDidAuthor: pull.author === scope.viewer.user,
    repository: repositoryNode(pull.repository, scope),
    baseRepository: repositoryNode(pull.repository, scope),
    changedFiles: async () => (await files()).length,
    additions: async () => (await files()).reduce((sum, file) => sum + file.additions, 0),
    deletions: async () => (await files()).reduce((sum, file) => sum + file.deletions, 0),
    reactionGroups: () => reactionGroups(pull.reactions, scope),
    reviewThreads: (args: ConnectionArguments) =>
      connection(
        'reviewThreads',
        pull.threads.filter((thread) => isVisibleTo(thread, scope.viewer.user)),
        args,
        (thread) => thread.nodeId,
        (thread) => threadNode(thread, scope),
      ),
    reviews: (args: ReviewArguments) =>
      connection(
        'reviews',
        pull.reviews
          .filter((review) => isVisibleTo(review, scope.viewer.user))
          .filter((review) => args.states?.includes(review.state) ?? true)
          .filter(
            (review) =>
              typeof args.author !== 'string' ||
              review.author?.login.toLowerCase() === args.author.toLowerCase(),
          ),
        args,
        (review) => review.nodeId,
        (review) => reviewNode(review, scope),
      ),
    comments: (args: ConnectionArguments) =>
      connection(
        'comments',
        pull.issueComments,
        args,
        (comment) => comment.nodeId,
        (comment) => issueCommentNode(comment, scope),
      ),
  };
}

/** The root fields that lead to pull requests. */
export function findRepositoryNode(
  scope: Scope,
  args: { readonly owner: string; readonly name: string },
): Record<string, unknown> {
  const fullName = `${args.owner}/${args.name}`;
  const repository = scope.context.state.findRepository(fullName);
  if (repository === undefined || !canSee(scope.viewer, repository)) {
    throw new TypedGraphqlError(
      'NOT_FOUND',
      `Could not resolve to a Repository with the name '${fullName}'.`,
    );
  }
  return {
    ...repositoryNode(repository, scope),
    pullRequest: ({ number }: { readonly number: number }) => {
      const pull = repository.pulls.get(number);
      if (pull === undefined) {
        throw new TypedGraphqlError(
          'NOT_FOUND',
          `Could not resolve to a PullRequest with the number of ${number}.`,
        );
      }
      return pullNode(pull, scope);
    },
  };
}

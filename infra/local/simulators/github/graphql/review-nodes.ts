import { authorAssociation } from '../rest/render-accounts.ts';
import { reviewCommentsOf } from '../state/comments.ts';
import { isVisibleTo } from '../state/find.ts';
import type { SimPull, SimReview, SimReviewComment, SimThread, SimUser } from '../state/model.ts';
import { actorNode, reactionGroups, repositoryNode } from './account-nodes.ts';
import type { ConnectionArguments } from './connection.ts';
import { connection } from './connection.ts';
import type { Scope } from './scope.ts';

function time(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

function associationOf(user: SimUser | null, pull: SimPull, { context }: Scope): string {
  const level = user === null ? 'none' : context.state.permissionOf(pull.repository, user);
  return authorAssociation(user, pull.repository, level);
}

/** REST ids as GraphQL has them: `fullDatabaseId` is a string; `databaseId` breaks above 2^31. */
function databaseIds(id: number): Record<string, unknown> {
  return { databaseId: id, fullDatabaseId: String(id) };
}

function commitNode(sha: string): Record<string, unknown> {
  return { __typename: 'Commit', oid: sha, abbreviatedOid: sha.slice(0, 7) };
}

export function reviewNode(review: SimReview, scope: Scope): Record<string, unknown> {
  const url = `${scope.urls.webPull(review.pull)}#pullrequestreview-${review.id}`;
  return {
    __typename: 'PullRequestReview',
    id: review.nodeId,
    ...databaseIds(review.id),
    author: actorNode(review.author, scope),
    authorAssociation: associationOf(review.author, review.pull, scope),
    body: review.body,
    bodyText: review.body.replace(/<!--.*?-->/gs, '').trim(),
    state: review.state,
    commit: commitNode(review.commitId),
    createdAt: time(review.createdAt),
    updatedAt: time(review.updatedAt),
    submittedAt: time(review.submittedAt),
    publishedAt: time(review.submittedAt),
    url,
    viewerDidAuthor: review.author === scope.viewer.user,
    viewerCanUpdate: review.author === scope.viewer.user,
    viewerCanDelete: review.author === scope.viewer.user,
    isMinimized: false,
    minimizedReason: null,
    repository: repositoryNode(review.pull.repository, scope),
    pullRequest: () => scope.pullNode(review.pull),
    comments: (args: ConnectionArguments) =>
      connection(
        'comments',
        reviewCommentsOf(review.pull).filter((comment) => comment.review === review),
        args,
        (comment) => comment.nodeId,
        (comment) => commentNode(comment, scope),
      ),
  };
}

export function commentNode(comment: SimReviewComment, scope: Scope): Record<string, unknown> {
  const { thread } = comment;
  const { anchor, pull } = thread;
  const place = () => scope.context.places.of(thread);
  const isPending = comment.review.state === 'PENDING';
  return {
    __typename: 'PullRequestReviewComment',
    id: comment.nodeId,
    ...databaseIds(comment.id),
    author: actorNode(comment.author, scope),
    authorAssociation: associationOf(comment.author, pull, scope),
    body: comment.body,
    bodyText: comment.body.replace(/<!--.*?-->/gs, '').trim(),
    path: anchor.path,
    diffHunk: anchor.diffHunk,
    line: async () => (await place()).line ?? null,
    startLine: async () => (await place()).startLine ?? null,
    originalLine: anchor.line ?? null,
    originalStartLine: anchor.startLine ?? null,
    outdated: async () => (await place()).isOutdated,
    subjectType: anchor.subjectType === 'file' ? 'FILE' : 'LINE',
    commit: commitNode(pull.headSha),
    originalCommit: commitNode(anchor.commitId),
    createdAt: time(comment.createdAt),
    updatedAt: time(comment.updatedAt),
    draftedAt: time(comment.createdAt),
    publishedAt: isPending ? null : time(comment.review.submittedAt ?? comment.createdAt),
    lastEditedAt: comment.updatedAt === comment.createdAt ? null : time(comment.updatedAt),
    url: `${scope.urls.webPull(pull)}#discussion_r${comment.id}`,
    state: isPending ? 'PENDING' : 'SUBMITTED',
    isMinimized: comment.minimized !== undefined,
    minimizedReason: comment.minimized?.toLowerCase() ?? null,
    viewerDidAuthor: comment.author === scope.viewer.user,
    viewerCanUpdate: comment.author === scope.viewer.user,
    viewerCanDelete: comment.author === scope.viewer.user,
    viewerCanReact: true,
    viewerCanMinimize: true,
    replyTo: () => (comment.inReplyTo === undefined ? null : commentNode(comment.inReplyTo, scope)),
    reactionGroups: () => reactionGroups(comment.reactions, scope),
    pullRequestReview: () => reviewNode(comment.review, scope),
    pullRequest: () => scope.pullNode(pull),
    repository: repositoryNode(pull.repository, scope),
  };
}

export function threadNode(thread: SimThread, scope: Scope): Record<string, unknown> {
  const { anchor, pull } = thread;
  const place = () => scope.context.places.of(thread);
  return {
    __typename: 'PullRequestReviewThread',
    id: thread.nodeId,
    path: anchor.path,
    line: async () => (await place()).line ?? null,
    startLine: async () => (await place()).startLine ?? null,
    originalLine: anchor.line ?? null,
    originalStartLine: anchor.startLine ?? null,
    diffSide: anchor.side,
    startDiffSide: anchor.startSide ?? null,
    subjectType: anchor.subjectType === 'file' ? 'FILE' : 'LINE',
    isResolved: thread.isResolved,
    isCollapsed: thread.isResolved,
    isOutdated: async () => (await place()).isOutdated,
    resolvedBy:
      thread.resolvedBy === undefined ? null : { ...actorNode(thread.resolvedBy, scope), __typename: 'User' },
    viewerCanReply: true,
    viewerCanResolve: !thread.isResolved,
    viewerCanUnresolve: thread.isResolved,
    pullRequest: () => scope.pullNode(pull),
    repository: repositoryNode(pull.repository, scope),
    comments: (args: ConnectionArguments) =>
      connection(
        'comments',
        thread.comments.filter((comment) => isVisibleTo(comment, scope.viewer.user)),
        args,
        (comment) => comment.nodeId,
        (comment) => commentNode(comment, scope),
      ),
  };
}

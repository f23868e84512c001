import type { SimIssueComment, SimPull, SimReview, SimReviewComment, SimThread, SimUser } from './model.ts';
import type { GitHubState } from './state.ts';

export interface NodeValues {
  readonly pull: SimPull;
  readonly review: SimReview;
  readonly thread: SimThread;
  readonly 'review-comment': SimReviewComment;
  readonly 'issue-comment': SimIssueComment;
}

export interface NodeOf<Kind extends keyof NodeValues> {
  readonly kind: Kind;
  readonly value: NodeValues[Kind];
}

/** An object with a global id, and what it is. */
export type FoundNode = { readonly [Kind in keyof NodeValues]: NodeOf<Kind> }[keyof NodeValues];

/** The pull request that a node belongs to. */
export function pullOfNode(node: FoundNode): SimPull {
  switch (node.kind) {
    case 'pull':
      return node.value;
    case 'review-comment':
      return node.value.thread.pull;
    case 'review':
    case 'thread':
    case 'issue-comment':
      return node.value.pull;
    default:
      return node satisfies never;
  }
}

function findInPull(pull: SimPull, nodeId: string): FoundNode | undefined {
  if (pull.nodeId === nodeId) return { kind: 'pull', value: pull };
  const review = pull.reviews.find((candidate) => candidate.nodeId === nodeId);
  if (review !== undefined) return { kind: 'review', value: review };
  const issueComment = pull.issueComments.find((candidate) => candidate.nodeId === nodeId);
  if (issueComment !== undefined) return { kind: 'issue-comment', value: issueComment };
  for (const thread of pull.threads) {
    if (thread.nodeId === nodeId) return { kind: 'thread', value: thread };
    const comment = thread.comments.find((candidate) => candidate.nodeId === nodeId);
    if (comment !== undefined) return { kind: 'review-comment', value: comment };
  }
  return undefined;
}

/** Whatever has this global id; visibility is the caller's business. */
export function findNode(state: GitHubState, nodeId: string): FoundNode | undefined {
  for (const repository of state.repositories) {
    for (const pull of repository.pulls.values()) {
      const found = findInPull(pull, nodeId);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Pending comments and reviews exist only for their author. */
export function isVisibleTo(item: SimReview | SimReviewComment | SimThread, user: SimUser): boolean {
  if ('comments' in item) return item.comments.some((comment) => isVisibleTo(comment, user));
  const review = 'review' in item ? item.review : item;
  return review.state !== 'PENDING' || review.author === user;
}

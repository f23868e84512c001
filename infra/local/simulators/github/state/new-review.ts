import type { Actor } from '../access/viewer.ts';
import type { ReviewState, SimPull, SimReview } from './model.ts';
import { Refusal } from './refusal.ts';
import type { WriteContext, Writer } from './write-context.ts';

export type ReviewEvent = 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';

export const STATE_OF_EVENT: Readonly<Record<ReviewEvent, ReviewState>> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};

export function findPendingReview(pull: SimPull, viewer: Actor): SimReview | undefined {
  return pull.reviews.find((review) => review.state === 'PENDING' && review.author === viewer.user);
}

/** The commit a comment is made on. @throws Refusal unless it is one of the pull request's commits. */
export async function commitOfPull(pull: SimPull, commitId: string | undefined): Promise<string> {
  if (commitId === undefined || commitId === pull.headSha) return pull.headSha;
  const { git } = pull.repository;
  const sha = await git.findCommit(commitId);
  if (sha !== commitId) throw new Refusal('commit_not_in_pull');
  for (const head of pull.heads) {
    const isOwn = (await git.isAncestor(sha, head)) && !(await git.isAncestor(sha, pull.baseSha));
    if (isOwn) return sha;
  }
  throw new Refusal('commit_not_in_pull');
}

export function addReview(
  { state }: WriteContext,
  pull: SimPull,
  writer: Writer,
  review: { readonly body: string; readonly commitId: string; readonly event: ReviewEvent | undefined },
): SimReview {
  const id = state.ids.next();
  const now = state.now();
  const added: SimReview = {
    id,
    nodeId: state.ids.node('PRR', id),
    pull,
    author: writer.viewer.user,
    body: review.body,
    state: review.event === undefined ? 'PENDING' : STATE_OF_EVENT[review.event],
    commitId: review.commitId,
    submittedAt: review.event === undefined ? undefined : now,
    createdAt: now,
    updatedAt: now,
  };
  pull.reviews.push(added);
  return added;
}

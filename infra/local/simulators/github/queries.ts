import type { GitHubContext } from './context.ts';
import type { Urls } from './rest/urls.ts';
import { isoTime } from './rest/urls.ts';
import { reviewCommentsOf } from './state/comments.ts';
import type { DiffSide, SimPull, SimReviewComment } from './state/model.ts';

/** An inline comment as it was posted. */
export interface PostedComment {
  readonly id: number;
  readonly threadId: string;
  readonly path: string;
  /** As posted; null for a comment on a whole file. */
  readonly line: number | null;
  readonly startLine: number | null;
  readonly side: DiffSide;
  readonly body: string;
  /** `ghost` for a deleted account. */
  readonly author: string;
  readonly url: string;
  readonly reviewId: number;
  /** The commit it was posted on. */
  readonly commit: string;
  readonly inReplyTo: number | null;
  readonly isPending: boolean;
  readonly isResolved: boolean;
  /** Where it stands in the present diff; null when outdated. */
  readonly currentLine: number | null;
  readonly isOutdated: boolean;
  readonly createdAt: string;
}

export interface PostedReviewSummary {
  readonly id: number;
  readonly state: string;
  readonly body: string;
  readonly author: string;
  readonly commit: string;
  readonly url: string;
  readonly submittedAt: string | null;
  readonly comments: number;
}

export interface PostedIssueComment {
  readonly id: number;
  readonly body: string;
  readonly author: string;
  readonly url: string;
  readonly createdAt: string;
}

/** The end state, for tests and the demo. Every list is in the order of creation; `repository` is `owner/name`. */
export interface PostedQueries {
  comments(number: number, repository?: string): Promise<PostedComment[]>;
  reviews(number: number, repository?: string): PostedReviewSummary[];
  issueComments(number: number, repository?: string): PostedIssueComment[];
}

export function createQueries(
  context: GitHubContext,
  findPull: (number: number, repository?: string) => SimPull,
  urls: () => Urls,
): PostedQueries {
  async function describe(comment: SimReviewComment): Promise<PostedComment> {
    const { thread } = comment;
    const { anchor } = thread;
    const place = await context.places.of(thread);
    return {
      id: comment.id,
      threadId: thread.nodeId,
      path: anchor.path,
      line: anchor.line ?? null,
      startLine: anchor.startLine ?? null,
      side: anchor.side,
      body: comment.body,
      author: comment.author?.login ?? 'ghost',
      url: `${urls().webPull(thread.pull)}#discussion_r${comment.id}`,
      reviewId: comment.review.id,
      commit: anchor.commitId,
      inReplyTo: comment.inReplyTo?.id ?? null,
      isPending: comment.review.state === 'PENDING',
      isResolved: thread.isResolved,
      currentLine: place.line ?? null,
      isOutdated: place.isOutdated,
      createdAt: isoTime(comment.createdAt),
    };
  }
  return {
    comments: (number, repository) =>
      Promise.all(reviewCommentsOf(findPull(number, repository)).map(describe)),
    reviews(number, repository) {
      const pull = findPull(number, repository);
      const comments = reviewCommentsOf(pull);
      return pull.reviews.map((review) => ({
        id: review.id,
        state: review.state,
        body: review.body,
        author: review.author?.login ?? 'ghost',
        commit: review.commitId,
        url: `${urls().webPull(pull)}#pullrequestreview-${review.id}`,
        submittedAt: isoTime(review.submittedAt),
        comments: comments.filter((comment) => comment.review === review).length,
      }));
    },
    issueComments: (number, repository) =>
      findPull(number, repository).issueComments.map((comment) => ({
        id: comment.id,
        body: comment.body,
        author: comment.author?.login ?? 'ghost',
        url: `${urls().webPull(comment.pull)}#issuecomment-${comment.id}`,
        createdAt: isoTime(comment.createdAt),
      })),
  };
}

import { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { BatchReviewWriter, NewInlineComment } from '../write-ports.ts';
import type { GitHubClient } from './github-client.ts';
import { User, toAccount } from './schemas.ts';

const PostedReviewAnswer = z.object({ id: z.number(), html_url: z.string() });

const ListedReview = z.object({
  id: z.number(),
  user: User,
  body: z.string().nullish(),
  state: z.string(),
  commit_id: z.string().nullish(),
  html_url: z.string(),
});

const REVIEWS_PATH = '/repos/{owner}/{repo}/pulls/{number}/reviews';

/** Posts a review with all its comments in one request: one notification, one unit of GitHub's content limits. */
export function createBatchReviewWriter(client: GitHubClient): BatchReviewWriter {
  return {
    async createReview(ref, review, signal) {
      const session = await client.forRepository(ref);
      try {
        const answer = await session.write(
          `POST ${REVIEWS_PATH}`,
          {
            number: ref.number,
            commit_id: review.commit,
            body: review.body,
            event: 'COMMENT',
            comments: review.comments.map(toRestComment),
          },
          PostedReviewAnswer,
          signal,
        );
        return { reviewId: String(answer.id), url: answer.html_url };
      } catch (error) {
        throw isAppError(error, 'rejected') ? reviewRefused(error) : error;
      }
    },

    async listReviews(ref) {
      const session = await client.forRepository(ref);
      const reviews = await session.list(REVIEWS_PATH, { number: ref.number }, ListedReview);
      return reviews
        .filter((review) => review.state !== 'PENDING')
        .map((review) => ({
          reviewId: String(review.id),
          author: toAccount(review.user),
          body: review.body ?? '',
          commit: review.commit_id ?? '',
          url: review.html_url,
        }));
    },
  };
}

/** Lines on the old file are LEFT, on the new one RIGHT; a range starts and ends on the same side. */
export function toRestComment(comment: NewInlineComment): Record<string, string | number> {
  const side = comment.side === 'old' ? 'LEFT' : 'RIGHT';
  const isRange = comment.startLine !== undefined && comment.startLine < comment.line;
  return {
    path: comment.path,
    body: comment.body,
    line: comment.line,
    side,
    ...(isRange ? { start_line: comment.startLine, start_side: side } : {}),
  };
}

/** One bad comment sinks the whole batch, and GitHub does not say which: the caller goes on comment by comment. */
function reviewRefused(error: AppError): AppError {
  return new AppError({
    kind: 'rejected',
    code: 'review_refused',
    message: 'GitHub refused the whole review; nothing of it was posted. See what it said.',
    ...(error.details === undefined ? {} : { details: error.details }),
  });
}

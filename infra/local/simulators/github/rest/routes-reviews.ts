import { z } from 'zod';
import type { Route } from '../../http/router.ts';
import type { GitHubContext, PullRequestRequest } from '../context.ts';
import { pullRoute, requirePermission } from '../context.ts';
import { editReview, reviewCommentsOf } from '../state/comments.ts';
import type { SimReview } from '../state/model.ts';
import { createReview, deletePendingReview, submitReview } from '../state/reviews.ts';
import type { NewThread } from '../state/threads.ts';
import { notFound, unprocessable } from './errors.ts';
import { pageReply } from './paging.ts';
import { batchRefusal, withRefusals } from './refusals.ts';
import { renderReview } from './render-reviews.ts';
import { parseBody } from './request-body.ts';
import { renderComments, writerOf } from './review-replies.ts';

const Event = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const Side = z.enum(['LEFT', 'RIGHT']);

/** `comments` has no `subject_type`: whole files cannot be commented in a batch. */
const NewReviewBody = z.object({
  commit_id: z.string().optional(),
  body: z.string().nullish(),
  event: Event.optional(),
  comments: z
    .array(
      z.object({
        path: z.string(),
        body: z.string(),
        position: z.int().optional(),
        line: z.int().optional(),
        side: Side.optional(),
        start_line: z.int().nullish(),
        start_side: Side.nullish(),
      }),
    )
    .optional(),
});

function threadOf(comment: NonNullable<z.infer<typeof NewReviewBody>['comments']>[number]): NewThread {
  return {
    path: comment.path,
    body: comment.body,
    line: comment.line,
    side: comment.side,
    startLine: comment.start_line ?? undefined,
    startSide: comment.start_side ?? undefined,
    position: comment.position,
  };
}

/** A pending review exists only for its author. */
function visibleReviews({ pull, viewer }: PullRequestRequest): SimReview[] {
  return pull.reviews.filter((review) => review.state !== 'PENDING' || review.author === viewer.user);
}

function requireReview(input: PullRequestRequest): SimReview {
  const id = input.request.params['review'];
  const review = visibleReviews(input).find((candidate) => String(candidate.id) === id);
  if (review === undefined) throw notFound();
  return review;
}

/** Reviews: batches, drafts, submitting. */
export function reviewRoutes(context: GitHubContext): Route[] {
  const { state } = context;
  return [
    pullRoute(context, 'GET', '/reviews', (input) =>
      pageReply(input.request, input.repository, visibleReviews(input), (review) =>
        renderReview(review, state, input.urls),
      ),
    ),
    pullRoute(context, 'POST', '/reviews', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const body = parseBody(context, input.request, NewReviewBody);
      return withRefusals(batchRefusal, async () => {
        const review = await createReview(context, input.pull, writerOf(input), {
          commitId: body.commit_id,
          body: body.body ?? '',
          event: body.event,
          threads: (body.comments ?? []).map(threadOf),
        });
        return { status: 200, json: renderReview(review, state, input.urls) };
      });
    }),
    pullRoute(context, 'GET', '/reviews/:review', (input) => ({
      status: 200,
      json: renderReview(requireReview(input), state, input.urls),
    })),
    pullRoute(context, 'PUT', '/reviews/:review', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const review = requireReview(input);
      const { body } = parseBody(context, input.request, z.object({ body: z.string() }));
      return withRefusals(batchRefusal, () => {
        editReview(context, review, writerOf(input), body);
        return { status: 200, json: renderReview(review, state, input.urls) };
      });
    }),
    pullRoute(context, 'DELETE', '/reviews/:review', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const review = requireReview(input);
      return withRefusals(batchRefusal, () => {
        const rendered = renderReview(review, state, input.urls);
        deletePendingReview(context, review, writerOf(input));
        return { status: 200, json: rendered };
      });
    }),
    pullRoute(context, 'POST', '/reviews/:review/events', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const review = requireReview(input);
      const body = parseBody(
        context,
        input.request,
        z.object({ event: Event.optional(), body: z.string().nullish() }),
      );
      if (body.event === undefined) throw unprocessable('Invalid request.\n\n"event" wasn\'t supplied.');
      const { event } = body;
      return withRefusals(batchRefusal, () => {
        submitReview(context, review, writerOf(input), { event, body: body.body ?? undefined });
        return { status: 200, json: renderReview(review, state, input.urls) };
      });
    }),
    pullRoute(context, 'GET', '/reviews/:review/comments', async (input) => {
      const review = requireReview(input);
      const comments = reviewCommentsOf(input.pull).filter((comment) => comment.review === review);
      const render = await renderComments(context, comments, input.urls);
      return pageReply(input.request, input.repository, comments, render);
    }),
  ];
}

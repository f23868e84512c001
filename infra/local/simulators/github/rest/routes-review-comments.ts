import { z } from 'zod';
import { readJson } from '../../http/exchange.ts';
import type { Route } from '../../http/router.ts';
import type { GitHubContext, PullRequestRequest, RepositoryRequest } from '../context.ts';
import { pullRoute, repositoryRoute, requirePermission } from '../context.ts';
import { deleteReviewComment, editComment, reviewCommentsOf } from '../state/comments.ts';
import type { SimReviewComment } from '../state/model.ts';
import { createReply, createThread } from '../state/threads.ts';
import { forbidden, notFound, unprocessable } from './errors.ts';
import { pageReply } from './paging.ts';
import { commentRefusal, withRefusals } from './refusals.ts';
import { parseBody } from './request-body.ts';
import { renderComments, writerOf } from './review-replies.ts';

const words = commentRefusal('PullRequestReviewComment');
const Side = z.enum(['LEFT', 'RIGHT']);

/** With a parent every other field is known and ignored. */
const ReplyBody = z.object({
  body: z.string(),
  in_reply_to: z.int(),
  commit_id: z.unknown().optional(),
  path: z.unknown().optional(),
  line: z.unknown().optional(),
  side: z.unknown().optional(),
});
const IsReply = z.looseObject({ in_reply_to: z.int() });
const NewCommentBody = z.object({
  body: z.string(),
  commit_id: z.string(),
  path: z.string(),
  position: z.int().optional(),
  line: z.int().optional(),
  side: Side.optional(),
  start_line: z.int().nullish(),
  /** The schema also lists `side`, which no one can explain. */
  start_side: z.enum(['LEFT', 'RIGHT', 'side']).nullish(),
  subject_type: z.enum(['line', 'file']).optional(),
});

/** A comment that everyone may see: nothing of a pending review. */
function isSubmitted(comment: SimReviewComment): boolean {
  return comment.review.state !== 'PENDING';
}

export function requireReviewComment({ request, repository }: RepositoryRequest): SimReviewComment {
  const id = request.params['comment'];
  for (const pull of repository.pulls.values()) {
    for (const comment of reviewCommentsOf(pull)) {
      if (String(comment.id) === id && isSubmitted(comment)) return comment;
    }
  }
  throw notFound();
}

/** Review comments one by one. */
export function reviewCommentRoutes(context: GitHubContext): Route[] {
  async function reply(
    input: RepositoryRequest,
    status: number,
    comment: SimReviewComment,
  ): Promise<{ status: number; json: unknown }> {
    const render = await renderComments(context, [comment], input.urls);
    return { status, json: render(comment) };
  }
  function answer(input: PullRequestRequest, parentId: number, body: string): SimReviewComment {
    const parent = reviewCommentsOf(input.pull).find(
      (comment) => comment.id === parentId && isSubmitted(comment),
    );
    if (parent === undefined) throw notFound();
    return createReply(context, parent.thread, writerOf(input), body);
  }
  return [
    pullRoute(context, 'GET', '/comments', async (input) => {
      const { request, pull } = input;
      const comments = reviewCommentsOf(pull).filter(isSubmitted);
      if (request.query.get('direction') === 'desc') comments.reverse();
      const since = Date.parse(request.query.get('since') ?? '');
      const wanted = Number.isNaN(since)
        ? comments
        : comments.filter((comment) => comment.updatedAt >= since);
      const render = await renderComments(context, wanted, input.urls);
      return pageReply(request, input.repository, wanted, render);
    }),
    pullRoute(context, 'POST', '/comments', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      return withRefusals(words, async () => {
        if (IsReply.safeParse(readJson(input.request)).success) {
          const { body, in_reply_to: parent } = parseBody(context, input.request, ReplyBody);
          return reply(input, 201, answer(input, parent, body));
        }
        const given = parseBody(context, input.request, NewCommentBody);
        if (given.subject_type !== 'file' && given.line === undefined && given.position === undefined) {
          throw unprocessable('Invalid request.\n\nOne of "line", "position" and "subject_type" is needed.');
        }
        const thread = await createThread(context, input.pull, writerOf(input), {
          path: given.path,
          body: given.body,
          commitId: given.commit_id,
          line: given.line,
          side: given.side,
          startLine: given.start_line ?? undefined,
          startSide: given.start_side === 'side' ? undefined : (given.start_side ?? undefined),
          position: given.position,
          subjectType: given.subject_type,
        });
        const [comment] = thread.comments;
        if (comment === undefined) throw notFound();
        return reply(input, 201, comment);
      });
    }),
    pullRoute(context, 'POST', '/comments/:comment/replies', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      // The published description marks this endpoint as not enabled for Apps.
      if (input.viewer.kind === 'installation') throw forbidden('Resource not accessible by integration');
      const parent = requireReviewComment(input);
      if (parent.thread.pull !== input.pull || parent.inReplyTo !== undefined) throw notFound();
      const { body } = parseBody(context, input.request, z.object({ body: z.string() }));
      return withRefusals(words, () => reply(input, 201, answer(input, parent.id, body)));
    }),
    repositoryRoute(context, 'GET', '/pulls/comments/:comment', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'read');
      return reply(input, 200, requireReviewComment(input));
    }),
    repositoryRoute(context, 'PATCH', '/pulls/comments/:comment', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const comment = requireReviewComment(input);
      const { body } = parseBody(context, input.request, z.object({ body: z.string() }));
      return withRefusals(words, () => {
        editComment(context, comment, comment.thread.pull, writerOf(input), body);
        return reply(input, 200, comment);
      });
    }),
    repositoryRoute(context, 'DELETE', '/pulls/comments/:comment', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const comment = requireReviewComment(input);
      return withRefusals(words, () => {
        deleteReviewComment(context, comment, writerOf(input));
        return { status: 204 };
      });
    }),
  ];
}

import { z } from 'zod';
import type { Route } from '../../http/router.ts';
import type { GitHubContext, RepositoryRequest } from '../context.ts';
import { pullRoute, repositoryRoute, requirePermission } from '../context.ts';
import { createIssueComment, deleteIssueComment, editComment } from '../state/comments.ts';
import type { SimIssueComment } from '../state/model.ts';
import { notFound } from './errors.ts';
import { pageReply } from './paging.ts';
import { commentRefusal, withRefusals } from './refusals.ts';
import { renderIssueComment } from './render-reviews.ts';
import { parseBody } from './request-body.ts';
import { writerOf } from './review-replies.ts';

const words = commentRefusal('IssueComment');
const CommentBody = z.object({ body: z.string() });

export function requireIssueComment({ request, repository }: RepositoryRequest): SimIssueComment {
  const id = request.params['comment'];
  for (const pull of repository.pulls.values()) {
    const comment = pull.issueComments.find((candidate) => String(candidate.id) === id);
    if (comment !== undefined) return comment;
  }
  throw notFound();
}

/** Comments of the conversation. Apps need pull_requests, not issues, to write them on a pull request. */
export function issueCommentRoutes(context: GitHubContext): Route[] {
  const { state } = context;
  return [
    pullRoute(
      context,
      'GET',
      '/comments',
      ({ request, pull, repository, urls }) =>
        pageReply(request, repository, pull.issueComments, (comment) =>
          renderIssueComment(comment, state, urls),
        ),
      'issues',
    ),
    pullRoute(
      context,
      'POST',
      '/comments',
      (input) => {
        requirePermission(input.viewer, 'pull_requests', 'write');
        const { body } = parseBody(context, input.request, CommentBody);
        return withRefusals(words, () => {
          const comment = createIssueComment(context, input.pull, writerOf(input), body);
          return { status: 201, json: renderIssueComment(comment, state, input.urls) };
        });
      },
      'issues',
    ),
    repositoryRoute(context, 'GET', '/issues/comments/:comment', (input) => ({
      status: 200,
      json: renderIssueComment(requireIssueComment(input), state, input.urls),
    })),
    repositoryRoute(context, 'PATCH', '/issues/comments/:comment', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const comment = requireIssueComment(input);
      const { body } = parseBody(context, input.request, CommentBody);
      return withRefusals(words, () => {
        editComment(context, comment, comment.pull, writerOf(input), body);
        return { status: 200, json: renderIssueComment(comment, state, input.urls) };
      });
    }),
    repositoryRoute(context, 'DELETE', '/issues/comments/:comment', (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const comment = requireIssueComment(input);
      return withRefusals(words, () => {
        deleteIssueComment(context, comment, writerOf(input));
        return { status: 204 };
      });
    }),
  ];
}

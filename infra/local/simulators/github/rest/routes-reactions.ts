import { z } from 'zod';
import type { Route } from '../../http/router.ts';
import type { GitHubContext, PullRequestRequest, RepositoryRequest } from '../context.ts';
import { pullRoute, repositoryRoute, requirePermission } from '../context.ts';
import { REACTIONS, addReaction, removeReaction } from '../state/comments.ts';
import type { SimPull, SimReaction } from '../state/model.ts';
import { notFound } from './errors.ts';
import { pageReply } from './paging.ts';
import { batchRefusal, withRefusals } from './refusals.ts';
import { renderReaction } from './render-reviews.ts';
import { parseBody } from './request-body.ts';
import { writerOf } from './review-replies.ts';
import { requireIssueComment } from './routes-issue-comments.ts';
import { requireReviewComment } from './routes-review-comments.ts';

const ReactionBody = z.object({ content: z.enum(REACTIONS) });

interface Subject {
  readonly pull: SimPull;
  readonly reactions: SimReaction[];
}

type Define = <Input extends RepositoryRequest>(
  find: (input: Input) => Subject,
) => {
  list: (input: Input) => ReturnType<typeof pageReply>;
  add: (input: Input) => { status: number; json: unknown };
  remove: (input: Input) => ReturnType<typeof withRefusals>;
};

/** Reactions on review comments, on comments of the conversation, and on the pull request itself. */
export function reactionRoutes(context: GitHubContext): Route[] {
  const define: Define = (find) => ({
    list: (input) =>
      pageReply(input.request, input.repository, find(input).reactions, (reaction) =>
        renderReaction(reaction, input.urls),
      ),
    add: (input) => {
      requirePermission(input.viewer, 'pull_requests', 'write');
      const { pull, reactions } = find(input);
      const { content } = parseBody(context, input.request, ReactionBody);
      const { reaction, isNew } = addReaction(context, reactions, pull, writerOf(input), content);
      return { status: isNew ? 201 : 200, json: renderReaction(reaction, input.urls) };
    },
    remove: (input) =>
      withRefusals(batchRefusal, () => {
        const { pull, reactions } = find(input);
        const id = input.request.params['reaction'];
        const reaction = reactions.find((candidate) => String(candidate.id) === id);
        if (reaction === undefined) throw notFound();
        removeReaction(context, reactions, pull, writerOf(input), reaction);
        return { status: 204 };
      }),
  });
  const onReviewComment = define((input: RepositoryRequest) => {
    const comment = requireReviewComment(input);
    return { pull: comment.thread.pull, reactions: comment.reactions };
  });
  const onIssueComment = define((input: RepositoryRequest) => requireIssueComment(input));
  const onPull = define(({ pull }: PullRequestRequest) => ({ pull, reactions: pull.reactions }));
  return [
    ...(
      [
        ['/pulls/comments/:comment/reactions', onReviewComment],
        ['/issues/comments/:comment/reactions', onIssueComment],
      ] as const
    ).flatMap(([path, on]) => [
      repositoryRoute(context, 'GET', path, on.list),
      repositoryRoute(context, 'POST', path, on.add),
      repositoryRoute(context, 'DELETE', `${path}/:reaction`, on.remove),
    ]),
    pullRoute(context, 'GET', '/reactions', onPull.list, 'issues'),
    pullRoute(context, 'POST', '/reactions', onPull.add, 'issues'),
    pullRoute(context, 'DELETE', '/reactions/:reaction', onPull.remove, 'issues'),
  ];
}

import type { SimIssueComment, SimPull, SimReaction, SimReview, SimReviewComment } from './model.ts';
import { Refusal } from './refusal.ts';
import { removeComment } from './threads.ts';
import type { WriteContext, Writer } from './write-context.ts';
import { checkBody, checkLength, record } from './write-context.ts';

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const;
export type ReactionContent = (typeof REACTIONS)[number];

/** Authors may change what they wrote, and so may people who can push. @throws Refusal not_permitted */
function checkMayChange(
  { state }: WriteContext,
  comment: { readonly author: SimReviewComment['author'] },
  pull: SimPull,
  { viewer }: Writer,
): void {
  if (comment.author === viewer.user) return;
  const level = state.permissionOf(pull.repository, viewer.user);
  const mayPush = viewer.kind === 'user' && ['admin', 'maintain', 'write'].includes(level);
  if (!mayPush) throw new Refusal('not_permitted');
}

export function editComment(
  context: WriteContext,
  comment: SimReviewComment | SimIssueComment,
  pull: SimPull,
  writer: Writer,
  body: string,
): void {
  checkMayChange(context, comment, pull, writer);
  checkBody(context.state, body);
  comment.body = body;
  comment.updatedAt = context.state.now();
  record(context, writer, 'comment.edited', pull, { commentId: comment.id });
}

export function deleteReviewComment(context: WriteContext, comment: SimReviewComment, writer: Writer): void {
  const { pull } = comment.thread;
  checkMayChange(context, comment, pull, writer);
  removeComment(comment);
  record(context, writer, 'comment.deleted', pull, { commentId: comment.id });
}

export function createIssueComment(
  context: WriteContext,
  pull: SimPull,
  writer: Writer,
  body: string,
): SimIssueComment {
  checkBody(context.state, body);
  const { state } = context;
  const id = state.ids.next();
  const comment: SimIssueComment = {
    id,
    nodeId: state.ids.node('IC', id),
    pull,
    author: writer.viewer.user,
    body,
    createdAt: state.now(),
    updatedAt: state.now(),
    minimized: undefined,
    reactions: [],
  };
  pull.issueComments.push(comment);
  record(context, writer, 'issue_comment.created', pull, { commentId: id });
  return comment;
}

export function deleteIssueComment(context: WriteContext, comment: SimIssueComment, writer: Writer): void {
  const { pull } = comment;
  checkMayChange(context, comment, pull, writer);
  pull.issueComments.splice(pull.issueComments.indexOf(comment), 1);
  record(context, writer, 'issue_comment.deleted', pull, { commentId: comment.id });
}

/** Changes the body of a submitted or pending review. @throws Refusal */
export function editReview(context: WriteContext, review: SimReview, writer: Writer, body: string): void {
  checkMayChange(context, review, review.pull, writer);
  checkLength(context.state, body);
  review.body = body;
  review.updatedAt = context.state.now();
  record(context, writer, 'review.edited', review.pull, { reviewId: review.id });
}

/** One reaction per person and kind: a second one returns the first. */
export function addReaction(
  context: WriteContext,
  reactions: SimReaction[],
  pull: SimPull,
  writer: Writer,
  content: ReactionContent,
): { reaction: SimReaction; isNew: boolean } {
  const { user } = writer.viewer;
  const known = reactions.find((reaction) => reaction.user === user && reaction.content === content);
  if (known !== undefined) return { reaction: known, isNew: false };
  const id = context.state.ids.next();
  const reaction: SimReaction = {
    id,
    nodeId: context.state.ids.node('REA', id),
    content,
    user,
    createdAt: context.state.now(),
  };
  reactions.push(reaction);
  record(context, writer, 'reaction.created', pull, { content });
  return { reaction, isNew: true };
}

/** @throws Refusal not_permitted for somebody else's reaction. */
export function removeReaction(
  context: WriteContext,
  reactions: SimReaction[],
  pull: SimPull,
  writer: Writer,
  reaction: SimReaction,
): void {
  if (reaction.user !== writer.viewer.user) throw new Refusal('not_permitted');
  reactions.splice(reactions.indexOf(reaction), 1);
  record(context, writer, 'reaction.deleted', pull, { content: reaction.content });
}

/** Every review comment of a pull request, oldest first. */
export function reviewCommentsOf(pull: SimPull): SimReviewComment[] {
  return pull.threads.flatMap((thread) => thread.comments).toSorted((left, right) => left.id - right.id);
}

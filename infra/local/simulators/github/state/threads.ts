import type { AnchorInput } from './anchors.ts';
import { resolveAnchor } from './anchors.ts';
import type { SimAnchor, SimPull, SimReview, SimReviewComment, SimThread } from './model.ts';
import { addReview, commitOfPull, findPendingReview } from './new-review.ts';
import { Refusal } from './refusal.ts';
import type { WriteContext, Writer } from './write-context.ts';
import { checkBody, record } from './write-context.ts';

export interface NewThread extends AnchorInput {
  readonly body: string;
}

/** Checks a thread before anything is stored. @throws Refusal */
export async function resolveThread(
  context: WriteContext,
  pull: SimPull,
  commitId: string,
  input: NewThread,
): Promise<{ anchor: SimAnchor; body: string }> {
  checkBody(context.state, input.body);
  const result = await resolveAnchor(pull, commitId, input);
  if (!result.ok) throw new Refusal(result.problem);
  return { anchor: result.anchor, body: input.body };
}

function addComment(
  { state }: WriteContext,
  thread: SimThread,
  review: SimReview,
  writer: Writer,
  body: string,
): SimReviewComment {
  const id = state.ids.next();
  const comment: SimReviewComment = {
    id,
    nodeId: state.ids.node('PRRC', id),
    thread,
    review,
    author: writer.viewer.user,
    body,
    createdAt: state.now(),
    updatedAt: state.now(),
    inReplyTo: thread.comments[0],
    minimized: undefined,
    reactions: [],
  };
  thread.comments.push(comment);
  return comment;
}

export function addThread(
  context: WriteContext,
  review: SimReview,
  writer: Writer,
  input: { readonly anchor: SimAnchor; readonly body: string },
): SimThread {
  const { state } = context;
  const thread: SimThread = {
    nodeId: state.ids.node('PRRT', state.ids.next()),
    pull: review.pull,
    anchor: input.anchor,
    isResolved: false,
    resolvedBy: undefined,
    comments: [],
  };
  review.pull.threads.push(thread);
  addComment(context, thread, review, writer, input.body);
  return thread;
}

/** Adds a thread to a pending review, or posts it in a review of its own. @throws Refusal */
export async function createThread(
  context: WriteContext,
  pull: SimPull,
  writer: Writer,
  input: NewThread & { readonly commitId?: string | undefined; readonly review?: SimReview | undefined },
): Promise<SimThread> {
  const commitId = input.review?.commitId ?? (await commitOfPull(pull, input.commitId));
  const resolved = await resolveThread(context, pull, commitId, input);
  if (input.review === undefined && findPendingReview(pull, writer.viewer) !== undefined) {
    throw new Refusal('one_pending_review');
  }
  const review = input.review ?? addReview(context, pull, writer, { body: '', commitId, event: 'COMMENT' });
  const thread = addThread(context, review, writer, resolved);
  record(context, writer, review.state === 'PENDING' ? 'comment.drafted' : 'comment.created', pull, {
    reviewId: review.id,
    commentId: thread.comments[0]?.id,
    path: thread.anchor.path,
    line: thread.anchor.line,
  });
  return thread;
}

/** Answers in a thread: at once, or as part of a pending review. @throws Refusal */
export function createReply(
  context: WriteContext,
  thread: SimThread,
  writer: Writer,
  body: string,
  pending?: SimReview,
): SimReviewComment {
  const { pull } = thread;
  checkBody(context.state, body);
  if (pending === undefined && findPendingReview(pull, writer.viewer) !== undefined) {
    throw new Refusal('one_pending_review');
  }
  const review =
    pending ?? addReview(context, pull, writer, { body: '', commitId: pull.headSha, event: 'COMMENT' });
  const comment = addComment(context, thread, review, writer, body);
  record(context, writer, 'comment.replied', pull, { commentId: comment.id, threadId: thread.nodeId });
  return comment;
}

/** Takes a comment out of its thread; a thread without comments is gone. */
export function removeComment(comment: SimReviewComment): void {
  const { thread } = comment;
  thread.comments.splice(thread.comments.indexOf(comment), 1);
  if (thread.comments.length > 0) return;
  thread.pull.threads.splice(thread.pull.threads.indexOf(thread), 1);
}

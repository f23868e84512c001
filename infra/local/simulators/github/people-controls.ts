import type { Actor } from './access/viewer.ts';
import type { GitHubContext } from './context.ts';
import { addReaction, createIssueComment, reviewCommentsOf } from './state/comments.ts';
import type { ReactionContent } from './state/comments.ts';
import type { SimIssueComment, SimPull, SimReview, SimReviewComment, SimThread } from './state/model.ts';
import type { ReviewEvent } from './state/new-review.ts';
import { createReview } from './state/reviews.ts';
import type { NewThread } from './state/threads.ts';
import { createReply, createThread } from './state/threads.ts';
import type { Writer } from './state/write-context.ts';
import { record } from './state/write-context.ts';

/** What people write on pull requests, in code. Refused as over HTTP: a Refusal is thrown. */
export interface PeopleControls {
  commentAs(login: string, number: number, body: string, repository?: string): SimIssueComment;
  commentOnLineAs(
    login: string,
    number: number,
    thread: NewThread & { readonly commitId?: string },
    repository?: string,
  ): Promise<SimReviewComment>;
  reviewAs(
    login: string,
    number: number,
    review: {
      readonly body: string;
      /** Absent: the review stays pending. */
      readonly event?: ReviewEvent;
      readonly threads?: readonly NewThread[];
    },
    repository?: string,
  ): Promise<SimReview>;
  /** Answers in the thread of a comment. */
  replyAs(
    login: string,
    number: number,
    reply: { readonly commentId: number; readonly body: string },
    repository?: string,
  ): SimReviewComment;
  resolveAs(
    login: string,
    number: number,
    threadId: string,
    isResolved: boolean,
    repository?: string,
  ): SimThread;
  reactAs(
    login: string,
    number: number,
    reaction: { readonly commentId: number; readonly content: ReactionContent },
    repository?: string,
  ): void;
}

function findComment(pull: SimPull, id: number): SimReviewComment {
  const comment = reviewCommentsOf(pull).find((candidate) => candidate.id === id);
  if (comment === undefined) throw new Error(`the simulator has no review comment ${id}`);
  return comment;
}

export function createPeopleControls(
  context: GitHubContext,
  findPull: (number: number, repository?: string) => SimPull,
): PeopleControls {
  /** Request id 0: not made over HTTP. */
  function writer(login: string): Writer {
    const viewer: Actor = {
      kind: 'user',
      user: context.state.ensureUser(login),
      repositories: undefined,
      permissions: undefined,
    };
    return { viewer, requestId: 0 };
  }
  return {
    commentAs: (login, number, body, repository) =>
      createIssueComment(context, findPull(number, repository), writer(login), body),
    async commentOnLineAs(login, number, input, repository) {
      const pull = findPull(number, repository);
      const { comments } = await createThread(context, pull, writer(login), input);
      const [comment] = comments;
      if (comment === undefined) throw new Error('a new thread has a comment');
      return comment;
    },
    reviewAs: (login, number, review, repository) =>
      createReview(context, findPull(number, repository), writer(login), {
        commitId: undefined,
        body: review.body,
        event: review.event,
        threads: review.threads ?? [],
      }),
    replyAs(login, number, reply, repository) {
      const comment = findComment(findPull(number, repository), reply.commentId);
      return createReply(context, comment.thread, writer(login), reply.body);
    },
    resolveAs(login, number, threadId, isResolved, repository) {
      const pull = findPull(number, repository);
      const thread = pull.threads.find((candidate) => candidate.nodeId === threadId);
      if (thread === undefined) throw new Error(`the simulator has no thread ${threadId}`);
      const who = writer(login);
      thread.isResolved = isResolved;
      thread.resolvedBy = isResolved ? who.viewer.user : undefined;
      record(context, who, isResolved ? 'thread.resolved' : 'thread.unresolved', pull, { threadId });
      return thread;
    },
    reactAs(login, number, { commentId, content }, repository) {
      const pull = findPull(number, repository);
      addReaction(context, findComment(pull, commentId).reactions, pull, writer(login), content);
    },
  };
}

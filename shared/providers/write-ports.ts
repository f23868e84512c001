import type { Account, PullRequestRef } from '../domain/pull-request.ts';
import type { Side } from '../domain/finding.ts';

/**
 * Capabilities that change something at a provider. No method here is ever repeated below the outbox: a lost
 * answer becomes AppError `transient`, and whether the write happened is found out by reading back. Each takes
 * the write's `signal`; once it aborts, nothing more is sent.
 */

/** An inline comment to post. Lines are 1-based and numbered on `side`. */
export interface NewInlineComment {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  readonly startLine?: number;
  readonly body: string;
}

export interface NewReview {
  readonly commit: string;
  readonly body: string;
  readonly comments: readonly NewInlineComment[];
}

export interface PostedReview {
  readonly reviewId: string;
  readonly url: string;
}

/** A review as read back; only our own reviews carry a body we may match a marker in. */
export interface ExistingReview {
  readonly reviewId: string;
  readonly author: Account;
  readonly body: string;
  readonly commit: string;
  readonly url: string;
}

/** Providers that post one review with its comments in one request (GitHub). Never retried below the outbox. */
export interface BatchReviewWriter {
  /** @throws AppError `rejected` review_refused, with what the provider said in `details`, when nothing was posted. */
  createReview(ref: PullRequestRef, review: NewReview, signal?: AbortSignal): Promise<PostedReview>;
  /** Submitted reviews, all pages, for the outbox's read-back. */
  listReviews(ref: PullRequestRef): Promise<ExistingReview[]>;
}

/** A discussion to open: on lines, or on a whole file. `commit` is the head it was checked against. */
export type NewThread =
  | { readonly kind: 'line'; readonly commit: string; readonly comment: NewInlineComment }
  | { readonly kind: 'file'; readonly commit: string; readonly path: string; readonly body: string };

export interface PostedComment {
  readonly commentId: string;
  /** Absent when the provider does not say; `ThreadReader` finds the thread by the comment. */
  readonly threadId?: string;
  readonly url: string;
}

/** Opens one discussion, visible at once. */
export interface ThreadWriter {
  createThread(ref: PullRequestRef, thread: NewThread, signal?: AbortSignal): Promise<PostedComment>;
}

/** Answers in an existing discussion, visible at once. */
export interface ReplyWriter {
  reply(ref: PullRequestRef, threadId: string, body: string, signal?: AbortSignal): Promise<PostedComment>;
}

export interface ThreadResolver {
  /** Already in that state is success. @throws AppError `permanent` provider_permission when we may not. */
  setResolved(ref: PullRequestRef, threadId: string, resolved: boolean, signal?: AbortSignal): Promise<void>;
}

/** Names one comment. `review` comments stand in a thread on code, `general` ones on the pull request itself. */
export interface CommentRef {
  readonly kind: 'review' | 'general';
  readonly id: string;
  /** Needed where comment ids start again in every thread (Azure DevOps). */
  readonly threadId?: string;
}

export interface CommentEditor {
  editComment(ref: PullRequestRef, comment: CommentRef, body: string, signal?: AbortSignal): Promise<void>;
  /** A comment that is gone already is success. */
  deleteComment(ref: PullRequestRef, comment: CommentRef, signal?: AbortSignal): Promise<void>;
}

export const REACTIONS = ['thumbs_up', 'thumbs_down', 'eyes', 'rocket', 'heart', 'confused'] as const;
export type Reaction = (typeof REACTIONS)[number];

export interface ReactionWriter {
  /** What this provider knows; the others are no use here. */
  readonly supported: readonly Reaction[];
  /** Twice is the same as once. `pull-request` reacts to the pull request's own text. */
  addReaction(
    ref: PullRequestRef,
    target: CommentRef | 'pull-request',
    reaction: Reaction,
    signal?: AbortSignal,
  ): Promise<void>;
}

/** Posts a comment on the pull request itself: the summary, a notice. Edited through CommentEditor. */
export interface GeneralCommentWriter {
  createGeneralComment(ref: PullRequestRef, body: string, signal?: AbortSignal): Promise<PostedComment>;
}

export type StatusState = 'running' | 'passed' | 'failed' | 'neutral';

/** What a status says about one head commit. */
export interface StatusReport {
  readonly headSha: string;
  /** What people see and branch rules name, e.g. `Gatehouse`. */
  readonly name: string;
  /** Our key of the run, returned by `findStatus` where the provider stores one. */
  readonly key: string;
  readonly state: StatusState;
  /** One line; cut to what the provider allows. */
  readonly title: string;
  /** Markdown; left out where the provider has no place for it. */
  readonly summary: string;
  readonly url?: string;
}

export interface PostedStatus {
  readonly id: string;
  readonly url: string;
  readonly state: StatusState;
  /** Absent where the provider stores none. */
  readonly key?: string;
}

export interface StatusWriter {
  readonly kind: 'check-run' | 'commit-status';
  /** Creates the status of (head, name), or changes the one that is there. */
  setStatus(ref: PullRequestRef, report: StatusReport, signal?: AbortSignal): Promise<PostedStatus>;
  /** Our latest status of that name on that commit. */
  findStatus(ref: PullRequestRef, headSha: string, name: string): Promise<PostedStatus | undefined>;
}

export type SubmitReviewAction = 'comment' | 'approve' | 'request_changes';

export interface PendingComment {
  readonly commentId: string;
  readonly path: string;
  readonly line?: number;
  readonly startLine?: number;
  readonly side?: Side;
  readonly body: string;
}

export interface PendingReview {
  readonly reviewId: string;
  readonly commit: string;
  readonly body: string;
  readonly comments: readonly PendingComment[];
}

/** `isPending` false means that people can see it already: stop and say so. */
export interface PendingWrite {
  readonly id: string;
  readonly isPending: boolean;
}

/** Reviews that only their author sees until they are submitted; at most one per author and pull request. */
export interface PendingReviewWriter {
  /** Our own one with all its comments, or undefined; those of others are not visible. */
  findPendingReview(ref: PullRequestRef): Promise<PendingReview | undefined>;
  /** @throws AppError `rejected` pending_review_exists when we already have one. */
  createPendingReview(
    ref: PullRequestRef,
    review: { readonly commit: string; readonly body: string },
    signal?: AbortSignal,
  ): Promise<PendingWrite>;
  addPendingComment(
    ref: PullRequestRef,
    reviewId: string,
    thread: NewThread,
    signal?: AbortSignal,
  ): Promise<PendingWrite>;
  editPendingComment(
    ref: PullRequestRef,
    commentId: string,
    body: string,
    signal?: AbortSignal,
  ): Promise<PendingWrite>;
  deletePendingComment(ref: PullRequestRef, commentId: string, signal?: AbortSignal): Promise<void>;
  submitPendingReview(
    ref: PullRequestRef,
    reviewId: string,
    action: SubmitReviewAction,
    body: string,
    signal?: AbortSignal,
  ): Promise<PostedReview>;
  discardPendingReview(ref: PullRequestRef, reviewId: string, signal?: AbortSignal): Promise<void>;
}

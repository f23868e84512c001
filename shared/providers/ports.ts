import type {
  Account,
  ChangedFile,
  ProviderId,
  PullRequest,
  PullRequestRef,
} from '../domain/pull-request.ts';
import type { NewJob } from '../domain/job.ts';
import type { Thread, ThreadComment } from '../domain/thread.ts';
import type {
  BatchReviewWriter,
  CommentEditor,
  CommentRef,
  GeneralCommentWriter,
  PendingReviewWriter,
  ReactionWriter,
  ReplyWriter,
  StatusWriter,
  ThreadResolver,
  ThreadWriter,
} from './write-ports.ts';

export type {
  BatchReviewWriter,
  ExistingReview,
  NewInlineComment,
  NewReview,
  PostedReview,
} from './write-ports.ts';

/** Who we are on this instance. */
export interface IdentityReader {
  whoAmI(): Promise<Account>;
}

export interface PullRequestReader {
  /** @throws AppError `permanent` not_found when the pull request or the repository cannot be seen. */
  getPullRequest(ref: PullRequestRef): Promise<PullRequest>;
  /** Every page. @throws AppError `permanent` when the listing disagrees with `pullRequest.changedFiles`. */
  listChangedFiles(pullRequest: PullRequest): Promise<ChangedFile[]>;
}

export interface ArchiveStream {
  /** Gzipped tar or zip bytes, streamed. */
  readonly body: ReadableStream<Uint8Array>;
  readonly format: 'tar.gz' | 'zip';
}

export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'submodule';
  readonly sha: string;
  /** Bytes; absent when the provider does not say. */
  readonly size?: number;
}

export interface SnapshotSource {
  /** The archive of one commit. The caller consumes or cancels the stream. */
  openArchive(ref: PullRequestRef, commit: string, signal?: AbortSignal): Promise<ArchiveStream>;
  /** Raw bytes of a blob by its git hash. @throws AppError `permanent` blob_too_large above `maxBytes`. */
  readBlob(ref: PullRequestRef, sha: string, maxBytes: number): Promise<Uint8Array>;
  /** What a path is at a commit; undefined when it does not exist there. */
  findEntry(ref: PullRequestRef, commit: string, path: string): Promise<TreeEntry | undefined>;
}

export interface ReactionCount {
  /** The provider's own name of the reaction, lower case: `thumbs_up`, `eyes`, ... */
  readonly name: string;
  readonly count: number;
}

/** A thread with what not every provider says. */
export interface ProviderThread extends Thread {
  readonly resolvedBy?: Account;
  readonly url?: string;
  readonly comments: readonly ProviderThreadComment[];
}

export interface ProviderThreadComment extends ThreadComment {
  /** Epoch ms of the last edit. */
  readonly editedAt?: number;
  readonly reactions?: readonly ReactionCount[];
}

export interface ThreadReader {
  /** Every thread and every comment, all pages, pending ones left out. */
  listThreads(ref: PullRequestRef): Promise<ProviderThread[]>;
}

/** Comments outside code threads, and single comments by id. */
export interface CommentReader {
  /** Undefined when it was deleted or does not belong to this pull request. */
  getComment(ref: PullRequestRef, comment: CommentRef): Promise<ProviderThreadComment | undefined>;
  /** Comments on the pull request itself, all pages, oldest first. */
  listGeneralComments(ref: PullRequestRef): Promise<ProviderThreadComment[]>;
}

export interface Commit {
  readonly sha: string;
  readonly message: string;
  /** Undefined when the commit's author is no account. */
  readonly author?: Account;
  /** Epoch milliseconds. */
  readonly authoredAt: number;
}

export interface CommitReader {
  /** Oldest first; at most what the provider lists (GitHub: 250). */
  listCommits(ref: PullRequestRef): Promise<Commit[]>;
}

export interface Ancestry {
  /** How `newer` stands to `older`; `unknown` when one of them is gone. */
  readonly relation: 'identical' | 'ahead' | 'behind' | 'diverged' | 'unknown';
  readonly mergeBaseSha?: string;
}

export interface AncestryReader {
  compareCommits(ref: PullRequestRef, older: string, newer: string): Promise<Ancestry>;
}

export interface TreeListing {
  readonly entries: readonly TreeEntry[];
  /** False when the provider cut the listing: what is missing must be asked by path. */
  readonly isComplete: boolean;
}

export interface TreeReader {
  /** Everything below the root of a commit. */
  listTree(ref: PullRequestRef, commit: string): Promise<TreeListing>;
}

export type RepositoryPermission = 'none' | 'read' | 'write' | 'admin';

export interface PermissionReader {
  /** What an account may do in the repository; `none` for accounts that are gone. */
  getPermission(ref: PullRequestRef, account: Account): Promise<RepositoryPermission>;
}

export interface RepositoryName {
  readonly repositoryId: string;
  readonly repository: string;
}

export interface OpenPullRequest {
  readonly ref: PullRequestRef;
  readonly headSha: string;
  readonly baseRef: string;
  readonly isDraft: boolean;
}

/** What no pull request leads to: names to ids, and what exists at all. Not for tools. */
export interface RepositoryDirectory {
  /** @throws AppError `permanent` not_found. */
  locate(repository: string, number: number): Promise<PullRequestRef>;
  /** Repositories our credential reaches, all pages. */
  listRepositories(): Promise<RepositoryName[]>;
  listOpenPullRequests(repository: RepositoryName): Promise<OpenPullRequest[]>;
}

export interface FailedDelivery {
  readonly deliveryId: string;
  /** e.g. `pull_request.opened`. */
  readonly event: string;
  /** Epoch milliseconds. */
  readonly deliveredAt: number;
  readonly repositoryId?: string;
}

/** Providers that remember deliveries which were not taken. */
export interface DeliveryReader {
  /** Events whose every attempt since `since` (epoch ms) failed, newest first. */
  listFailedDeliveries(since: number): Promise<FailedDelivery[]>;
  /** Asks for one more attempt; the event then comes to the webhook as usual. */
  requestRedelivery(deliveryId: string): Promise<void>;
}

export interface ProviderLimits {
  /** Characters in one comment body. */
  readonly maxBodyLength: number;
}

/** Headers by lower-case name. */
export type WebhookHeaders = Readonly<Record<string, string | undefined>>;

/**
 * What ingress learns from one delivery. `pullRequest` and the hints come from the payload and are untrusted:
 * good enough to decide whether to enqueue, never to act on.
 */
export interface WebhookEvent {
  /** e.g. `pull_request.opened`; lower case. */
  readonly name: string;
  readonly pullRequest?: PullRequestRef;
  readonly hints: {
    readonly isDraft?: boolean;
    readonly state?: 'open' | 'closed' | 'merged';
    readonly targetBranch?: string;
    readonly sender?: Account;
    /** Epoch ms when the event says when it happened. */
    readonly occurredAt?: number;
  };
  /**
   * Globs of the secret that signed, when it signs for some repositories only. The name in a payload is the
   * sender's claim, so the worker checks the name that the provider returns for the id against them too.
   */
  readonly signedFor?: readonly string[];
  /** The job this event asks for, or a stable reason code why it asks for none. */
  readonly request:
    { readonly kind: 'job'; readonly job: NewJob } | { readonly kind: 'ignore'; readonly reason: string };
}

/** Authenticates and reads deliveries of one instance. Pure over its inputs; opens no connection. */
export interface WebhookSource {
  /** True when a secret is configured; otherwise the route answers 404. */
  readonly isConfigured: boolean;
  /** Constant-time check over the raw bytes, any of the configured secrets. */
  authenticate(headers: WebhookHeaders, rawBody: Uint8Array): boolean;
  /** Hex SHA-256 that is equal for redeliveries of one event. */
  deliveryKey(headers: WebhookHeaders, rawBody: Uint8Array): string;
  /** @throws AppError `rejected` malformed_payload for authenticated bytes that are no payload of this provider. */
  read(headers: WebhookHeaders, rawBody: Uint8Array): WebhookEvent;
}

/** One configured instance. What a provider cannot do is absent here, never a method that returns empty. */
export interface Provider {
  readonly id: ProviderId;
  readonly instance: string;
  readonly limits: ProviderLimits;
  readonly identity: IdentityReader;
  readonly pullRequests: PullRequestReader;
  readonly snapshots: SnapshotSource;
  readonly threads: ThreadReader;
  readonly reviews?: BatchReviewWriter;
  readonly pendingReviews?: PendingReviewWriter;
  readonly threadWriter?: ThreadWriter;
  readonly replies?: ReplyWriter;
  readonly threadResolver?: ThreadResolver;
  readonly comments?: CommentReader;
  readonly generalComments?: GeneralCommentWriter;
  readonly commentEditor?: CommentEditor;
  readonly reactions?: ReactionWriter;
  readonly statuses?: StatusWriter;
  readonly permissions?: PermissionReader;
  readonly commits?: CommitReader;
  readonly ancestry?: AncestryReader;
  readonly trees?: TreeReader;
  readonly directory?: RepositoryDirectory;
  readonly deliveries?: DeliveryReader;
}

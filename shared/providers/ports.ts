import type {
  Account,
  ChangedFile,
  ProviderId,
  PullRequest,
  PullRequestRef,
} from '../domain/pull-request.ts';
import type { Side } from '../domain/finding.ts';
import type { NewJob } from '../domain/job.ts';
import type { Thread } from '../domain/thread.ts';

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

export interface ThreadReader {
  /** Every thread and every comment, all pages, pending ones left out. */
  listThreads(ref: PullRequestRef): Promise<Thread[]>;
}

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
  createReview(ref: PullRequestRef, review: NewReview): Promise<PostedReview>;
  /** Submitted reviews, all pages, for the outbox's read-back. */
  listReviews(ref: PullRequestRef): Promise<ExistingReview[]>;
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
}

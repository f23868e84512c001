import type { GitRepository } from '../../git/open-repository.ts';

export interface SimUser {
  readonly id: number;
  readonly nodeId: string;
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

export type PermissionLevel = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface SimRepository {
  readonly id: number;
  readonly nodeId: string;
  readonly owner: SimUser;
  readonly name: string;
  readonly fullName: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly git: GitRepository;
  readonly installationId: number | undefined;
  readonly pulls: Map<number, SimPull>;
  /** By lower-case login. */
  readonly permissions: Map<string, PermissionLevel>;
  readonly checkRuns: SimCheckRun[];
  readonly statuses: SimStatus[];
}

/** Where a head branch lives; `undefined` on a pull request means in the repository itself. */
export interface SimFork {
  readonly id: number;
  readonly nodeId: string;
  readonly fullName: string;
  readonly owner: SimUser;
  /** A deleted fork leaves `head.repo: null`. */
  readonly deleted: boolean;
}

export interface SimPull {
  readonly id: number;
  readonly nodeId: string;
  readonly number: number;
  readonly repository: SimRepository;
  title: string;
  body: string;
  /** Null: the account was deleted. */
  author: SimUser | null;
  draft: boolean;
  state: 'open' | 'closed';
  mergedAt: number | undefined;
  closedAt: number | undefined;
  baseRef: string;
  baseSha: string;
  headRef: string;
  headSha: string;
  fork: SimFork | undefined;
  readonly createdAt: number;
  updatedAt: number;
  /** Reads that still answer `mergeable: null`, as while GitHub computes it. */
  mergeableUnknownReads: number;
  /** Overrides what a trial merge says. */
  mergeable: boolean | undefined;
  /** Every head it has had, oldest first; review commits must be among their commits. */
  readonly heads: string[];
  readonly reviews: SimReview[];
  readonly threads: SimThread[];
  readonly issueComments: SimIssueComment[];
  readonly reactions: SimReaction[];
}

export type ReviewState = 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';

export interface SimReview {
  readonly id: number;
  readonly nodeId: string;
  readonly pull: SimPull;
  author: SimUser | null;
  body: string;
  state: ReviewState;
  commitId: string;
  submittedAt: number | undefined;
  readonly createdAt: number;
  updatedAt: number;
}

export type DiffSide = 'LEFT' | 'RIGHT';

/** Where a thread was opened. Where it stands now is derived from the current head. */
export interface SimAnchor {
  readonly path: string;
  readonly subjectType: 'line' | 'file';
  readonly side: DiffSide;
  readonly startSide: DiffSide | undefined;
  readonly line: number | undefined;
  readonly startLine: number | undefined;
  /** Head commit it was opened against. */
  readonly commitId: string;
  /** Merge base it was opened against: LEFT lines are numbered in it. */
  readonly baseCommitId: string;
  readonly position: number | undefined;
  readonly diffHunk: string;
}

export interface SimThread {
  readonly nodeId: string;
  readonly pull: SimPull;
  readonly anchor: SimAnchor;
  isResolved: boolean;
  resolvedBy: SimUser | undefined;
  readonly comments: SimReviewComment[];
}

export interface SimReviewComment {
  readonly id: number;
  readonly nodeId: string;
  readonly thread: SimThread;
  readonly review: SimReview;
  author: SimUser | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  readonly inReplyTo: SimReviewComment | undefined;
  minimized: string | undefined;
  readonly reactions: SimReaction[];
}

export interface SimIssueComment {
  readonly id: number;
  readonly nodeId: string;
  readonly pull: SimPull;
  author: SimUser | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  minimized: string | undefined;
  readonly reactions: SimReaction[];
}

export interface SimReaction {
  readonly id: number;
  readonly nodeId: string;
  readonly content: string;
  readonly user: SimUser;
  readonly createdAt: number;
}

export interface SimCheckRun {
  readonly id: number;
  readonly nodeId: string;
  readonly headSha: string;
  name: string;
  externalId: string;
  status: string;
  conclusion: string | null;
  detailsUrl: string | undefined;
  output: { title: string | null; summary: string | null; text: string | null; annotations: unknown[] };
  actions: unknown[];
  readonly startedAt: number;
  completedAt: number | undefined;
}

export interface SimStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: SimUser;
  readonly createdAt: number;
}

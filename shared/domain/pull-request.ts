/** The providers Gatehouse speaks to. The same ids everywhere: settings, rows, file names, logs. */
export const PROVIDER_IDS = ['github', 'azure-devops', 'gitlab'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Names one pull request. `provider`, `instance`, `repositoryId` and `number` identify; names only display. */
export interface PullRequestRef {
  readonly provider: ProviderId;
  /** Id of the configured instance (GATEHOUSE_INSTANCES). */
  readonly instance: string;
  /** Immutable id of the repository as the provider gives it (GitHub numeric id, Azure DevOps GUID, GitLab project id). */
  readonly repositoryId: string;
  readonly number: number;
  /** Full path as the provider writes it, e.g. `owner/name` or `project/repository`; may change, never a key. */
  readonly repository: string;
}

/** A person or an application as the provider knows it; null logins (deleted accounts) become `ghost`. */
export interface Account {
  /** Immutable id as a string. */
  readonly id: string;
  readonly login: string;
  readonly isBot: boolean;
}

export type PullRequestState = 'open' | 'closed' | 'merged';

/** A pull request as read from the provider, never from a payload. */
export interface PullRequest {
  readonly ref: PullRequestRef;
  readonly title: string;
  readonly description: string;
  readonly state: PullRequestState;
  readonly isDraft: boolean;
  readonly author: Account;
  /** True when the head lives in another repository, also when that fork was deleted. */
  readonly isFork: boolean;
  readonly headSha: string;
  readonly headRef: string;
  /** Head of the target branch when read. */
  readonly baseSha: string;
  readonly baseRef: string;
  /** The commit the change is measured from. */
  readonly mergeBaseSha: string;
  /** The provider's own count; the listing must agree with it. */
  readonly changedFiles: number;
  /** Address a person can open. */
  readonly webUrl: string;
}

export type FileChange = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';

/** One changed file of a pull request, measured from the merge base to the head. */
export interface ChangedFile {
  /** Path at the head (at the base for a deleted file), `/`-separated, no leading slash. */
  readonly path: string;
  /** Path at the base when it differs. */
  readonly previousPath?: string;
  readonly change: FileChange;
  /** Git blob hash at the head (at the base for a deleted file) as the provider states it. */
  readonly blobSha?: string;
  readonly additions: number;
  readonly deletions: number;
  /** Unified-diff hunks without file headers; absent when the provider gives none. */
  readonly patch?: string;
}

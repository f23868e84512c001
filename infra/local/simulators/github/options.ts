import type { PatchLimits } from '../git/patch-splitter.ts';

export interface SimulatedRepositoryOptions {
  /** Any local git repository. */
  readonly dir: string;
  /** `owner/name`. */
  readonly fullName: string;
  /** Immutable id; given by the simulator when absent. */
  readonly id?: number;
  readonly private?: boolean;
  /** Default `main`. */
  readonly defaultBranch?: string;
  /** False: the App is not installed on it. */
  readonly appInstalled?: boolean;
}

export interface SimulatedAppOptions {
  readonly appId: number;
  /** The second form that GitHub accepts as the issuer of a token. */
  readonly clientId?: string;
  /** PEM of the key that checks the App's tokens. */
  readonly publicKeyPem: string;
  /** The bot is `<slug>[bot]`. */
  readonly slug: string;
  /** What installations grant; default: what a reviewing App needs. */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>;
}

/** A personal access token. */
export interface SimulatedTokenOptions {
  readonly token: string;
  readonly login: string;
  /** Full names it covers; default all. */
  readonly repositories?: readonly string[];
  /** Fine-grained permissions; default: everything a token can have. */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>;
  /** Epoch milliseconds. */
  readonly expiresAt?: number;
}

export interface SimulatedWebhookOptions {
  readonly url: string;
  /** The first signs; none: deliveries are not signed. */
  readonly secrets: readonly string[];
  /** Send as an Enterprise Server does: its headers, and its addresses in the payload. */
  readonly enterprise?: boolean;
  /** Also deliver the events that writes cause, the App's own included, as GitHub does. Default off. */
  readonly automatic?: boolean;
}

export interface GitHubLimits extends PatchLimits {
  /** Files of a pull request that can be listed. */
  readonly maxFiles: number;
  /** Files in a comparison. */
  readonly maxCompareFiles: number;
  /** Commits listed for a pull request or a comparison. */
  readonly maxCommits: number;
  /** Bytes of a file that a JSON answer carries. */
  readonly maxJsonContentBytes: number;
  readonly maxTreeEntries: number;
  readonly maxDirectoryEntries: number;
  /** Characters of a comment or review body. */
  readonly maxBodyLength: number;
  /** Requests an hour and credential; more are refused as over the primary limit. */
  readonly requestsPerHour: number;
}

/** The published limits of GitHub. */
export const GITHUB_LIMITS: GitHubLimits = {
  maxBytes: 500_000,
  maxLines: 20_000,
  maxTotalBytes: 64 * 1024 * 1024,
  maxFiles: 3_000,
  maxCompareFiles: 300,
  maxCommits: 250,
  maxJsonContentBytes: 1024 * 1024,
  maxTreeEntries: 100_000,
  maxDirectoryEntries: 1_000,
  maxBodyLength: 65_536,
  requestsPerHour: 5_000,
};

export interface GitHubSimulatorOptions {
  readonly repositories: readonly SimulatedRepositoryOptions[];
  readonly app?: SimulatedAppOptions;
  readonly tokens?: readonly SimulatedTokenOptions[];
  readonly webhook?: SimulatedWebhookOptions;
  /** Default: the system's clock. */
  readonly clock?: { now(): number };
  readonly limits?: Partial<GitHubLimits>;
  /** Also report copies; GitHub shows them as added files. */
  readonly detectCopies?: boolean;
  /**
   * What GraphQL does with a thread outside the diff: `error` answers errors, `null` answers `thread: null`
   * without any error. Both are reported from the field. Default `error`.
   */
  readonly unanchoredThreads?: 'error' | 'null';
  /** Resolving threads needs the right to push; reported for real repositories, off by default. */
  readonly resolveNeedsContents?: boolean;
  /** Fixed port of the API; default a free one. */
  readonly port?: number;
}

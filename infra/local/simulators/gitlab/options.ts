export interface SimulatedProjectOptions {
  /** Any local git repository. */
  readonly dir: string;
  /** Full path, with as many groups as one likes, e.g. `group/subgroup/name`. */
  readonly fullName: string;
  /** Default: counted from 1. */
  readonly id?: number;
  /** Default `main`. */
  readonly defaultBranch?: string;
}

/** A personal, project or group access token. */
export interface SimulatedTokenOptions {
  readonly token: string;
  /** User name of its owner; made known to the simulator by it. */
  readonly login: string;
}

export interface SimulatedHookOptions {
  readonly url: string;
  /** `whsec_` and a base64 key: deliveries are signed with it. */
  readonly signingToken?: string;
  /** Sent in clear as `X-Gitlab-Token`. */
  readonly token?: string;
  /** Also deliver the events that writes cause, our own included, as the real service does. Default off. */
  readonly automatic?: boolean;
}

export interface GitLabLimits {
  /** Files that a version keeps; with more it overflows. */
  readonly maxFiles: number;
  /** Bytes of one file's diff; a tenth of it collapses the diff. */
  readonly maxPatchBytes: number;
  /** Characters of a note. */
  readonly maxNoteLength: number;
}

/** Defaults of a self-managed instance (GitLab documentation, "Diff limits"), and the length limit of notes. */
export const GITLAB_LIMITS: GitLabLimits = {
  maxFiles: 1_000,
  maxPatchBytes: 200 * 1024,
  maxNoteLength: 1_000_000,
};

export interface GitLabSimulatorOptions {
  readonly repositories: readonly SimulatedProjectOptions[];
  readonly tokens?: readonly SimulatedTokenOptions[];
  readonly hook?: SimulatedHookOptions;
  /** Default: the system's clock. */
  readonly clock?: { now(): number };
  readonly limits?: Partial<GitLabLimits>;
  /** Fixed port; default a free one. */
  readonly port?: number;
}

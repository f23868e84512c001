export interface SimulatedRepositoryOptions {
  /** Any local git repository. */
  readonly dir: string;
  /** `project/name`. */
  readonly fullName: string;
  /** GUID; made from the name when absent. */
  readonly id?: string;
  /** Default `main`. */
  readonly defaultBranch?: string;
}

/** A personal access token, or an Entra access token of an application. */
export interface SimulatedTokenOptions {
  readonly token: string;
  /** Its owner's sign-in name; made known to the simulator by it. */
  readonly login: string;
  readonly kind: 'personal' | 'bearer';
}

export interface SimulatedHookOptions {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Custom headers of the subscriptions. */
  readonly headers: Readonly<Record<string, string>>;
  /** Also deliver the events that writes cause, our own included, as the real service does. Default off. */
  readonly automatic?: boolean;
}

export interface AzureDevOpsLimits {
  /** Largest and default `$top` of a listing of changes. */
  readonly maxChanges: number;
  readonly defaultChanges: number;
  /** Characters of a comment. */
  readonly maxCommentLength: number;
  readonly maxThreadComments: number;
}

/** The published limits of Azure DevOps Services. */
export const AZURE_DEVOPS_LIMITS: AzureDevOpsLimits = {
  maxChanges: 2_000,
  defaultChanges: 100,
  maxCommentLength: 150_000,
  maxThreadComments: 500,
};

export interface AzureDevOpsSimulatorOptions {
  readonly repositories: readonly SimulatedRepositoryOptions[];
  readonly tokens?: readonly SimulatedTokenOptions[];
  readonly hook?: SimulatedHookOptions;
  /** Organization, or path of the collection on a Server. Default `acme`. */
  readonly organization?: string;
  /** Default: the system's clock. */
  readonly clock?: { now(): number };
  readonly limits?: Partial<AzureDevOpsLimits>;
  /** How a wrong credential is answered: a status, or with a sign-in page, or by leading to one. Default 401. */
  readonly signIn?: '401' | 'page' | 'redirect';
  /** Fixed port; default a free one. */
  readonly port?: number;
}

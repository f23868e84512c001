import type { ProviderId } from '../domain/pull-request.ts';
import type { Secret } from './secret.ts';

/** A webhook secret; `repositories` limits whose events it may sign (globs over the full name), absent = all covered. */
export interface WebhookSecret {
  readonly value: Secret;
  readonly repositories?: readonly string[];
}

interface InstanceBase {
  /** `[a-z0-9-]+`, unique; part of routes and keys. */
  readonly id: string;
  readonly provider: ProviderId;
  readonly webUrl: URL;
  readonly apiUrl: URL;
  /** Hosts (host[:port]) that archive redirects may lead to, besides those of webUrl and apiUrl. */
  readonly archiveHosts: readonly string[];
  /** Covered repositories, globs over the full name, case-insensitive. */
  readonly repositories: readonly string[];
}

/** How the app signs in to GitHub. */
export type GitHubCredential =
  | { readonly kind: 'app'; readonly appId: string; readonly privateKey: Secret }
  | { readonly kind: 'token'; readonly token: Secret };

export interface GitHubInstance extends InstanceBase {
  readonly provider: 'github';
  readonly credential: GitHubCredential | undefined;
  readonly webhookSecrets: readonly WebhookSecret[];
}

export interface AzureDevOpsInstance extends InstanceBase {
  readonly provider: 'azure-devops';
  /** Absent = managed identity. */
  readonly token: Secret | undefined;
  readonly hookUser: string | undefined;
  readonly hookPasswords: readonly WebhookSecret[];
  readonly hookHeaderSecrets: readonly WebhookSecret[];
}

export interface GitLabInstance extends InstanceBase {
  readonly provider: 'gitlab';
  readonly token: Secret | undefined;
  readonly signingTokens: readonly WebhookSecret[];
  readonly webhookTokens: readonly WebhookSecret[];
}

export type InstanceConfig = GitHubInstance | AzureDevOpsInstance | GitLabInstance;

/** Where tables and queues are: identity-based endpoints, or a connection string for Azurite only. */
export type StorageConfig =
  | {
      readonly kind: 'identity';
      readonly queueServiceUri: URL;
      readonly tableServiceUri: URL;
      readonly clientId: string | undefined;
    }
  | { readonly kind: 'connection-string'; readonly connectionString: Secret };

export interface ModelConfig {
  readonly apiKey: Secret | undefined;
  readonly baseUrl: URL;
  readonly foundryResource: string | undefined;
  readonly skim: string;
  readonly standard: string;
  readonly deep: string;
  readonly verify: string;
}

/** US dollars per million tokens; without cache prices the input price counts. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite?: number | undefined;
  readonly cacheRead?: number | undefined;
}
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** GATEHOUSE_GRANTS as JSON values; what a grant is, is known where grants are checked. */
export interface GrantSettings {
  /** False when the setting is no JSON list: then no grant holds and MCP stays closed. */
  readonly isReadable: boolean;
  readonly entries: readonly unknown[];
}

/** Who may call the MCP endpoint with an Entra token, and from which browser origins. */
export interface McpSettings {
  readonly tenants: readonly string[];
  readonly audience: string | undefined;
  readonly clients: readonly string[];
  readonly origins: readonly string[];
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Frozen result of loadConfig; a part that is missing or wrong is undefined and named in `problems`. */
export interface Config {
  readonly instances: readonly InstanceConfig[];
  readonly storage: StorageConfig | undefined;
  readonly model: ModelConfig | undefined;
  /** Replaces the built-in prices. */
  readonly modelPrices: ModelPrices | undefined;
  readonly publicUrl: URL | undefined;
  /** The name people mention, without `@`. */
  readonly name: string;
  readonly grants: GrantSettings;
  readonly mcp: McpSettings;
  /** The first signs, all verify; empty = no write can be made. */
  readonly markerKeys: readonly Secret[];
  /** GATEHOUSE_STOP: every write answers writes_stopped. */
  readonly stop: boolean;
  readonly retentionDays: number;
  readonly runDeadlineMs: number;
  /** Model money, in US dollars. */
  readonly budgets: { readonly runUsd: number; readonly repositoryDayUsd: number };
  readonly logLevel: LogLevel;
  /** Settings that are missing or wrong: names and advice, never values. */
  readonly problems: readonly ConfigProblem[];
  /** Every secret value in use, for the redactor. */
  readonly secrets: readonly Secret[];
}

export interface ConfigProblem {
  readonly setting: string;
  /**
   * What it closes: `storage` (everything), `webhooks`, `webhooks/<instance>`, `review`, `review/<instance>`,
   * `writes`, `mcp`, `sweep`; `logging` closes nothing.
   */
  readonly governs: string;
  readonly advice: string;
}

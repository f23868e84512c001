/** How a setting's text is read. */
export type SettingKind =
  'text' | 'secret' | 'secrets' | 'url' | 'json' | 'number' | 'flag' | 'list' | 'schedule' | 'choice';

export interface Setting {
  readonly name: string;
  readonly kind: SettingKind;
  /** What stays closed while the setting is missing or wrong; see ConfigProblem.governs. */
  readonly governs: string;
  readonly isRequired: boolean;
  /** Text of the default; absent when there is none. */
  readonly default?: string;
  /** True when a further instance of the same provider reads `<name>__<ID>`. */
  readonly isPerInstance?: boolean;
  readonly description: string;
}

const setting = (
  name: string,
  kind: SettingKind,
  governs: string,
  description: string,
  more: Partial<Pick<Setting, 'isRequired' | 'default' | 'isPerInstance'>> = {},
): Setting => ({ name, kind, governs, description, isRequired: false, ...more });

const required = { isRequired: true } as const;
const perInstance = { isPerInstance: true } as const;

/** Every setting the product reads: the source of loadConfig, docs/settings.md and the deployment's checks. */
export const SETTINGS: readonly Setting[] = [
  setting(
    'GATEHOUSE_STORAGE',
    'secret',
    'storage',
    'Connection string of Azurite. Never of a real storage account: there the identity settings below are used.',
  ),
  setting(
    'GATEHOUSE_STORAGE__queueServiceUri',
    'url',
    'storage',
    'Queue endpoint of the storage account; signs in with the managed identity.',
  ),
  setting('GATEHOUSE_STORAGE__tableServiceUri', 'url', 'storage', 'Table endpoint of the storage account.'),
  setting(
    'GATEHOUSE_STORAGE__credential',
    'choice',
    'storage',
    'Always `managedidentity`; the Functions host reads it too.',
    { default: 'managedidentity' },
  ),
  setting(
    'GATEHOUSE_STORAGE__clientId',
    'text',
    'storage',
    'Client id of the user-assigned identity; absent for the system-assigned one.',
  ),
  setting(
    'GATEHOUSE_INSTANCES',
    'json',
    'webhooks',
    'JSON list of {id, provider, webUrl, apiUrl, archiveHosts, repositories}: the provider instances and the repositories covered (globs).',
    required,
  ),
  setting('GITHUB_APP_ID', 'text', 'review', 'Id (or client id) of the GitHub App.', perInstance),
  setting(
    'GITHUB_APP_PRIVATE_KEY',
    'secret',
    'review',
    'Private key of the GitHub App: PEM, PEM with `\\n` written out, or base64 of the PEM.',
    perInstance,
  ),
  setting(
    'GITHUB_TOKEN',
    'secret',
    'review',
    'Personal access token, used when no GitHub App is configured.',
    perInstance,
  ),
  setting(
    'GITHUB_WEBHOOK_SECRETS',
    'secrets',
    'webhooks',
    'Webhook secrets, any of which may sign: rotate by adding the new one first. JSON list of texts or of {value, repositories}, or texts separated by commas.',
    perInstance,
  ),
  setting(
    'AZURE_DEVOPS_TOKEN',
    'secret',
    'review',
    'Personal access token; absent = managed identity.',
    perInstance,
  ),
  setting(
    'AZURE_DEVOPS_HOOK_USER',
    'text',
    'webhooks',
    'User name of the service hooks’ basic authentication.',
    perInstance,
  ),
  setting(
    'AZURE_DEVOPS_HOOK_PASSWORDS',
    'secrets',
    'webhooks',
    'Passwords of the service hooks’ basic authentication, as a list for rotation.',
    perInstance,
  ),
  setting(
    'AZURE_DEVOPS_HOOK_HEADER_SECRETS',
    'secrets',
    'webhooks',
    'Values of the service hooks’ secret header, as a list for rotation.',
    perInstance,
  ),
  setting(
    'GITLAB_TOKEN',
    'secret',
    'review',
    'Project, group or personal access token with scope `api`.',
    perInstance,
  ),
  setting(
    'GITLAB_SIGNING_TOKENS',
    'secrets',
    'webhooks',
    'Signing tokens (`whsec_…`) of the webhooks, as a list for rotation.',
    perInstance,
  ),
  setting(
    'GITLAB_WEBHOOK_TOKENS',
    'secrets',
    'webhooks',
    'Secret tokens of webhooks that are not signed, as a list for rotation.',
    perInstance,
  ),
  setting(
    'ANTHROPIC_API_KEY',
    'secret',
    'review',
    'Key of the Anthropic API; absent when FOUNDRY_RESOURCE is used.',
  ),
  setting(
    'ANTHROPIC_BASE_URL',
    'url',
    'review',
    'Address of the Messages API; https, or http to loopback outside Azure.',
    { default: 'https://api.anthropic.com' },
  ),
  setting(
    'FOUNDRY_RESOURCE',
    'text',
    'review',
    'Name of the Microsoft Foundry resource to use with the managed identity instead of a key.',
  ),
  setting('MODEL_SKIM', 'text', 'review', 'Model of the skim tier.', { default: 'claude-haiku-5-5' }),
  setting('MODEL_STANDARD', 'text', 'review', 'Model of the standard tier.', {
    default: 'claude-sonnet-5-5',
  }),
  setting('MODEL_DEEP', 'text', 'review', 'Model of the deep tier.', { default: 'claude-opus-5-5' }),
  setting('MODEL_VERIFY', 'text', 'review', 'Model that judges findings again.', {
    default: 'claude-opus-5-5',
  }),
  setting(
    'MODEL_PRICES',
    'json',
    'review',
    'Prices by model in US dollars per million tokens, `{"model": {"input": 1, "output": 5}}`, with `cacheWrite` and `cacheRead` where they differ; replaces the built-in table.',
  ),
  setting(
    'GATEHOUSE_PUBLIC_URL',
    'url',
    'mcp',
    'Address under which clients reach the app; part of the MCP metadata.',
  ),
  setting('GATEHOUSE_NAME', 'text', 'review', 'The name people mention, without `@`.', {
    default: 'gatehouse',
  }),
  setting('GATEHOUSE_GRANTS', 'json', 'mcp', 'JSON list of grants for MCP clients that sign in with Entra.'),
  setting('GATEHOUSE_STOP', 'flag', 'writes', 'Set to `true` to stop every write to every pull request.', {
    default: 'false',
  }),
  setting(
    'GATEHOUSE_MARKER_KEYS',
    'secrets',
    'writes',
    'Keys of the markers in posted comments: the first signs, all verify. At least 16 characters each; never remove one that posted comments still carry.',
    required,
  ),
  setting(
    'RETENTION_DAYS',
    'number',
    'review',
    'Days that deliveries, dead letters, pass results and drafts are kept.',
    { default: '30' },
  ),
  setting('RUN_DEADLINE_MINUTES', 'number', 'review', 'Minutes after which a run ends with what it has.', {
    default: '20',
  }),
  setting('BUDGET_RUN_USD', 'number', 'review', 'Model money one run may spend, in US dollars.', {
    default: '5',
  }),
  setting(
    'BUDGET_REPOSITORY_DAY_USD',
    'number',
    'review',
    'Model money one repository may spend a day, in US dollars.',
    { default: '100' },
  ),
  setting('ENTRA_TENANTS', 'list', 'mcp', 'Tenant ids whose tokens the MCP endpoint takes.'),
  setting('ENTRA_AUDIENCE', 'text', 'mcp', 'Audience of those tokens.'),
  setting('ENTRA_CLIENTS', 'list', 'mcp', 'Client ids that may call the MCP endpoint.'),
  setting('MCP_ORIGINS', 'list', 'mcp', 'Browser origins that may call the MCP endpoint.'),
  setting(
    'SWEEP_SCHEDULE',
    'schedule',
    'sweep',
    'NCRONTAB expression of the sweep, hourly such as `0 7 * * * *`. The Functions host reads it, too, and does not load the sweep without it.',
    required,
  ),
  setting('LOG_LEVEL', 'choice', 'logging', 'Lowest level that is logged: debug, info, warn or error.', {
    default: 'info',
  }),
];

/** The row of a setting by its plain name. */
export function settingNamed(name: string): Setting | undefined {
  return SETTINGS.find((candidate) => candidate.name === name);
}

/** Prefix of settings that are ours alone: an unknown one is a mistake, never ignored. */
export const OWN_PREFIX = 'GATEHOUSE_';

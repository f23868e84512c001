/** Settings of an app with one GitHub instance, complete: loadConfig finds nothing wrong with them. */
export const GITHUB_INSTANCE = {
  id: 'main',
  provider: 'github',
  webUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
  archiveHosts: ['codeload.github.com'],
  repositories: ['acme/*'],
} as const;

export const COMPLETE: Readonly<Record<string, string>> = {
  GATEHOUSE_STORAGE__queueServiceUri: 'https://account.queue.core.windows.net',
  GATEHOUSE_STORAGE__tableServiceUri: 'https://account.table.core.windows.net',
  GATEHOUSE_INSTANCES: JSON.stringify([GITHUB_INSTANCE]),
  GITHUB_TOKEN: 'token-of-main',
  GITHUB_WEBHOOK_SECRETS: 'hook-one, hook-two',
  ANTHROPIC_API_KEY: 'model-key',
  GATEHOUSE_MARKER_KEYS: 'first marker key 1234,second marker key 567',
  SWEEP_SCHEDULE: '0 7 * * * *',
};

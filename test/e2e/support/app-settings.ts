import { fileURLToPath } from 'node:url';

export const APP_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Complete settings of an app that reaches nobody, with changes; an undefined value removes a setting. */
export function appSettings(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const settings: Record<string, string | undefined> = {
    GATEHOUSE_STORAGE: 'UseDevelopmentStorage=true',
    GATEHOUSE_INSTANCES: JSON.stringify([
      {
        id: 'github',
        provider: 'github',
        webUrl: 'https://github.com',
        apiUrl: 'https://api.github.com',
        repositories: ['**'],
      },
    ]),
    GITHUB_WEBHOOK_SECRETS: 'a webhook secret',
    GITHUB_TOKEN: 'ghp_000000000000000000000000000000000000',
    ANTHROPIC_API_KEY: 'a model key',
    GATEHOUSE_MARKER_KEYS: 'a marker key of thirty-two bytes',
    SWEEP_SCHEDULE: '0 7 * * * *',
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

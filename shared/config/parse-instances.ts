import { z } from 'zod';
import { PROVIDER_IDS } from '../domain/pull-request.ts';
import type { GitHubCredential, InstanceConfig } from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import { readPrivateKey, readSecrets } from './parse-secrets.ts';
import { parseServiceUrl, URL_ADVICE } from './parse-url.ts';

const SETTING = 'GATEHOUSE_INSTANCES';

const InstanceEntry = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  provider: z.enum(PROVIDER_IDS),
  webUrl: z.string(),
  apiUrl: z.string(),
  archiveHosts: z.array(z.string().regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/)).default([]),
  repositories: z.array(z.string().min(1).max(300)).min(1),
});
type InstanceEntry = z.infer<typeof InstanceEntry>;

/** The usable instances; a wrong entry is left out and named by its position, so that the others go on. */
export function readInstances(reader: ConfigReader): readonly InstanceConfig[] {
  const text = reader.text(SETTING);
  if (text === undefined) {
    reader.report(SETTING, 'webhooks', 'Set it to a JSON list of instances; see docs/settings.md.');
    return [];
  }
  const list = parseList(text);
  if (list === undefined) {
    reader.report(SETTING, 'webhooks', 'It is not a JSON list; see docs/settings.md for an example.');
    return [];
  }
  const instances: InstanceConfig[] = [];
  for (const [index, item] of list.entries()) {
    const entry = InstanceEntry.safeParse(item);
    if (!entry.success) {
      const fields = [...new Set(entry.error.issues.map((issue) => issue.path.join('.') || issue.code))];
      reader.report(
        SETTING,
        'webhooks',
        `Entry ${index + 1} is not an instance; check: ${fields.join(', ')}.`,
      );
    } else if (instances.some((other) => other.id === entry.data.id)) {
      reader.report(
        SETTING,
        `webhooks/${entry.data.id}`,
        `Entry ${index + 1} repeats an id; ids are unique.`,
      );
    } else {
      const instance = readInstance(reader, entry.data, index, instances);
      if (instance !== undefined) instances.push(instance);
    }
  }
  return instances;
}

function parseList(text: string): unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function readInstance(
  reader: ConfigReader,
  entry: InstanceEntry,
  index: number,
  earlier: readonly InstanceConfig[],
): InstanceConfig | undefined {
  const governs = `webhooks/${entry.id}`;
  const urls: URL[] = [];
  for (const field of ['webUrl', 'apiUrl'] as const) {
    const url = parseServiceUrl(entry[field], reader.isInAzure);
    if (url instanceof URL) urls.push(url);
    else reader.report(SETTING, governs, `Entry ${index + 1}, ${field}: ${URL_ADVICE[url]}`);
  }
  const [webUrl, apiUrl] = urls;
  if (webUrl === undefined || apiUrl === undefined) return undefined;

  const isFirst = !earlier.some((other) => other.provider === entry.provider);
  const named = (name: string): string => settingFor(reader, name, entry.id, isFirst);
  const base = {
    id: entry.id,
    webUrl,
    apiUrl,
    archiveHosts: entry.archiveHosts,
    repositories: entry.repositories,
  };
  const secrets = (name: string) => readSecrets(reader, named(name), governs);
  switch (entry.provider) {
    case 'github': {
      const webhookSecrets = secrets('GITHUB_WEBHOOK_SECRETS');
      requireSome(reader, webhookSecrets, named('GITHUB_WEBHOOK_SECRETS'), governs);
      return {
        ...base,
        provider: 'github',
        credential: readGitHubCredential(reader, named, entry.id),
        webhookSecrets,
      };
    }
    case 'azure-devops': {
      const hookUser = reader.text(named('AZURE_DEVOPS_HOOK_USER'));
      const hookPasswords = secrets('AZURE_DEVOPS_HOOK_PASSWORDS');
      const hookHeaderSecrets = secrets('AZURE_DEVOPS_HOOK_HEADER_SECRETS');
      requireSome(reader, hookUser === undefined ? [] : [hookUser], named('AZURE_DEVOPS_HOOK_USER'), governs);
      requireSome(reader, hookPasswords, named('AZURE_DEVOPS_HOOK_PASSWORDS'), governs);
      requireSome(reader, hookHeaderSecrets, named('AZURE_DEVOPS_HOOK_HEADER_SECRETS'), governs);
      const token = reader.secret(named('AZURE_DEVOPS_TOKEN'));
      return { ...base, provider: 'azure-devops', token, hookUser, hookPasswords, hookHeaderSecrets };
    }
    case 'gitlab': {
      const signingTokens = secrets('GITLAB_SIGNING_TOKENS');
      const webhookTokens = secrets('GITLAB_WEBHOOK_TOKENS');
      requireSome(reader, [...signingTokens, ...webhookTokens], named('GITLAB_SIGNING_TOKENS'), governs);
      const token = reader.secret(named('GITLAB_TOKEN'));
      requireSome(reader, token === undefined ? [] : [token], named('GITLAB_TOKEN'), `review/${entry.id}`);
      return { ...base, provider: 'gitlab', token, signingTokens, webhookTokens };
    }
  }
}

/** `<NAME>__<ID>` when it is set or when another instance of the provider came first; otherwise `<NAME>`. */
function settingFor(reader: ConfigReader, name: string, id: string, isFirst: boolean): string {
  const own = `${name}__${id.toUpperCase().replaceAll('-', '_')}`;
  return isFirst && reader.text(own) === undefined ? name : own;
}

function readGitHubCredential(
  reader: ConfigReader,
  named: (name: string) => string,
  id: string,
): GitHubCredential | undefined {
  const appId = reader.text(named('GITHUB_APP_ID'));
  const privateKey = readPrivateKey(reader, named('GITHUB_APP_PRIVATE_KEY'));
  const token = reader.secret(named('GITHUB_TOKEN'));
  if (appId !== undefined && privateKey !== undefined) return { kind: 'app', appId, privateKey };
  if (appId === undefined && privateKey === undefined && token !== undefined) return { kind: 'token', token };
  const missing = appId === undefined ? 'GITHUB_APP_ID' : 'GITHUB_APP_PRIVATE_KEY';
  reader.report(
    named(missing),
    `review/${id}`,
    'Set both GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY, or GITHUB_TOKEN alone.',
  );
  return undefined;
}

function requireSome(
  reader: ConfigReader,
  values: readonly unknown[],
  setting: string,
  governs: string,
): void {
  const isReported = reader.problems.some((problem) => problem.setting === setting);
  if (values.length === 0 && !isReported) reader.report(setting, governs, 'Set it; there is no default.');
}

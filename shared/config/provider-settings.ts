import type { ProviderId } from '../domain/pull-request.ts';
import type {
  AzureDevOpsInstance,
  GitHubCredential,
  GitHubInstance,
  GitLabInstance,
  InstanceConfig,
} from './config.ts';
import type { ConfigReader } from './config-reader.ts';
import type { InstanceSettings } from './instance-settings.ts';
import { readPrivateKey, readSecrets } from './parse-secrets.ts';

type Common = Exclude<keyof GitHubInstance, 'provider' | 'credential' | 'webhookSecrets'>;
type ProviderSettings =
  Omit<GitHubInstance, Common> | Omit<AzureDevOpsInstance, Common> | Omit<GitLabInstance, Common>;

/** Credentials and webhook secrets of one instance. What is missing closes its webhooks or its reviews only. */
export function readProviderSettings(
  reader: ConfigReader,
  provider: ProviderId,
  settings: InstanceSettings,
): ProviderSettings {
  switch (provider) {
    case 'github':
      return readGitHub(reader, settings);
    case 'azure-devops':
      return readAzureDevOps(reader, settings);
    case 'gitlab':
      return readGitLab(reader, settings);
  }
}

function readGitHub(reader: ConfigReader, { id, named }: InstanceSettings): Omit<GitHubInstance, Common> {
  const secretsName = named('GITHUB_WEBHOOK_SECRETS');
  const webhookSecrets = readSecrets(reader, secretsName, webhooks(id));
  requireSome(reader, webhookSecrets, secretsName, webhooks(id));
  return { provider: 'github', credential: readGitHubCredential(reader, { id, named }), webhookSecrets };
}

function readGitHubCredential(
  reader: ConfigReader,
  { id, named }: InstanceSettings,
): GitHubCredential | undefined {
  const appName = named('GITHUB_APP_ID');
  const keyName = named('GITHUB_APP_PRIVATE_KEY');
  const tokenName = named('GITHUB_TOKEN');
  const appId = reader.text(appName);
  const privateKey = readPrivateKey(reader, keyName, reviews(id));
  const token = reader.secret(tokenName);
  if (appId !== undefined && privateKey !== undefined) {
    return Object.freeze({ kind: 'app', appId, privateKey });
  }
  if (appId === undefined && privateKey === undefined && token !== undefined) {
    return Object.freeze({ kind: 'token', token });
  }
  const missing = appId === undefined ? appName : keyName;
  if (!reader.isReported(missing)) {
    reader.report(missing, reviews(id), `Set both ${appName} and ${keyName}, or ${tokenName} alone.`);
  }
  return undefined;
}

function readAzureDevOps(
  reader: ConfigReader,
  { id, named }: InstanceSettings,
): Omit<AzureDevOpsInstance, Common> {
  const userName = named('AZURE_DEVOPS_HOOK_USER');
  const passwordsName = named('AZURE_DEVOPS_HOOK_PASSWORDS');
  const headersName = named('AZURE_DEVOPS_HOOK_HEADER_SECRETS');
  const hookUser = reader.text(userName);
  const hookPasswords = readSecrets(reader, passwordsName, webhooks(id));
  const hookHeaderSecrets = readSecrets(reader, headersName, webhooks(id));
  requireSome(reader, hookUser === undefined ? [] : [hookUser], userName, webhooks(id));
  requireSome(reader, hookPasswords, passwordsName, webhooks(id));
  requireSome(reader, hookHeaderSecrets, headersName, webhooks(id));
  const token = reader.secret(named('AZURE_DEVOPS_TOKEN'));
  return { provider: 'azure-devops', token, hookUser, hookPasswords, hookHeaderSecrets };
}

function readGitLab(reader: ConfigReader, { id, named }: InstanceSettings): Omit<GitLabInstance, Common> {
  const signingName = named('GITLAB_SIGNING_TOKENS');
  const tokenName = named('GITLAB_TOKEN');
  const signingTokens = readSecrets(reader, signingName, webhooks(id));
  const webhookTokens = readSecrets(reader, named('GITLAB_WEBHOOK_TOKENS'), webhooks(id));
  requireSome(reader, [...signingTokens, ...webhookTokens], signingName, webhooks(id));
  const token = reader.secret(tokenName);
  requireSome(reader, token === undefined ? [] : [token], tokenName, reviews(id));
  return { provider: 'gitlab', token, signingTokens, webhookTokens };
}

function requireSome(
  reader: ConfigReader,
  values: readonly unknown[],
  setting: string,
  governs: string,
): void {
  if (values.length > 0 || reader.isReported(setting)) return;
  reader.report(setting, governs, 'Set it; there is no default.');
}

const webhooks = (id: InstanceConfig['id']): string => `webhooks/${id}`;
const reviews = (id: InstanceConfig['id']): string => `review/${id}`;

import type { AzureDevOpsInstance, GitLabInstance, WebhookSecret } from '../../../shared/config/config.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import { matchesRepository } from '../../../shared/providers/webhooks/repository-globs.ts';
import { namesWithin, type HookPlace } from './hook-place.ts';

/** What deliveries will carry. The values leave this process in the body of a creation alone. */
export interface AzureHookSecrets {
  readonly user: string;
  readonly password: string;
  readonly headerSecret: string;
}

export interface GitLabHookSecrets {
  readonly signingToken: string | undefined;
  readonly token: string | undefined;
}

/** Source: Azure DevOps documentation, "Service hooks consumers", webHooks: limits of the basic authentication. */
const MAX_BASIC_LENGTH = 256;
/** GitLab takes no other: 32 bytes as Base64 after the prefix (API documentation, "Project webhooks"). */
const SIGNING_TOKEN = /^whsec_[A-Za-z0-9+/]{43}=$/;

/**
 * Where both values are limited, a delivery vouches only for globs that stand in both lists; the pair is chosen so
 * that it vouches for the whole place. @throws AppError `rejected` that names the setting to change.
 */
export function chooseAzureSecrets(instance: AzureDevOpsInstance, place: HookPlace): AzureHookSecrets {
  const { hookUser: user, hookPasswords, hookHeaderSecrets } = instance;
  if (user === undefined) throw missing('AZURE_DEVOPS_HOOK_USER');
  if (hookPasswords.length === 0) throw missing('AZURE_DEVOPS_HOOK_PASSWORDS');
  if (hookHeaderSecrets.length === 0) throw missing('AZURE_DEVOPS_HOOK_HEADER_SECRETS');
  const names = namesWithin('azure-devops', place);
  const headers = covering(hookHeaderSecrets, names);
  for (const password of covering(hookPasswords, names)) {
    const header = headers.find((candidate) => covers(inBoth(password, candidate), names));
    if (header === undefined) continue;
    const secrets = { user, password: password.value.reveal(), headerSecret: header.value.reveal() };
    check(secrets);
    return secrets;
  }
  throw uncovered('AZURE_DEVOPS_HOOK_PASSWORDS and AZURE_DEVOPS_HOOK_HEADER_SECRETS', place);
}

/** Both where both are set: GitLab before 19.0 ignores signing tokens. @throws AppError `rejected`. */
export function chooseGitLabSecrets(instance: GitLabInstance, place: HookPlace): GitLabHookSecrets {
  const { signingTokens, webhookTokens } = instance;
  if (signingTokens.length + webhookTokens.length === 0) throw missing('GITLAB_SIGNING_TOKENS');
  const names = namesWithin('gitlab', place);
  const signingToken = covering(signingTokens, names)[0]?.value.reveal();
  const token = covering(webhookTokens, names)[0]?.value.reveal();
  if (signingToken === undefined && token === undefined)
    throw uncovered('GITLAB_SIGNING_TOKENS and GITLAB_WEBHOOK_TOKENS', place);
  if (signingToken !== undefined && !SIGNING_TOKEN.test(signingToken))
    throw unusable('GITLAB_SIGNING_TOKENS', 'Write whsec_ and 32 random bytes as Base64.');
  return { signingToken, token };
}

function check({ user, password, headerSecret }: AzureHookSecrets): void {
  if (user.length > MAX_BASIC_LENGTH || /[\s:]/.test(user))
    throw unusable('AZURE_DEVOPS_HOOK_USER', 'At most 256 characters, no spaces, no colon.');
  if (password.length > MAX_BASIC_LENGTH || /\s/.test(password))
    throw unusable('AZURE_DEVOPS_HOOK_PASSWORDS', 'At most 256 characters, no spaces.');
  // Threat: a line break would add a header of its own; other characters do not arrive as they were sent.
  if (!/^[\x21-\x7e]+$/.test(headerSecret))
    throw unusable('AZURE_DEVOPS_HOOK_HEADER_SECRETS', 'Use ASCII letters, digits and signs, no spaces.');
}

/** Those limited to less come first: what a place's administrators may see then vouches for no other place. */
function covering(secrets: readonly WebhookSecret[], names: readonly string[]): readonly WebhookSecret[] {
  const usable = secrets.filter(({ repositories }) => covers(repositories, names));
  const isLimited = (secret: WebhookSecret): boolean => secret.repositories !== undefined;
  return [...usable.filter(isLimited), ...usable.filter((secret) => !isLimited(secret))];
}

function covers(globs: readonly string[] | undefined, names: readonly string[]): boolean {
  return globs === undefined || names.every((name) => matchesRepository(globs, name));
}

function inBoth(one: WebhookSecret, other: WebhookSecret): readonly string[] | undefined {
  if (one.repositories === undefined || other.repositories === undefined)
    return one.repositories ?? other.repositories;
  return one.repositories.filter((glob) => other.repositories?.includes(glob) === true);
}

const SUFFIX = '(with the suffix of the instance, if it is not the first)';

function missing(setting: string): AppError {
  return settingsError(`Set ${setting} ${SUFFIX}: a hook without it is refused by the app.`);
}

function uncovered(settings: string, place: HookPlace): AppError {
  return settingsError(`No values of ${settings} vouch for all of ${place.name}; check their repositories.`);
}

function unusable(setting: string, advice: string): AppError {
  return settingsError(`${setting} holds a value that cannot be used. ${advice}`);
}

function settingsError(message: string): AppError {
  return new AppError({ kind: 'rejected', code: 'settings', message });
}

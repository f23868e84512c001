import type { AzureDevOpsInstance, WebhookSecret } from '../../config/config.ts';
import type { WebhookHeaders } from '../ports.ts';
import { isEqualInConstantTime } from '../webhooks/constant-time.ts';

/** Name of the custom header of the service hook subscriptions; its value is one of the header secrets. */
export const SECRET_HEADER = 'x-gatehouse-secret';

/** What a delivery's credentials allow: `repositories` undefined means every covered one. */
export interface HookCredentials {
  readonly repositories: readonly string[] | undefined;
}

export interface HookAuthenticator {
  readonly isConfigured: boolean;
  /** Undefined when user and password or the header's secret are wrong. */
  check(headers: WebhookHeaders): HookCredentials | undefined;
}

/**
 * Service hooks are not signed, so both Basic authentication and a secret header must be right: the password is
 * confidential to the subscription, the header is seen by whoever may view it, and neither is enough alone. Every
 * configured value is compared, so that time does not tell which one was near.
 */
export function createHookAuthenticator(instance: AzureDevOpsInstance): HookAuthenticator {
  const user = instance.hookUser ?? '';
  const passwords = instance.hookPasswords.filter(isSet);
  const headerSecrets = instance.hookHeaderSecrets.filter(isSet);
  const isConfigured = user !== '' && passwords.length > 0 && headerSecrets.length > 0;
  return {
    isConfigured,
    check(headers) {
      const given = readBasic(headers['authorization']);
      const header = headers[SECRET_HEADER] ?? '';
      const isUser = isEqualInConstantTime(given.user, user);
      const byPassword = matching(passwords, given.password);
      const byHeader = matching(headerSecrets, header);
      if (!isConfigured || !isUser || byPassword.length === 0 || byHeader.length === 0) return undefined;
      return { repositories: inBoth(limitsOf(byPassword), limitsOf(byHeader)) };
    },
  };
}

function isSet(secret: WebhookSecret): boolean {
  return secret.value.reveal() !== '';
}

function matching(secrets: readonly WebhookSecret[], given: string): WebhookSecret[] {
  return secrets.filter((secret) => isEqualInConstantTime(secret.value.reveal(), given));
}

/** Globs of the secrets that matched; undefined when one of them has no limits. */
function limitsOf(secrets: readonly WebhookSecret[]): readonly string[] | undefined {
  return secrets.some((secret) => secret.repositories === undefined)
    ? undefined
    : secrets.flatMap((secret) => secret.repositories ?? []);
}

/** Of two limits only what both say literally: whether other globs overlap cannot be handed on as a list of globs. */
function inBoth(
  first: readonly string[] | undefined,
  second: readonly string[] | undefined,
): readonly string[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first.filter((glob) => second.includes(glob));
}

/** User and password of a Basic header (RFC 7617, UTF-8); empty for any other header. */
function readBasic(header: string | undefined): { readonly user: string; readonly password: string } {
  const token = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '')?.[1] ?? '';
  const text = Buffer.from(token, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? { user: '', password: '' }
    : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

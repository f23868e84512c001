import { randomBytes } from 'node:crypto';
import type { SimulatedTokenOptions } from '../options.ts';
import type { SimRepository } from '../state/model.ts';
import type { GitHubState, SimInstallation } from '../state/state.ts';
import type { Actor, Permissions } from './viewer.ts';

export interface IssuedToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** All credentials that open the API. */
export interface TokenStore {
  /** Undefined for unknown, expired and revoked tokens alike. */
  find(token: string): Actor | undefined;
  issue(
    installation: SimInstallation,
    repositories: readonly SimRepository[],
    permissions: Permissions,
  ): IssuedToken;
  addPersonal(options: SimulatedTokenOptions): void;
  /** True when there was such a token. */
  revoke(token: string): boolean;
  revokeAllOfApp(): void;
}

const HOUR_MS = 60 * 60 * 1000;

function encodePart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The long form of installation tokens (since April 2026): `ghs_<app id>_<three dotted parts>`, far over 40 characters. */
function newInstallationToken(appId: number, expiresAt: number): string {
  const claims = { exp: Math.floor(expiresAt / 1000), jti: randomBytes(12).toString('hex') };
  return `ghs_${appId}_${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart(claims)}.${randomBytes(32).toString('base64url')}`;
}

export function createTokenStore(state: GitHubState): TokenStore {
  const tokens = new Map<string, { actor: Actor; expiresAt: number }>();
  return {
    find(token) {
      const entry = tokens.get(token);
      return entry === undefined || entry.expiresAt <= state.now() ? undefined : entry.actor;
    },
    issue(installation, repositories, permissions) {
      if (state.app === undefined)
        throw new Error('a simulator without an App issues no installation tokens');
      const expiresAt = state.now() + HOUR_MS;
      const token = newInstallationToken(state.app.id, expiresAt);
      const actor: Actor = {
        kind: 'installation',
        user: state.app.bot,
        installation,
        repositories,
        permissions,
      };
      tokens.set(token, { actor, expiresAt });
      return { token, expiresAt };
    },
    addPersonal(options) {
      tokens.set(options.token, {
        actor: {
          kind: 'user',
          user: state.ensureUser(options.login),
          repositories:
            options.repositories === undefined
              ? undefined
              : new Set(options.repositories.map((name) => name.toLowerCase())),
          permissions: options.permissions,
        },
        expiresAt: options.expiresAt ?? Number.MAX_SAFE_INTEGER,
      });
    },
    revoke: (token) => tokens.delete(token),
    revokeAllOfApp() {
      for (const [token, { actor }] of tokens) if (actor.kind === 'installation') tokens.delete(token);
    },
  };
}

import { z } from 'zod';
import type { Clock } from '../../domain/clock.ts';
import { isAppError } from '../../domain/app-error.ts';
import { createBoundedCache } from './bounded-cache.ts';
import type { Authorize } from './plumbing-plugin.ts';
import type { GitHubSession } from './session.ts';
import type { TokenScope } from './token-scopes.ts';
import { notInstalled } from './token-scopes.ts';

/** Installation tokens, each narrowed to a scope. */
export interface InstallationTokens {
  /** Signs requests with the scope's token, minted on first use and renewed in time. */
  authorize(scope: TokenScope): Authorize;
}

interface MintedToken {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

const AccessToken = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) });

/** A token with less time left is not used: a run's next requests could meet its end. */
const MIN_LEFT_MS = 5 * 60_000;
const MAX_TOKENS = 500;

/**
 * Mints tokens as the App and keeps them until five minutes before they end.
 * Source: REST documentation, "Create an installation access token for an app" (`repository_ids`, one hour).
 */
export function createInstallationTokens(app: GitHubSession, clock: Clock): InstallationTokens {
  const minted = createBoundedCache<MintedToken>(MAX_TOKENS);
  const underWay = new Map<string, Promise<MintedToken>>();

  async function mint(scope: TokenScope): Promise<MintedToken> {
    try {
      const answer = await app.write(
        'POST /app/installations/{installation_id}/access_tokens',
        { installation_id: await scope.findInstallation(app), ...scope.narrowTo },
        AccessToken,
      );
      return { token: answer.token, expiresAt: Date.parse(answer.expires_at) };
    } catch (error) {
      const isMissing = isAppError(error) && (error.code === 'not_found' || error.kind === 'rejected');
      throw isMissing ? notInstalled(scope) : error;
    }
  }

  async function tokenFor(scope: TokenScope, refresh: boolean): Promise<string> {
    const known = minted.get(scope.key);
    if (known !== undefined && !refresh && known.expiresAt - clock.now() >= MIN_LEFT_MS) return known.token;
    let pending = underWay.get(scope.key);
    if (pending === undefined) {
      pending = mint(scope).finally(() => underWay.delete(scope.key));
      underWay.set(scope.key, pending);
    }
    const token = await pending;
    minted.set(scope.key, token);
    return token.token;
  }

  return { authorize: (scope) => (refresh) => tokenFor(scope, refresh) };
}

import { createAppAuth } from '@octokit/auth-app';
import type { Secret } from '../../config/secret.ts';
import { AppError } from '../../domain/app-error.ts';

/** Makes the short-lived token with which the App speaks as itself (JWT, RS256, at most ten minutes). */
export type AppTokenSource = () => Promise<string>;

/**
 * Only the JWT comes from auth-app. Its installation tokens are not used: it shares requests under way between
 * all its instances by installation and repository id alone, so two GitHub instances with equal ids could get
 * each other's token (8.3.1, `pendingPromises`), and it keeps a token until a minute before it expires.
 */
export function createAppTokenSource(appId: string, privateKey: Secret): AppTokenSource {
  return async () => {
    try {
      const auth = createAppAuth({ appId, privateKey: privateKey.reveal() });
      const { token } = await auth({ type: 'app' });
      return token;
    } catch {
      // Whatever the library says may quote the key: it is not kept.
      throw new AppError({
        kind: 'permanent',
        code: 'provider_credentials',
        message: 'The private key of the GitHub App cannot be used. Check GITHUB_APP_PRIVATE_KEY.',
      });
    }
  };
}

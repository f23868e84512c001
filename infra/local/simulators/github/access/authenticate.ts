import type { SimulatorRequest } from '../../http/exchange.ts';
import { ReplyError } from '../../http/exchange.ts';
import { githubError } from '../rest/errors.ts';
import type { GitHubState } from '../state/state.ts';
import { checkAppToken } from './app-token.ts';
import type { TokenStore } from './tokens.ts';
import type { Viewer } from './viewer.ts';

/** The bare credential of a request: after `Bearer` or `token`, or the password of Basic. */
export function credentialOf(request: SimulatorRequest): string | undefined {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(/ +(.*)/s);
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'token':
      return value === '' ? undefined : value;
    case 'basic':
      return Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '');
    default:
      return undefined;
  }
}

const JSON_WEB_TOKEN = /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/;

/** Who makes the request. @throws ReplyError 401 for a credential that opens nothing. */
export function authenticate(state: GitHubState, tokens: TokenStore, request: SimulatorRequest): Viewer {
  const credential = credentialOf(request);
  if (credential === undefined) return { kind: 'anonymous' };
  const actor = tokens.find(credential);
  if (actor !== undefined) return actor;
  if (state.app !== undefined && JSON_WEB_TOKEN.test(credential)) {
    const check = checkAppToken(credential, state.app, state.now());
    if (check.ok) return { kind: 'app' };
    throw new ReplyError(githubError(check.message === 'Integration not found' ? 404 : 401, check.message));
  }
  throw new ReplyError(githubError(401, 'Bad credentials'));
}

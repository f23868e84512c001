import type { SimulatorRequest } from '../http/exchange.ts';
import { refuse } from './errors.ts';
import type { SimulatedTokenOptions } from './options.ts';
import type { GitLabState, SimUser } from './state.ts';

export interface Access {
  add(token: SimulatedTokenOptions): void;
  /** The token of a request stops working. */
  revoke(request: SimulatorRequest): void;
  revokeToken(token: string): void;
  /** Who asks. @throws ReplyError 401. */
  signIn(request: SimulatorRequest): SimUser;
}

export function createAccess(state: GitLabState): Access {
  const logins = new Map<string, string>();
  return {
    add({ token, login }) {
      state.ensureUser(login);
      logins.set(token, login);
    },
    revoke: (request) => void logins.delete(tokenOf(request)),
    revokeToken: (token) => void logins.delete(token),
    signIn(request) {
      const login = logins.get(tokenOf(request));
      return login === undefined ? refuse(401, '401 Unauthorized') : state.ensureUser(login);
    },
  };
}

function tokenOf({ headers }: SimulatorRequest): string {
  const own = headers['private-token'];
  if (typeof own === 'string') return own;
  return /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

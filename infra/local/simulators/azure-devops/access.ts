import type { SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import { ReplyError } from '../http/exchange.ts';
import type { AzureDevOpsSimulatorOptions, SimulatedTokenOptions } from './options.ts';
import { refuse } from './errors.ts';
import type { AzureDevOpsState, PermissionLevel, SimIdentity, SimRepository } from './state.ts';

export interface Access {
  add(token: SimulatedTokenOptions): void;
  /** The token of a request stops working. */
  revoke(request: SimulatorRequest): void;
  revokeToken(token: string): void;
  /** Who asks. @throws ReplyError with how a wrong credential is answered. */
  signIn(request: SimulatorRequest): SimIdentity;
}

const SIGN_IN_PAGE =
  '<!DOCTYPE html>\n<html lang="en-US"><head><title>\r\n\tAzure DevOps Services | Sign In\r\n</title></head><body></body></html>\n';

export function createAccess(state: AzureDevOpsState, signIn: AzureDevOpsSimulatorOptions['signIn']): Access {
  const tokens = new Map<string, SimulatedTokenOptions>();
  return {
    add(token) {
      state.ensureIdentity(token.login);
      tokens.set(token.token, token);
    },
    revoke: (request) => void tokens.delete(credentialOf(request).token),
    revokeToken: (token) => void tokens.delete(token),
    signIn(request) {
      const { kind, token } = credentialOf(request);
      const known = tokens.get(token);
      if (known === undefined || known.kind !== kind) throw new ReplyError(refusal(signIn, request.origin));
      return state.ensureIdentity(known.login);
    },
  };
}

function credentialOf(request: SimulatorRequest): { kind: 'personal' | 'bearer'; token: string } {
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() === 'bearer') return { kind: 'bearer', token: value };
  const text = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString('utf8') : '';
  return { kind: 'personal', token: text.slice(text.indexOf(':') + 1) };
}

function refusal(signIn: AzureDevOpsSimulatorOptions['signIn'], origin: string): SimulatorReply {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  switch (signIn) {
    case 'page':
      return { status: 203, headers: html, text: SIGN_IN_PAGE };
    case 'redirect':
      return {
        status: 302,
        headers: { ...html, location: `https://app.vssps.visualstudio.com/_signin?realm=${origin}` },
        text: '',
      };
    default:
      return { status: 401, headers: { ...html, 'www-authenticate': 'Bearer' }, text: '' };
  }
}

export function permissionOf(repository: SimRepository, identity: SimIdentity): PermissionLevel {
  return repository.permissions.get(identity.id) ?? 'contribute';
}

export function requireContribute(repository: SimRepository, identity: SimIdentity): void {
  if (permissionOf(repository, identity) === 'contribute') return;
  refuse(
    403,
    'GitNeedsPermissionException',
    `TF401027: You need the Git 'PullRequestContribute' permission to perform this action. Details: identity '${identity.descriptor}', scope 'repository'.`,
  );
}

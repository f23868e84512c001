import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AuthLevel } from './route-table.ts';

/** Keys of a running host, new at every start. */
export interface FunctionKeys {
  /** Opens every function and the admin routes. */
  readonly master: string;
  /** Opens every function of level `function`. */
  readonly host: string;
  /** Opens one function of level `function`. */
  readonly functions: Readonly<Record<string, string>>;
}

export function createFunctionKeys(functionNames: readonly string[]): FunctionKeys {
  return {
    master: createKey(),
    host: createKey(),
    functions: Object.fromEntries(functionNames.map((name) => [name, createKey()])),
  };
}

function createKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Key of a request: query parameter `code`, else header `x-functions-key`. */
function presentedKey(request: IncomingMessage): string | undefined {
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const header = request.headers['x-functions-key'];
  return new URLSearchParams(query).get('code') ?? (typeof header === 'string' ? header : undefined);
}

/** May this request run a function of that level? `functionName` is undefined for the host's admin routes. */
export function isAuthorized(
  request: IncomingMessage,
  keys: FunctionKeys,
  level: AuthLevel,
  functionName?: string,
): boolean {
  if (level === 'anonymous') return true;
  const presented = presentedKey(request);
  if (presented === undefined) return false;
  const accepted = [keys.master];
  if (level === 'function') accepted.push(keys.host, keys.functions[functionName ?? ''] ?? keys.host);
  return accepted.some((key) => timingSafeEqual(digest(key), digest(presented)));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

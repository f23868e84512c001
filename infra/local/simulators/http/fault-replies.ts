import type { FaultAction } from './faults.ts';
import type { SimulatorReply } from './exchange.ts';

/** What a sign-in page looks like to a client that wanted JSON. */
const SIGN_IN_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form method="post">Sign in</form></body></html>\n';

/** The answer of faults that replace the work; undefined for those that do not. */
export function replacementReply(action: FaultAction): SimulatorReply | undefined {
  switch (action.kind) {
    case 'answer':
      return {
        status: action.status,
        ...(action.headers === undefined ? {} : { headers: action.headers }),
        ...(action.bodyBase64 !== undefined
          ? { bytes: Buffer.from(action.bodyBase64, 'base64') }
          : typeof action.body === 'string'
            ? { text: action.body }
            : { json: action.body }),
      };
    case 'html':
      return {
        status: action.status ?? 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        text: SIGN_IN_PAGE,
      };
    case 'redirect':
      return { status: action.status ?? 302, headers: { location: action.location }, text: '' };
    default:
      return undefined;
  }
}

/** The same JSON without its items: an empty list, or an object whose lists are emptied at every depth. */
export function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutItems(inner)]));
}

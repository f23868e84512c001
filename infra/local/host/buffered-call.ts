import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { RpcCookie, RpcHttp, RpcNullable, RpcTypedData } from './core-types.ts';
import type { RouteParams } from './match-route.ts';

/**
 * Reads the request for a function app without stream mode.
 *
 * Copies a fault of the real host: it hands a body over only when Content-Length says so, and a chunked body
 * arrives empty (azure-functions-nodejs-worker#524).
 */
export async function readBufferedRequest(
  request: IncomingMessage,
  body: Readable,
  url: string,
  params: RouteParams,
): Promise<RpcTypedData> {
  const bytes = await buffer(body);
  const declared = Number(request.headers['content-length'] ?? 0) > 0;
  const query = new Map<string, string>();
  for (const [name, value] of new URL(url).searchParams) {
    query.set(name, query.has(name) ? `${query.get(name)},${value}` : value);
  }
  return {
    http: {
      url,
      method: request.method ?? '',
      nullableHeaders: nullable(flatHeaders(request)),
      nullableQuery: nullable(Object.fromEntries(query)),
      nullableParams: nullable(params),
      body: declared ? { bytes } : null,
    },
  };
}

/** Header values as single strings, as the host passes them on. */
export function flatHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );
}

function nullable(values: Readonly<Record<string, string>>): Record<string, RpcNullable<string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}

/** Writes what the library returned; nothing at all is a 204. */
export async function writeBufferedResponse(
  response: ServerResponse,
  value: RpcTypedData | null | undefined,
): Promise<void> {
  const http: RpcHttp = value?.http ?? { statusCode: '204' };
  response.statusCode = Number(http.statusCode ?? 200);
  for (const [name, text] of Object.entries(http.headers ?? {})) response.setHeader(name, text);
  const cookies = (http.cookies ?? []).map(formatCookie);
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  const bytes = http.body?.bytes ?? new Uint8Array();
  if (response.statusCode !== 204 && response.statusCode !== 304) {
    response.setHeader('content-length', bytes.byteLength);
  }
  response.end(bytes);
  if (!response.writableFinished && !response.destroyed) await once(response, 'close');
}

function formatCookie(cookie: RpcCookie): string {
  const parts = [`${cookie.name ?? ''}=${encodeURIComponent(cookie.value ?? '')}`];
  const add = (name: string, value: string | number | null | undefined): void => {
    if (value !== null && value !== undefined) parts.push(`${name}=${value}`);
  };
  add('Max-Age', cookie.maxAge?.value);
  add('Domain', cookie.domain?.value);
  add('Path', cookie.path?.value ?? '/');
  const seconds = cookie.expires?.value?.seconds;
  add('Expires', seconds === undefined ? undefined : new Date(seconds * 1000).toUTCString());
  if (cookie.httpOnly?.value === true) parts.push('HttpOnly');
  if (cookie.secure?.value === true) parts.push('Secure');
  // The worker protocol says `none` for "not given" and `explicitNone` for SameSite=None.
  const sameSite = cookie.sameSite === 'explicitNone' ? 'none' : cookie.sameSite;
  if (cookie.sameSite !== 'none') add('SameSite', sameSite);
  return parts.join('; ');
}

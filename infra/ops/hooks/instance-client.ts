import type { z } from 'zod';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { InstanceConfig } from '../../../shared/config/config.ts';
import type { Secret } from '../../../shared/config/secret.ts';

/** One call of a provider's API; `path` is below the instance's apiUrl and holds the query. */
export interface HookRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

export interface InstanceClient {
  /** @throws AppError `permanent` when the provider refuses, `transient` when it cannot answer now. */
  send<Schema extends z.ZodType>(request: HookRequest, schema: Schema): Promise<z.output<Schema>>;
}

export interface InstanceClientOptions {
  readonly instance: InstanceConfig;
  /** Value of the Authorization header. */
  readonly authorization: string;
  /** What the credential must be allowed; ends the message of a refusal. */
  readonly needs: string;
  /** Never shown, not even where the provider repeats them. */
  readonly secrets: readonly Secret[];
  readonly transport: typeof fetch;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Speaks to the origin of the instance's apiUrl alone, over https or to this machine; follows no redirect and
 * repeats nothing, so that a hook is never made twice.
 */
export function createInstanceClient(options: InstanceClientOptions): InstanceClient {
  const { instance, authorization, transport } = options;
  return {
    async send(request, schema) {
      const url = addressOf(instance, request.path);
      const { status, type, text } = await exchange(transport, url, request, authorization, instance.id);
      if (status < 200 || status >= 300 || status === 203) throw refusal(options, request, status, text);
      const parsed = schema.safeParse(type.includes('json') ? parseJson(text) : undefined);
      if (parsed.success) return parsed.data;
      // Azure DevOps answers a bad credential with a sign-in page too.
      if (/html/.test(type)) throw refusal(options, request, 203, '');
      const field = parsed.error.issues[0]?.path.join('.') ?? '';
      throw permanent('unexpected_answer', `${instance.id} answered something else than expected: ${field}.`);
    },
  };
}

function addressOf(instance: InstanceConfig, path: string): URL {
  const { apiUrl } = instance;
  const url = new URL(`${apiUrl.origin}${apiUrl.pathname.replace(/\/+$/, '')}${path}`);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (isSafe && url.origin === apiUrl.origin) return url;
  throw permanent('host_not_allowed', `A connection to ${url.host} was refused: it is not ${instance.id}.`);
}

async function exchange(
  transport: typeof fetch,
  url: URL,
  request: HookRequest,
  authorization: string,
  instance: string,
): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  try {
    const response = await transport(url, {
      method: request.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization,
        accept: 'application/json',
        // Azure DevOps then answers 401 instead of leading to a sign-in page.
        'x-tfs-fedauthredirect': 'Suppress',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, text: await readText(response) };
  } catch (cause) {
    const message =
      request.method === 'POST'
        ? `${instance} did not answer. Whether the hook was made is unknown: run the command again, which looks first.`
        : `${instance} did not answer; check its apiUrl and the network, then run the command again.`;
    throw new AppError({ kind: 'transient', code: 'unreachable', message, cause });
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(
  options: InstanceClientOptions,
  request: HookRequest,
  status: number,
  text: string,
): AppError {
  const { instance, needs } = options;
  const what = `${instance.id} answered ${status} to ${request.method} ${request.path.split('?')[0] ?? ''}`;
  if (status === 401 || status === 203 || (status >= 300 && status < 400))
    return permanent('credentials_refused', `${what}: the token is wrong, revoked or expired. ${needs}`);
  if (status === 403) return permanent('not_permitted', `${what}: the token may not do this. ${needs}`);
  if (status === 404)
    return permanent('not_found', `${what}: it does not exist, or the token may not see it. ${needs}`);
  if (status === 429 || status >= 500)
    return new AppError({ kind: 'transient', code: 'busy', message: `${what}: try again later.` });
  return permanent('refused', `${what}: ${describe(text, options.secrets)}`);
}

/** The provider's own words, which name the field that it does not like; short, one line and without secrets. */
function describe(text: string, secrets: readonly Secret[]): string {
  const body = parseJson(text);
  const member = (key: string): unknown =>
    typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  const said = member('message') ?? member('error') ?? 'no reason given';
  const values = secrets
    .map((secret) => secret.reveal())
    .filter((value) => value !== '')
    // The longest first: a secret may begin with another.
    .toSorted((one, other) => other.length - one.length);
  const masked = values.reduce(
    (words, value) =>
      words.replaceAll(value, '[secret]').replaceAll(JSON.stringify(value).slice(1, -1), '[secret]'),
    typeof said === 'string' ? said : JSON.stringify(said),
  );
  return masked.replaceAll(/\s+|\p{Cc}/gu, ' ').slice(0, 300);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function permanent(code: string, message: string): AppError {
  return new AppError({ kind: 'permanent', code, message });
}

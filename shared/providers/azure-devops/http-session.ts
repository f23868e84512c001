import type { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import { readJson } from '../http/read-answer.ts';
import type { Authorize } from './authorization.ts';
import { credentialsRefused, translateAnswer } from './azure-errors.ts';
import type { Pacing } from './pacing.ts';
import { parseAnswer } from './parse-answer.ts';
import { isSignedOut, translatePage } from './sign-in.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Calls below one address. Paths begin with a slash; their segments are encoded by whoever builds them. */
export interface HttpSession {
  get<Schema extends z.ZodType>(path: string, query: Query, schema: Schema): Promise<z.output<Schema>>;
  /** The same with a header of the answer, for listings that page by one. */
  getWithHeader<Schema extends z.ZodType>(
    path: string,
    query: Query,
    schema: Schema,
    header: string,
  ): Promise<{ readonly data: z.output<Schema>; readonly header: string | undefined }>;
  /** The unread body of an answer that is not JSON. */
  stream(path: string, query: Query, options: StreamOptions): Promise<ReadableStream<Uint8Array>>;
  /** Sent once. @throws AppError `transient` when it is not known whether it was carried out. */
  write<Schema extends z.ZodType>(
    method: WriteMethod,
    path: string,
    body: unknown,
    schema: Schema,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>>;
  /** The same for calls that answer nothing of use. */
  send(method: WriteMethod, path: string, signal?: AbortSignal): Promise<void>;
}

export type WriteMethod = 'POST' | 'PATCH' | 'DELETE';

export interface StreamOptions {
  readonly accept: string;
  /** Default: the session's. */
  readonly fetch?: ProviderFetch;
  readonly signal?: AbortSignal;
}

export interface HttpSessionOptions {
  readonly instance: string;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly fetch: ProviderFetch;
  readonly authorize: Authorize;
  readonly pacing: Pacing;
  readonly clock: Clock;
  /** Pause before a read is tried again, doubled each time, in ms. */
  readonly retryBaseMs: number;
}

interface Call {
  readonly method: 'GET' | WriteMethod;
  readonly path: string;
  readonly query: Query;
  readonly accept: string;
  readonly body?: unknown;
  readonly fetch?: ProviderFetch;
  readonly signal?: AbortSignal;
}

/** Of Services and Server 2022.1 alike. */
const API_VERSION = '7.1';
const READ_TRIES = 3;

export function createHttpSession(options: HttpSessionOptions): HttpSession {
  const { instance, authorize, pacing, clock } = options;

  /** One request, signed; signed anew once when the credential was refused, which says that nothing was done. */
  async function exchange(call: Call): Promise<Response> {
    const isRead = call.method === 'GET';
    for (const isRefresh of [false, true]) {
      const authorization = await authorize(isRefresh);
      if (authorization === undefined) break;
      await pacing.waitForTurn(isRead, call.signal);
      const response = await (call.fetch ?? options.fetch)(addressOf(options.baseUrl, call), {
        method: call.method,
        headers: {
          accept: call.accept,
          authorization,
          // Asks for 401 instead of a way to the sign-in page.
          'x-tfs-fedauthredirect': 'Suppress',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      });
      pacing.note(response);
      if (!isSignedOut(response)) return judge(response);
      await response.body?.cancel();
    }
    throw credentialsRefused(instance, 401);
  }

  async function judge(response: Response): Promise<Response> {
    if (!response.ok) throw await translateAnswer(response, instance, clock.now());
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? ''))
      throw await translatePage(response, instance);
    return response;
  }

  /** Reads are tried again while the failure may pass at once; where the service names a time, it is not ours to wait. */
  async function read<Answer>(call: Omit<Call, 'method'>, use: (response: Response) => Promise<Answer>) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await use(await exchange({ ...call, method: 'GET' }));
      } catch (error) {
        const mayPass = isAppError(error, 'transient') && error.retryAfterMs === undefined;
        if (!mayPass || error.code === 'provider_timeout' || tries >= READ_TRIES) throw error;
        await clock.sleep(options.retryBaseMs * 2 ** (tries - 1), call.signal);
      }
    }
  }

  async function json<Schema extends z.ZodType>(
    response: Response,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const contentType = response.headers.get('content-type') ?? undefined;
    return parseAnswer(schema, await readJson({ body: response.body, contentType }, instance), instance);
  }

  const accept = 'application/json';
  return {
    get: (path, query, schema) => read({ path, query, accept }, (response) => json(response, schema)),
    getWithHeader: (path, query, schema, header) =>
      read({ path, query, accept }, async (response) => ({
        data: await json(response, schema),
        header: response.headers.get(header) ?? undefined,
      })),
    stream: (path, query, more) =>
      read({ path, query, ...more }, async (response) => {
        if (response.body === null) throw emptyAnswer(instance);
        return response.body;
      }),
    async write(method, path, body, schema, signal) {
      const call = { method, path, query: {}, accept, body };
      return json(await exchange(signal === undefined ? call : { ...call, signal }), schema);
    },
    async send(method, path, signal) {
      const call = { method, path, query: {}, accept };
      const response = await exchange(signal === undefined ? call : { ...call, signal });
      await response.body?.cancel();
    },
  };
}

function addressOf(baseUrl: string, { path, query }: Call): string {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  url.searchParams.set('api-version', API_VERSION);
  return url.href;
}

function emptyAnswer(instance: string): AppError {
  return new AppError({
    kind: 'transient',
    code: 'answer_empty',
    message: `Instance ${instance} answered without content; it will be asked again.`,
    details: { instance },
  });
}

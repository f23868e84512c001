import { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import { htmlAnswer, readJson } from '../http/read-answer.ts';
import { translateAnswer } from './gitlab-errors.ts';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Calls below one address. Paths begin with a slash; their segments are encoded by whoever builds them. */
export interface HttpSession {
  get<Schema extends z.ZodType>(path: string, query: Query, schema: Schema): Promise<z.output<Schema>>;
  /** Items of every page. @throws AppError `transient` page_empty, page_repeated. */
  list<Schema extends z.ZodType>(path: string, query: Query, item: Schema): Promise<z.output<Schema>[]>;
  /** The same, page by page, for listings that need not be read to the end. */
  pages<Schema extends z.ZodType>(
    path: string,
    query: Query,
    item: Schema,
  ): AsyncGenerator<z.output<Schema>[]>;
  /** The unread body of an answer that is not JSON. */
  stream(path: string, query: Query, options?: StreamOptions): Promise<ReadableStream<Uint8Array>>;
  /** Sent once. @throws AppError `transient` when it is not known whether it was carried out. */
  write<Schema extends z.ZodType>(
    method: WriteMethod,
    path: string,
    body: unknown,
    schema: Schema,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>>;
  /** The same for calls that answer nothing of use. */
  send(method: WriteMethod, path: string, body?: unknown, signal?: AbortSignal): Promise<void>;
}

export type WriteMethod = 'POST' | 'PUT' | 'DELETE';

export interface StreamOptions {
  /** Default: the session's. */
  readonly fetch?: ProviderFetch;
  readonly signal?: AbortSignal;
}

export interface HttpSessionOptions {
  readonly instance: string;
  /** Without a final slash. */
  readonly baseUrl: string;
  readonly fetch: ProviderFetch;
  readonly authorization: string;
  readonly clock: Clock;
  /** Pause before a read is tried again, doubled each time, in ms. */
  readonly retryBaseMs: number;
}

interface Call {
  readonly method: 'GET' | WriteMethod;
  readonly path: string;
  readonly query: Query;
  readonly body?: unknown;
  readonly fetch?: ProviderFetch;
  readonly signal?: AbortSignal | undefined;
}

const READ_TRIES = 3;
/** The largest page GitLab gives (REST documentation, "Pagination"). */
export const PAGE_SIZE = 100;
const MAX_PAGES = 1000;

export function createHttpSession(options: HttpSessionOptions): HttpSession {
  const { instance, clock } = options;

  async function exchange(call: Call): Promise<Response> {
    const response = await (call.fetch ?? options.fetch)(addressOf(options.baseUrl, call), {
      method: call.method,
      headers: {
        accept: call.fetch === undefined ? 'application/json' : '*/*',
        authorization: options.authorization,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    if (!response.ok) throw await translateAnswer(response, instance, clock.now());
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
    const parsed = schema.safeParse(await readJson({ body: response.body, contentType }, instance));
    if (parsed.success) return parsed.data;
    throw unexpected(instance, parsed.error.issues[0]?.path.join('.') ?? '');
  }

  // By number and `x-next-page`: a link in an answer is never followed.
  async function* pages<Schema extends z.ZodType>(path: string, query: Query, item: Schema) {
    const schema = z.array(item);
    let number = 1;
    for (let count = 0; count < MAX_PAGES; count += 1) {
      const call = { path, query: { ...query, page: number, per_page: PAGE_SIZE } };
      const { items, next } = await read(call, async (response) => ({
        items: await json(response, schema),
        next: Number(response.headers.get('x-next-page') ?? 0),
      }));
      yield items;
      if (!(next > 0)) return;
      if (items.length === 0) throw brokenListing(instance, 'page_empty');
      if (next <= number) throw brokenListing(instance, 'page_repeated');
      number = next;
    }
    throw brokenListing(instance, 'page_repeated');
  }

  return {
    get: (path, query, schema) => read({ path, query }, (response) => json(response, schema)),
    pages,
    async list(path, query, item) {
      const all = [];
      for await (const items of pages(path, query, item)) all.push(...items);
      return all;
    },
    stream: (path, query, more = {}) =>
      read({ path, query, ...more, fetch: more.fetch ?? options.fetch }, async (response) => {
        if (response.body === null) throw emptyAnswer(instance);
        if (!/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) return response.body;
        await response.body.cancel();
        throw htmlAnswer(instance);
      }),
    async write(method, path, body, schema, signal) {
      return json(await exchange({ method, path, query: {}, body, signal }), schema);
    },
    async send(method, path, body, signal) {
      const response = await exchange({ method, path, query: {}, body, signal });
      await response.body?.cancel();
    },
  };
}

function addressOf(baseUrl: string, { path, query }: Call): string {
  const url = new URL(`${baseUrl}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) url.searchParams.append(`${name}[]`, String(one));
    else url.searchParams.set(name, String(value));
  }
  return url.href;
}

function unexpected(instance: string, path: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message:
      `An answer of instance ${instance} lacks what is needed from it (${path}). ` +
      'Check apiUrl of the instance and its version.',
    details: { instance, path },
  });
}

export function brokenListing(instance: string, code: 'page_empty' | 'page_repeated'): AppError {
  return new AppError({
    kind: 'transient',
    code,
    message: `Instance ${instance} answered a listing incompletely; it will be read again.`,
    details: { instance },
  });
}

function emptyAnswer(instance: string): AppError {
  return new AppError({
    kind: 'transient',
    code: 'answer_empty',
    message: `Instance ${instance} answered without content; it will be asked again.`,
    details: { instance },
  });
}

import type { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/clock.ts';
import { toHeaders } from './github-errors.ts';
import { translateGraphqlError } from './graphql-errors.ts';
import type { ProviderFetch } from '../http/provider-fetch.ts';
import type { RawAnswer } from '../http/read-answer.ts';
import { listPages } from './list-pages.ts';
import type { OctokitPair } from './octokit-pair.ts';
import { RAW_BODY } from './plumbing-plugin.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/**
 * Typed calls with one credential. Answers are parsed with schemas that take only what is needed; everything that
 * goes wrong is an AppError. Reads repeat a little, writes never do.
 */
export interface GitHubSession {
  /** GET `path`, a route template such as `/repos/{owner}/{repo}`; parameters it does not name become the query. */
  get<Schema extends z.ZodType>(
    path: string,
    parameters: Parameters,
    schema: Schema,
  ): Promise<z.output<Schema>>;
  /** Every item of a paged listing. */
  list<Schema extends z.ZodType>(
    path: string,
    parameters: Parameters,
    item: Schema,
    options?: { readonly key?: string; readonly isLastPage?: (items: z.output<Schema>[]) => boolean },
  ): Promise<z.output<Schema>[]>;
  /** The body of a GET that is no JSON, unread. `fetch` replaces the client's, for other limits. */
  stream(
    path: string,
    parameters: Parameters,
    options: { readonly accept?: string; readonly fetch?: ProviderFetch; readonly signal?: AbortSignal },
  ): Promise<RawAnswer>;
  query<Schema extends z.ZodType>(
    document: string,
    variables: Parameters,
    schema: Schema,
  ): Promise<z.output<Schema>>;
  /** The answers of a query that pages by `$cursor` and has one `pageInfo` outside of lists. */
  queryPages<Schema extends z.ZodType>(
    document: string,
    variables: Parameters,
    schema: Schema,
  ): Promise<z.output<Schema>[]>;
  /** `route` with its method, e.g. `POST /repos/{owner}/{repo}/pulls/{number}/reviews`. */
  write<Schema extends z.ZodType>(
    route: string,
    parameters: Parameters,
    schema: Schema,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>>;
  mutate<Schema extends z.ZodType>(
    document: string,
    variables: Parameters,
    schema: Schema,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>>;
}

export interface SessionOptions {
  readonly instance: string;
  readonly clock: Clock;
  readonly octokit: OctokitPair;
  /** Parameters of every REST route, e.g. owner and repo. */
  readonly base?: Parameters;
}

export function createSession(options: SessionOptions): GitHubSession {
  const { instance, clock, octokit, base = {} } = options;
  const context = () => ({ instance, now: clock.now() });
  const read = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      throw translateGraphqlError(error, context());
    }
  };
  const write = async <Answer>(call: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> => {
    try {
      return await untilAborted(call, signal);
    } catch (error) {
      throw translateGraphqlError(error, context());
    }
  };
  return {
    async get(path, parameters, schema) {
      const response = await read(() => octokit.reader.request(`GET ${path}`, { ...base, ...parameters }));
      return parseAnswer(schema, response.data, instance);
    },
    async list(path, parameters, item, { key, isLastPage } = {}) {
      const parse = (value: unknown): z.output<typeof item> => parseAnswer(item, value, instance);
      return read(() =>
        listPages(
          octokit.reader,
          `GET ${path}`,
          { ...base, ...parameters },
          { instance, key, parse, isLastPage },
        ),
      );
    },
    async stream(path, parameters, { accept, fetch, signal }) {
      const request = {
        [RAW_BODY]: true,
        ...(fetch === undefined ? {} : { fetch }),
        ...(signal === undefined ? {} : { signal }),
      };
      const response = await read(() =>
        octokit.reader.request(`GET ${path}`, {
          ...base,
          ...parameters,
          ...(accept === undefined ? {} : { headers: { accept } }),
          request,
        }),
      );
      const body: unknown = response.data;
      return {
        body: body instanceof ReadableStream ? body : null,
        contentType: toHeaders(response.headers).get('content-type') ?? undefined,
      };
    },
    async query(document, variables, schema) {
      const data = await read(() => octokit.reader.graphql<unknown>(document, { ...variables }));
      return parseAnswer(schema, data, instance);
    },
    async queryPages(document, variables, schema) {
      const answers: z.output<typeof schema>[] = [];
      await read(async () => {
        const pages = octokit.reader.graphql.paginate.iterator<object>(document, { ...variables });
        for await (const page of pages) answers.push(parseAnswer(schema, page, instance));
      });
      return answers;
    },
    async write(route, parameters, schema, signal) {
      const response = await write(
        () => octokit.writer.request(route, { ...base, ...parameters, request: requestWith(signal) }),
        signal,
      );
      return parseAnswer(schema, response.data, instance);
    },
    async mutate(document, variables, schema, signal) {
      const data = await write(
        () => octokit.writer.graphql<unknown>(document, { ...variables, request: requestWith(signal) }),
        signal,
      );
      return parseAnswer(schema, data, instance);
    },
  };
}

function requestWith(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Rejects with the signal's reason as soon as it aborts: spacing waits inside the client do not listen to it. */
async function untilAborted<Answer>(
  call: () => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal === undefined) return call();
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const pending = call();
  // Whichever loses the race may still fail; nobody waits for it any more.
  pending.catch(() => undefined);
  aborted.promise.catch(() => undefined);
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** @throws AppError `permanent` answer_unexpected: an answer of the right status without what we need in it. */
export function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  instance: string,
): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message:
      `An answer of instance ${instance} lacks what is needed from it (${issue?.path.join('.') ?? ''}). ` +
      'Check apiUrl of the instance and, for an Enterprise Server, its version.',
    details: { instance, path: issue?.path.join('.') ?? '', issue: issue?.code ?? '' },
  });
}

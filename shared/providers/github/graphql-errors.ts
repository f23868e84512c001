import { AppError } from '../../domain/app-error.ts';
import { readWait } from '../http/read-wait.ts';
import { findTransient } from '../http/transient-failures.ts';
import type { TranslationContext } from './github-errors.ts';
import { refusalReason } from './refusal-texts.ts';
import { toHeaders, translateRequestError } from './github-errors.ts';

interface GraphqlFailure {
  /** GitHub's own type, e.g. NOT_FOUND; queries that do not fit the schema carry a code in `extensions` instead. */
  readonly type: string | undefined;
  readonly schemaCode: string | undefined;
  readonly message: string;
}

/**
 * Translates what a GraphQL call throws. GitHub answers its errors with status 200 and a list of `errors`
 * (GraphQL documentation, "Handling errors"), often next to partial data: any error fails the call.
 */
export function translateGraphqlError(error: unknown, context: TranslationContext): unknown {
  if (!isGraphqlError(error))
    return translatePagingError(error, context) ?? translateRequestError(error, context);
  const failures = readFailures(error.errors);
  const [first] = failures;
  const type = first?.type;
  const errors = failures.slice(0, 10).map((failure) => failure.message.slice(0, 300));
  const details = {
    instance: context.instance,
    type: type ?? first?.schemaCode,
    errors,
    ...refusalReason(errors),
  };
  const hiccup = type === undefined && first?.schemaCode === undefined ? 'graphql_failed' : undefined;
  const passing = findTransient('github', undefined, type ?? hiccup);
  if (passing !== undefined) {
    const wait = readWait(toHeaders(error.headers), context.now) ?? passing.minWaitMs;
    return new AppError({
      kind: 'transient',
      code: passing.code,
      message: `Instance ${context.instance} could not answer a query; the call will be tried again.`,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      details,
    });
  }
  return new AppError({ ...meaningOf(type), details });
}

/** What @octokit/plugin-paginate-graphql throws; its messages quote the whole answer, which is not kept. */
function translatePagingError(error: unknown, { instance }: TranslationContext): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'MissingCursorChangeError')
    return new AppError({
      kind: 'transient',
      code: 'page_repeated',
      message: `Instance ${instance} answered the same page twice; the listing will be read again.`,
      details: { instance },
    });
  // This one keeps the name of its base class; what it carries tells it.
  if (!('response' in error) || !error.message.startsWith('No pageInfo property')) return undefined;
  return new AppError({
    kind: 'permanent',
    code: 'answer_unexpected',
    message: `Instance ${instance} answered a query without what was asked for. Check apiUrl of the instance.`,
    details: { instance },
  });
}

/** The error of @octokit/graphql, told by its shape. */
interface GraphqlError extends Error {
  readonly errors: unknown;
  readonly headers?: unknown;
}

function isGraphqlError(error: unknown): error is GraphqlError {
  return error instanceof Error && error.name === 'GraphqlResponseError' && 'errors' in error;
}

function meaningOf(type: string | undefined): ConstructorParameters<typeof AppError>[0] {
  switch (type) {
    case 'NOT_FOUND':
      return {
        kind: 'permanent',
        code: 'not_found',
        message: 'GitHub shows no such thing: it is gone, or our credentials do not reach it.',
      };
    case 'FORBIDDEN':
    case 'INSUFFICIENT_SCOPES':
      return {
        kind: 'permanent',
        code: 'provider_permission',
        message:
          'The credentials may not do this. Compare the permissions of the App or token with docs/setup-github.md.',
      };
    case 'UNPROCESSABLE':
      return {
        kind: 'rejected',
        code: 'provider_refused',
        message: 'GitHub refused the request as it stands; see what it said.',
      };
    default:
      return {
        kind: 'permanent',
        code: 'provider_query_refused',
        message:
          'GitHub refused a query as invalid. An Enterprise Server may be older than this version supports.',
      };
  }
}

function readFailures(errors: unknown): GraphqlFailure[] {
  if (!Array.isArray(errors)) return [];
  return errors.map((error: unknown) => {
    const extensions = property(error, 'extensions');
    return {
      type: text(property(error, 'type')),
      schemaCode: text(property(extensions, 'code')),
      message: text(property(error, 'message')) ?? 'no message',
    };
  });
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

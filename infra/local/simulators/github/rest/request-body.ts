import type { z } from 'zod';
import type { SimulatorRequest } from '../../http/exchange.ts';
import { ReplyError, readJson } from '../../http/exchange.ts';
import type { GitHubContext } from '../context.ts';
import { githubError, unprocessable } from './errors.ts';

function wordsFor(issue: z.core.$ZodIssue, root: unknown): string {
  const field = issue.path.join('/');
  const isMissing = issue.code === 'invalid_type' && valueAt(root, issue.path) === undefined;
  return isMissing
    ? `"${String(issue.path.at(-1) ?? 'body')}" wasn't supplied.`
    : `For 'properties/${field}', the value is not valid: ${issue.message}.`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Fields of `given` that the parsed `known` does not have, at any depth. */
function findUnknown(given: unknown, known: unknown, prefix: string): string[] {
  if (given === null || typeof given !== 'object' || known === null || typeof known !== 'object') return [];
  return Object.entries(given).flatMap(([key, value]) =>
    key in known ? findUnknown(value, Reflect.get(known, key), `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

/**
 * The request body by its schema, whose objects must drop unknown keys (`z.object`).
 * @throws ReplyError 400 for text that is no JSON, 422 for a wrong or missing field.
 */
export function parseBody<Schema extends z.ZodType>(
  context: GitHubContext,
  request: SimulatorRequest,
  schema: Schema,
): z.output<Schema> {
  const given = request.rawBody.length === 0 ? {} : readJson(request);
  if (given === undefined) throw new ReplyError(githubError(400, 'Problems parsing JSON'));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const words = parsed.error.issues.map((issue) => wordsFor(issue, given));
    throw unprocessable(`Invalid request.\n\n${words.join('\n')}`);
  }
  for (const field of findUnknown(given, parsed.data, '')) {
    context.unknownFields.push({ requestId: request.id, method: request.method, path: request.path, field });
  }
  return parsed.data;
}

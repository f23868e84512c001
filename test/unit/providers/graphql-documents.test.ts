import { schema } from '@octokit/graphql-schema';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as pending from '../../../shared/providers/github/pending-documents.ts';
import * as threads from '../../../shared/providers/github/thread-documents.ts';

const published = buildSchema(schema.idl, { assumeValid: true });

const documents = Object.entries({ ...pending, ...threads }).filter(([name]) =>
  /_(?:QUERY|MUTATION)$/.test(name),
);

describe("GraphQL documents, against GitHub's published schema", () => {
  it('are all here', () => {
    expect(documents).toHaveLength(14);
  });

  it.each(documents)('%s is valid', (_name, document) => {
    expect(validate(published, parse(document)).map((error) => error.message)).toEqual([]);
  });

  it('would not be valid with a field that GitHub does not have', () => {
    const wrong = threads.THREAD_QUERY.replace('isResolved', 'isSettled');
    expect(validate(published, parse(wrong))).toHaveLength(1);
  });
});

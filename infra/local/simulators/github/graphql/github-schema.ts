import { schema } from '@octokit/graphql-schema';
import { buildSchema } from 'graphql';

/** The published schema of GitHub's GraphQL API. Large: import this module only when a query arrives. */
export const GITHUB_SCHEMA = buildSchema(schema.idl, { assumeValid: true });

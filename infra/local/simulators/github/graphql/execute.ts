import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { GraphQLError, execute, parse, validate } from 'graphql';
import { pullOfNode } from '../state/find.ts';
import { formatGraphqlError } from './errors.ts';
import { viewerNode } from './account-nodes.ts';
import { findRepositoryNode, issueCommentNode, pullNode } from './pull-nodes.ts';
import { reviewMutations } from './review-mutations.ts';
import { commentNode, reviewNode, threadNode } from './review-nodes.ts';
import type { Scope } from './scope.ts';
import { requireNode } from './scope.ts';
import { threadMutations } from './thread-mutations.ts';

/** A field that no resolver gives is a hole in the simulator, never a silent null. */
const resolveField: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  if (source === null || typeof source !== 'object' || !(info.fieldName in source)) {
    throw new Error(`the simulator does not serve ${info.parentType.name}.${info.fieldName}`);
  }
  const value: unknown = Reflect.get(source, info.fieldName);
  return typeof value === 'function' ? Reflect.apply(value, source, [args, context, info]) : value;
};

function nodeById(scope: Scope, id: string): Record<string, unknown> {
  const node = requireNode(scope, id);
  switch (node.kind) {
    case 'pull':
      return pullNode(pullOfNode(node), scope);
    case 'review':
      return reviewNode(node.value, scope);
    case 'thread':
      return threadNode(node.value, scope);
    case 'review-comment':
      return commentNode(node.value, scope);
    case 'issue-comment':
      return issueCommentNode(node.value, scope);
    default:
      return node satisfies never;
  }
}

/** Every mutation takes one `input` and echoes its clientMutationId. */
function mutationRoot(scope: Scope): Record<string, unknown> {
  const mutations: Record<string, unknown> = { ...reviewMutations(scope), ...threadMutations(scope) };
  return Object.fromEntries(
    Object.entries(mutations).map(([name, run]) => [
      name,
      async ({ input }: { readonly input: { readonly clientMutationId?: string } }) => {
        const payload: unknown =
          typeof run === 'function' ? await Reflect.apply(run, undefined, [input]) : undefined;
        return { clientMutationId: input.clientMutationId ?? null, ...Object(payload) };
      },
    ]),
  );
}

function queryRoot(scope: Scope, rateLimit: () => Record<string, unknown>): Record<string, unknown> {
  return {
    viewer: () => viewerNode(scope),
    repository: (args: { owner: string; name: string }) => findRepositoryNode(scope, args),
    node: ({ id }: { id: string }) => nodeById(scope, id),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map((id) => nodeById(scope, id)),
    rateLimit,
  };
}

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/** The answer to one document: data and errors side by side, as GitHub sends them with status 200. */
export async function executeGraphql(
  schema: GraphQLSchema,
  scope: Scope,
  request: GraphqlRequest,
  rateLimit: () => Record<string, unknown>,
): Promise<Record<string, unknown>> {
  try {
    const document = parse(request.query);
    const invalid = validate(schema, document);
    if (invalid.length > 0) return { errors: invalid.map(formatGraphqlError) };
    const result = await execute({
      schema,
      document,
      rootValue: { ...queryRoot(scope, rateLimit), ...mutationRoot(scope) },
      variableValues: request.variables,
      operationName: request.operationName ?? null,
      fieldResolver: resolveField,
    });
    return {
      data: result.data ?? null,
      ...(result.errors === undefined ? {} : { errors: result.errors.map(formatGraphqlError) }),
    };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [formatGraphqlError(error)] };
    throw error;
  }
}

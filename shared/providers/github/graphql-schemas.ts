import { z } from 'zod';
import type { Account } from '../../domain/pull-request.ts';
import type { ProviderThreadComment, ReactionCount } from '../ports.ts';
import { GHOST } from './schemas.ts';

/** Parts of GitHub's GraphQL answers. Null authors are deleted accounts; null nodes are such we may not see. */

export const Actor = z
  .object({
    /** `__typename` under a name without underscores. */
    type: z.string(),
    login: z.string(),
    databaseId: z.number().nullish(),
  })
  .nullable();

export const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

export const CommentNode = z.object({
  id: z.string(),
  fullDatabaseId: z.union([z.string(), z.number()]).transform(String),
  state: z.enum(['PENDING', 'SUBMITTED']),
  body: z.string(),
  url: z.string(),
  createdAt: z.string(),
  lastEditedAt: z.string().nullish(),
  author: Actor,
  reactionGroups: z
    .array(z.object({ content: z.string(), reactors: z.object({ totalCount: z.number() }) }))
    .nullish(),
});

export type CommentNode = z.output<typeof CommentNode>;

export const CommentConnection = z.object({
  pageInfo: PageInfo,
  nodes: z.array(CommentNode.nullable()),
});

/**
 * GraphQL gives a bot's login without the `[bot]` that REST gives it; the longer form is used everywhere. An
 * account without a number is told by its login alone.
 */
export function actorToAccount(actor: z.output<typeof Actor>): Account {
  if (actor === null) return GHOST;
  const isBot = actor.type === 'Bot';
  const id = actor.databaseId;
  return {
    id: typeof id === 'number' ? String(id) : `login:${actor.login}`,
    login: isBot && !actor.login.endsWith('[bot]') ? `${actor.login}[bot]` : actor.login,
    isBot,
  };
}

export function nodeToComment(node: CommentNode): ProviderThreadComment {
  return {
    id: node.fullDatabaseId,
    author: actorToAccount(node.author),
    body: node.body,
    createdAt: Date.parse(node.createdAt),
    url: node.url,
    reactions: toReactions(node.reactionGroups ?? []),
    ...(typeof node.lastEditedAt === 'string' ? { editedAt: Date.parse(node.lastEditedAt) } : {}),
  };
}

function toReactions(
  groups: readonly { readonly content: string; readonly reactors: { readonly totalCount: number } }[],
): ReactionCount[] {
  return groups
    .filter((group) => group.reactors.totalCount > 0)
    .map((group) => ({ name: group.content.toLowerCase(), count: group.reactors.totalCount }));
}

import type { ReactionContent } from '../state/comments.ts';
import type { SimReaction, SimRepository, SimUser } from '../state/model.ts';
import type { ConnectionArguments } from './connection.ts';
import { connection } from './connection.ts';
import type { Scope } from './scope.ts';

/** GraphQL names of the reactions, in the order GitHub lists their groups. */
export const REACTION_NAMES: Readonly<Record<string, ReactionContent>> = {
  THUMBS_UP: '+1',
  THUMBS_DOWN: '-1',
  LAUGH: 'laugh',
  HOORAY: 'hooray',
  CONFUSED: 'confused',
  HEART: 'heart',
  ROCKET: 'rocket',
  EYES: 'eyes',
};

/** An Actor. Unlike REST, GraphQL gives a bot's login without `[bot]`; a deleted account is null. */
export function actorNode(user: SimUser | null | undefined, { urls }: Scope): Record<string, unknown> | null {
  if (user === null || user === undefined) return null;
  return {
    __typename: user.type,
    id: user.nodeId,
    databaseId: user.id,
    login: user.type === 'Bot' ? user.login.replace(/\[bot\]$/, '') : user.login,
    avatarUrl: `${urls.web}/avatars/u/${user.id}`,
    url: `${urls.web}/${encodeURIComponent(user.login)}`,
    resourcePath: `/${encodeURIComponent(user.login)}`,
  };
}

/** The signed-in account; here a bot's login keeps its `[bot]`. */
export function viewerNode({ viewer, urls }: Scope): Record<string, unknown> {
  return {
    __typename: 'User',
    id: viewer.user.nodeId,
    databaseId: viewer.user.id,
    login: viewer.user.login,
    url: `${urls.web}/${encodeURIComponent(viewer.user.login)}`,
  };
}

export function reactionGroups(
  reactions: readonly SimReaction[],
  scope: Scope,
): readonly Record<string, unknown>[] {
  return Object.entries(REACTION_NAMES).map(([content, name]) => {
    const group = reactions.filter((reaction) => reaction.content === name);
    const people = (field: string) => (args: ConnectionArguments) =>
      connection(
        field,
        group,
        // GitHub lets a bare `reactors { totalCount }` through.
        args.first === undefined && args.last === undefined ? { first: 10 } : args,
        (reaction) => reaction.nodeId,
        (reaction) => actorNode(reaction.user, scope),
      );
    return {
      content,
      createdAt: group[0] === undefined ? null : new Date(group[0].createdAt).toISOString(),
      viewerHasReacted: group.some((reaction) => reaction.user === scope.viewer.user),
      reactors: people('reactors'),
      users: people('users'),
    };
  });
}

export function repositoryNode(repository: SimRepository, { urls }: Scope): Record<string, unknown> {
  return {
    __typename: 'Repository',
    id: repository.nodeId,
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: repository.fullName,
    isPrivate: repository.private,
    url: `${urls.web}/${repository.fullName}`,
  };
}

import type { Actor } from '../access/viewer.ts';
import { canSee, isPermitted } from '../access/viewer.ts';
import type { GitHubContext } from '../context.ts';
import type { Urls } from '../rest/urls.ts';
import type { FoundNode, NodeOf, NodeValues } from '../state/find.ts';
import { findNode, isVisibleTo, pullOfNode } from '../state/find.ts';
import type { SimPull } from '../state/model.ts';
import type { Writer } from '../state/write-context.ts';
import { TypedGraphqlError } from './errors.ts';

/** What the resolvers of one request know. */
export interface Scope {
  readonly context: GitHubContext;
  readonly viewer: Actor;
  readonly urls: Urls;
  readonly writer: Writer;
  /** The node of a pull request; passed in, because threads and pull requests lead to each other. */
  readonly pullNode: (pull: SimPull) => Record<string, unknown>;
}

export function missingNode(id: string): TypedGraphqlError {
  return new TypedGraphqlError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`);
}

function isVisible(node: FoundNode, { viewer }: Scope): boolean {
  if (!canSee(viewer, pullOfNode(node).repository)) return false;
  return node.kind === 'pull' || node.kind === 'issue-comment' || isVisibleTo(node.value, viewer.user);
}

/** What the viewer may see under this id. @throws TypedGraphqlError NOT_FOUND */
export function requireNode(scope: Scope, id: string): FoundNode {
  const node = findNode(scope.context.state, id);
  if (node === undefined || !isVisible(node, scope)) throw missingNode(id);
  return node;
}

function isKind<Kind extends keyof NodeValues>(
  node: NodeOf<keyof NodeValues>,
  kind: Kind,
): node is NodeOf<Kind> {
  return node.kind === kind;
}

/** The node as one kind. @throws TypedGraphqlError NOT_FOUND */
export function requireKind<Kind extends keyof NodeValues>(
  scope: Scope,
  kind: Kind,
  id: string,
): NodeValues[Kind] {
  const node: NodeOf<keyof NodeValues> = requireNode(scope, id);
  if (!isKind(node, kind)) throw missingNode(id);
  return node.value;
}

/** @throws TypedGraphqlError FORBIDDEN */
export function requireWrite(scope: Scope, area = 'pull_requests'): void {
  if (isPermitted(scope.viewer, area, 'write')) return;
  throw new TypedGraphqlError(
    'FORBIDDEN',
    `Resource not accessible by ${scope.viewer.kind === 'installation' ? 'integration' : 'personal access token'}`,
  );
}

import { createHash } from 'node:crypto';
import type { GitRepository } from '../git/open-repository.ts';
import type { AzureDevOpsLimits } from './options.ts';

export interface SimIdentity {
  readonly id: string;
  readonly displayName: string;
  /** Empty for service principals, as the real service answers at times. */
  readonly uniqueName: string;
  readonly descriptor: string;
}

export type PermissionLevel = 'none' | 'read' | 'contribute';

export interface SimRepository {
  readonly id: string;
  name: string;
  readonly project: { readonly id: string; readonly name: string };
  readonly defaultBranch: string;
  readonly git: GitRepository;
  readonly pulls: Map<number, SimPull>;
  readonly permissions: Map<string, PermissionLevel>;
}

export type IterationReason = 'create' | 'push' | 'forcePush' | 'retarget';

export interface SimIteration {
  /** From 1. */
  readonly id: number;
  readonly head: string;
  readonly target: string;
  readonly common: string;
  readonly reason: IterationReason;
  readonly createdAt: number;
}

export interface SimPosition {
  readonly line: number;
  readonly offset: number;
}

export interface SimThreadContext {
  readonly filePath: string;
  readonly leftFileStart?: SimPosition | null | undefined;
  readonly leftFileEnd?: SimPosition | null | undefined;
  readonly rightFileStart?: SimPosition | null | undefined;
  readonly rightFileEnd?: SimPosition | null | undefined;
}

export interface SimIterationContext {
  readonly firstComparingIteration: number;
  readonly secondComparingIteration: number;
}

export interface SimComment {
  readonly id: number;
  readonly parentCommentId: number;
  /** Null for a deleted account. */
  author: SimIdentity | null;
  content: string;
  readonly commentType: 'text' | 'system' | 'codeChange';
  readonly publishedAt: number;
  editedAt: number;
  isDeleted: boolean;
  readonly likes: SimIdentity[];
}

export interface SimThread {
  readonly id: number;
  status: string;
  readonly context: SimThreadContext | undefined;
  readonly tracking:
    { readonly changeTrackingId: number; readonly iterationContext: SimIterationContext } | undefined;
  /** Values as they came: `{$type, $value}` or plain ones. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly comments: SimComment[];
  readonly publishedAt: number;
}

export interface SimStatus {
  readonly id: number;
  readonly state: string;
  readonly description: string | undefined;
  readonly context: { readonly genre: string; readonly name: string };
  readonly targetUrl: string | undefined;
  readonly iterationId: number | undefined;
  readonly createdBy: SimIdentity;
  readonly createdAt: number;
}

export interface SimPull {
  readonly repository: SimRepository;
  readonly number: number;
  title: string;
  description: string;
  status: 'active' | 'abandoned' | 'completed';
  isDraft: boolean;
  author: SimIdentity | null;
  readonly headRef: string;
  baseRef: string;
  readonly fork: { readonly id: string; readonly name: string } | 'deleted' | undefined;
  readonly iterations: SimIteration[];
  readonly threads: SimThread[];
  readonly statuses: SimStatus[];
  /** A file keeps its number through all iterations, renames included. */
  readonly trackingIds: Map<string, number>;
  readonly createdAt: number;
}

export interface AzureDevOpsState {
  readonly limits: AzureDevOpsLimits;
  readonly repositories: SimRepository[];
  readonly identities: Map<string, SimIdentity>;
  now(): number;
  /** Numbers count through the whole organization. */
  nextId(): number;
  ensureIdentity(login: string): SimIdentity;
}

/** A GUID that is the same for the same words. */
export function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function createState(limits: AzureDevOpsLimits, clock: { now(): number }): AzureDevOpsState {
  const identities = new Map<string, SimIdentity>();
  let lastId = 0;
  return {
    limits,
    repositories: [],
    identities,
    now: () => clock.now(),
    nextId: () => (lastId += 1),
    ensureIdentity(login) {
      const known = identities.get(login);
      if (known !== undefined) return known;
      const isApplication = !login.includes('@');
      const made: SimIdentity = {
        id: guidOf(`identity ${login}`),
        displayName: login.split('@')[0] ?? login,
        uniqueName: isApplication ? '' : login,
        descriptor: `${isApplication ? 'aadsp' : 'aad'}.${Buffer.from(login).toString('base64url')}`,
      };
      identities.set(login, made);
      return made;
    },
  };
}

export function fullNameOf(repository: SimRepository): string {
  return `${repository.project.name}/${repository.name}`;
}

export function latestIteration(pull: SimPull): SimIteration {
  const latest = pull.iterations.at(-1);
  if (latest === undefined) throw new Error(`pull request ${pull.number} has no iteration`);
  return latest;
}

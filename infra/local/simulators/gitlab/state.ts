import { createHash } from 'node:crypto';
import type { GitRepository } from '../git/open-repository.ts';
import type { GitLabLimits } from './options.ts';
import type { SentPosition } from './request-bodies.ts';

export interface SimUser {
  readonly id: number;
  readonly username: string;
  readonly bot: boolean;
}

/** Access levels of the real service: 0 none, 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner. */
export type AccessLevel = 0 | 10 | 20 | 30 | 40 | 50;

export interface SimProject {
  readonly id: number;
  fullName: string;
  readonly defaultBranch: string;
  readonly git: GitRepository;
  /** By iid. */
  readonly pulls: Map<number, SimPull>;
  readonly members: Map<number, AccessLevel>;
  readonly statuses: SimStatus[];
}

/** One state of a merge request; every push and every new target makes one. */
export interface SimVersion {
  readonly id: number;
  readonly head: string;
  /** The merge base. */
  readonly base: string;
  /** Head of the target branch. */
  readonly start: string;
  readonly createdAt: number;
}

export interface SimAward {
  readonly id: number;
  readonly name: string;
  readonly user: SimUser;
}

export interface SimNote {
  readonly id: number;
  readonly type: 'DiffNote' | 'DiscussionNote' | null;
  /** Null for a deleted account. */
  readonly author: SimUser | null;
  body: string;
  readonly system: boolean;
  readonly internal: boolean;
  /** As posted. */
  readonly posted: SentPosition | undefined;
  /** Follows the line through pushes while it is there. */
  position: SentPosition | undefined;
  readonly resolvable: boolean;
  resolved: boolean;
  resolvedBy: SimUser | null;
  readonly createdAt: number;
  updatedAt: number;
  readonly awards: SimAward[];
}

export interface SimDiscussion {
  /** 40 hexadecimal digits. */
  readonly id: string;
  readonly individual: boolean;
  readonly notes: SimNote[];
}

export interface SimStatus {
  readonly id: number;
  readonly sha: string;
  readonly name: string;
  state: string;
  description: string | null;
  targetUrl: string | null;
  readonly author: SimUser;
}

export interface SimPull {
  readonly project: SimProject;
  readonly id: number;
  readonly iid: number;
  title: string;
  description: string | null;
  state: 'opened' | 'closed' | 'merged';
  draft: boolean;
  author: SimUser | null;
  readonly sourceBranch: string;
  targetBranch: string;
  /** Undefined when the fork was deleted. */
  readonly source: SimProject | undefined;
  /** Oldest first. */
  readonly versions: SimVersion[];
  readonly discussions: SimDiscussion[];
  readonly awards: SimAward[];
  /** False right after creation: the diff is not computed yet. */
  isPrepared: boolean;
  readonly createdAt: number;
}

export interface GitLabState {
  readonly limits: GitLabLimits;
  readonly projects: SimProject[];
  now(): number;
  nextId(): number;
  ensureUser(username: string): SimUser;
}

export function createState(limits: GitLabLimits, clock: { now(): number }): GitLabState {
  const users = new Map<string, SimUser>();
  let lastId = 1000;
  return {
    limits,
    projects: [],
    now: () => clock.now(),
    nextId: () => (lastId += 1),
    ensureUser(username) {
      const known = users.get(username);
      if (known !== undefined) return known;
      const user = { id: users.size + 1, username, bot: /^(?:project|group)_\d+_bot/.test(username) };
      users.set(username, user);
      return user;
    },
  };
}

export function createProject(
  id: number,
  fullName: string,
  defaultBranch: string,
  git: GitRepository,
): SimProject {
  return { id, fullName, defaultBranch, git, pulls: new Map(), members: new Map(), statuses: [] };
}

export function latestVersion(pull: SimPull): SimVersion {
  const latest = pull.versions.at(-1);
  if (latest === undefined) throw new Error(`merge request ${pull.iid} has no version`);
  return latest;
}

export function discussionId(id: number): string {
  return createHash('sha1').update(`discussion ${id}`).digest('hex');
}

/** Everyone is a developer unless a level was set. */
export function levelOf(project: SimProject, user: SimUser): AccessLevel {
  return project.members.get(user.id) ?? 30;
}

import type { GitHubState } from './state.ts';
import type { SimFork, SimPull, SimRepository } from './model.ts';

export interface NewPullRequest {
  /** `owner/name`; default the first repository. */
  readonly repository?: string;
  /** Any revision; shown as the branch name unless `baseName` says another. */
  readonly base: string;
  readonly head: string;
  readonly baseName?: string;
  readonly headName?: string;
  readonly title: string;
  readonly body?: string;
  /** Login; null: the account was deleted. */
  readonly author?: string | null;
  readonly draft?: boolean;
  /** The head lives in a fork; its commits are reachable in the base repository, as GitHub's `refs/pull` are. */
  readonly fork?: { readonly fullName: string; readonly id?: number; readonly deleted?: boolean };
  /** Overrides what a trial merge says. */
  readonly mergeable?: boolean;
  readonly number?: number;
}

function createFork(state: GitHubState, fork: NonNullable<NewPullRequest['fork']>): SimFork {
  const id = fork.id ?? state.ids.next();
  return {
    id,
    nodeId: state.ids.node('R', id),
    fullName: fork.fullName,
    owner: state.ensureUser(fork.fullName.split('/')[0] ?? 'fork'),
    deleted: fork.deleted ?? false,
  };
}

/** Opens a pull request over two revisions of the repository. @throws GitError ref_not_found, no_merge_base */
export async function createPull(
  state: GitHubState,
  repository: SimRepository,
  input: NewPullRequest,
): Promise<SimPull> {
  const baseSha = await repository.git.resolveCommit(input.base);
  const headSha = await repository.git.resolveCommit(input.head);
  await repository.git.mergeBase(baseSha, headSha);
  const id = state.ids.next();
  const now = state.now();
  const author = input.author === undefined ? 'contributor' : input.author;
  const pull: SimPull = {
    id,
    nodeId: state.ids.node('PR', id),
    number: input.number ?? Math.max(0, ...repository.pulls.keys()) + 1,
    repository,
    title: input.title,
    body: input.body ?? '',
    author: author === null ? null : state.ensureUser(author),
    draft: input.draft ?? false,
    state: 'open',
    mergedAt: undefined,
    closedAt: undefined,
    baseRef: input.baseName ?? input.base,
    baseSha,
    headRef: input.headName ?? input.head,
    headSha,
    fork: input.fork === undefined ? undefined : createFork(state, input.fork),
    createdAt: now,
    updatedAt: now,
    mergeableUnknownReads: 1,
    mergeable: input.mergeable,
    heads: [headSha],
    reviews: [],
    threads: [],
    issueComments: [],
    reactions: [],
  };
  repository.pulls.set(pull.number, pull);
  return pull;
}

/** Moves the head, as a push does. @returns the head before. */
export async function movePullHead(state: GitHubState, pull: SimPull, revision: string): Promise<string> {
  const before = pull.headSha;
  pull.headSha = await pull.repository.git.resolveCommit(revision);
  pull.heads.push(pull.headSha);
  pull.updatedAt = state.now();
  pull.mergeableUnknownReads = 1;
  return before;
}

/** Points the pull request at another base branch, or at another commit of the same one. */
export async function retargetPull(
  state: GitHubState,
  pull: SimPull,
  base: { readonly revision: string; readonly name?: string },
): Promise<void> {
  pull.baseSha = await pull.repository.git.resolveCommit(base.revision);
  pull.baseRef = base.name ?? base.revision;
  pull.updatedAt = state.now();
  pull.mergeableUnknownReads = 1;
}

/** The commit that a pull request's diff is measured from. */
export function mergeBaseOf(pull: SimPull): Promise<string> {
  return pull.repository.git.mergeBase(pull.baseSha, pull.headSha);
}

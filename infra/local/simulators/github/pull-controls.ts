import type { GitHubContext } from './context.ts';
import type { PermissionLevel, SimPull, SimRepository } from './state/model.ts';
import type { NewPullRequest } from './state/pulls.ts';
import { createPull, movePullHead, retargetPull } from './state/pulls.ts';

/** What people do to pull requests, in code. `repository` is `owner/name`; default the first one. */
export interface PullControls {
  createPullRequest(input: NewPullRequest): Promise<SimPull>;
  findPull(number: number, repository?: string): SimPull;
  /** Moves the head to a revision; default: where the head branch now points. @returns the head before. */
  pushHead(number: number, revision?: string, repository?: string): Promise<string>;
  retarget(number: number, base: { revision: string; name?: string }, repository?: string): Promise<void>;
  closePullRequest(number: number, options?: { merged?: boolean }, repository?: string): void;
  reopenPullRequest(number: number, repository?: string): void;
  setDraft(number: number, draft: boolean, repository?: string): void;
  editPullRequest(number: number, change: { title?: string; body?: string }, repository?: string): void;
  setPermission(login: string, level: PermissionLevel, repository?: string): void;
  /** The account is deleted: everything it wrote is by nobody from now on. */
  deleteAccount(login: string): void;
}

export function createPullControls({ state, writes }: GitHubContext): PullControls {
  function findRepository(fullName: string | undefined): SimRepository {
    const found = fullName === undefined ? state.repositories[0] : state.findRepository(fullName);
    if (found === undefined) throw new Error(`the simulator has no repository ${fullName ?? ''}`);
    return found;
  }
  function findPull(number: number, fullName?: string): SimPull {
    const pull = findRepository(fullName).pulls.get(number);
    if (pull === undefined) throw new Error(`the simulator has no pull request ${number}`);
    return pull;
  }
  function record(kind: string, pull: SimPull, details: Record<string, unknown> = {}): void {
    writes.add({
      at: state.now(),
      kind,
      actor: pull.author?.login ?? 'ghost',
      details: { repository: pull.repository.fullName, number: pull.number, ...details },
    });
  }
  return {
    findPull,
    async createPullRequest(input) {
      const pull = await createPull(state, findRepository(input.repository), input);
      record('pull_request.opened', pull, { head: pull.headSha });
      return pull;
    },
    async pushHead(number, revision, fullName) {
      const pull = findPull(number, fullName);
      const before = await movePullHead(state, pull, revision ?? pull.headRef);
      record('pull_request.pushed', pull, { before, after: pull.headSha });
      return before;
    },
    async retarget(number, base, fullName) {
      const pull = findPull(number, fullName);
      await retargetPull(state, pull, base);
      record('pull_request.retargeted', pull, { base: pull.baseSha });
    },
    closePullRequest(number, options = {}, fullName) {
      const pull = findPull(number, fullName);
      pull.state = 'closed';
      pull.closedAt = state.now();
      pull.mergedAt = options.merged === true ? state.now() : undefined;
      pull.updatedAt = state.now();
      record('pull_request.closed', pull, { merged: options.merged === true });
    },
    reopenPullRequest(number, fullName) {
      const pull = findPull(number, fullName);
      pull.state = 'open';
      pull.closedAt = undefined;
      pull.updatedAt = state.now();
      record('pull_request.reopened', pull);
    },
    setDraft(number, draft, fullName) {
      const pull = findPull(number, fullName);
      pull.draft = draft;
      pull.updatedAt = state.now();
      record(draft ? 'pull_request.drafted' : 'pull_request.readied', pull);
    },
    editPullRequest(number, change, fullName) {
      const pull = findPull(number, fullName);
      pull.title = change.title ?? pull.title;
      pull.body = change.body ?? pull.body;
      pull.updatedAt = state.now();
      record('pull_request.edited', pull);
    },
    setPermission(login, level, fullName) {
      state.ensureUser(login);
      findRepository(fullName).permissions.set(login.toLowerCase(), level);
    },
    deleteAccount(login) {
      const user = state.findUser(login);
      for (const repository of state.repositories) {
        for (const pull of repository.pulls.values()) {
          const written = [
            pull,
            ...pull.issueComments,
            ...pull.threads.flatMap((thread) => thread.comments),
            ...pull.reviews,
          ];
          for (const item of written) if (item.author === user) item.author = null;
        }
      }
    },
  };
}

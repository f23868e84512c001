import type { WriteLog } from '../http/write-log.ts';
import type {
  AzureDevOpsState,
  IterationReason,
  PermissionLevel,
  SimIteration,
  SimPull,
  SimRepository,
  SimThread,
  SimThreadContext,
} from './state.ts';
import { fullNameOf, guidOf, latestIteration } from './state.ts';

export interface NewPullRequest {
  /** Any revision of the repository; a branch gives its name to the pull request. */
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body?: string;
  /** Sign-in name; null for an account that is gone. Default `author@example.com`. */
  readonly author?: string | null;
  readonly draft?: boolean;
  readonly fork?: 'deleted' | { readonly name: string };
  readonly repository?: string;
}

export interface NewPersonComment {
  readonly author: string | null;
  readonly body: string;
  /** Reply to this thread; otherwise a new one. */
  readonly threadId?: number;
  readonly context?: SimThreadContext;
  readonly commentType?: 'text' | 'system';
}

/** What people do to pull requests, in code. `repository` is `project/name`; default the first one. */
export interface PullControls {
  createPullRequest(input: NewPullRequest): Promise<SimPull>;
  findPull(number: number, repository?: string): SimPull;
  /** Moves the head to a revision; default: where the head branch now points. @returns the head before. */
  pushHead(number: number, revision?: string, repository?: string): Promise<string>;
  retarget(number: number, base: string, repository?: string): Promise<void>;
  closePullRequest(number: number, options?: { merged?: boolean }, repository?: string): void;
  reopenPullRequest(number: number, repository?: string): void;
  setDraft(number: number, draft: boolean, repository?: string): void;
  setPermission(login: string, level: PermissionLevel, repository?: string): void;
  /** A person writes. */
  comment(number: number, comment: NewPersonComment, repository?: string): SimThread;
  deleteComment(number: number, threadId: number, commentId: number, repository?: string): void;
}

export function createPullControls(state: AzureDevOpsState, writes: WriteLog): PullControls {
  function findRepository(fullName: string | undefined): SimRepository {
    const found = state.repositories.find(
      (repository) => fullName === undefined || fullNameOf(repository) === fullName,
    );
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
      actor: pull.author?.displayName ?? 'ghost',
      details: { repository: pull.repository.id, number: pull.number, ...details },
    });
  }
  async function addIteration(pull: SimPull, reason: IterationReason, head: string): Promise<SimIteration> {
    const { git } = pull.repository;
    const target = await git.resolveCommit(pull.baseRef);
    const iteration: SimIteration = {
      id: pull.iterations.length + 1,
      head,
      target,
      common: await git.mergeBase(target, head),
      reason,
      createdAt: state.now(),
    };
    pull.iterations.push(iteration);
    return iteration;
  }
  return {
    findPull,
    async createPullRequest(input) {
      const repository = findRepository(input.repository);
      const { author = 'author@example.com', fork } = input;
      const number = state.nextId();
      const pull: SimPull = {
        repository,
        number,
        title: input.title,
        description: input.body ?? '',
        status: 'active',
        isDraft: input.draft ?? false,
        author: author === null ? null : state.ensureIdentity(author),
        headRef: input.head,
        baseRef: input.base,
        fork:
          fork === undefined || fork === 'deleted'
            ? fork
            : { id: guidOf(`fork ${fork.name}`), name: fork.name },
        iterations: [],
        threads: [],
        statuses: [],
        trackingIds: new Map(),
        createdAt: state.now(),
      };
      const { head } = await addIteration(pull, 'create', await repository.git.resolveCommit(input.head));
      repository.pulls.set(number, pull);
      record('pull_request.opened', pull, { head });
      return pull;
    },
    async pushHead(number, revision, fullName) {
      const pull = findPull(number, fullName);
      const before = latestIteration(pull).head;
      const after = await pull.repository.git.resolveCommit(revision ?? pull.headRef);
      const isForward = await pull.repository.git.isAncestor(before, after);
      await addIteration(pull, isForward ? 'push' : 'forcePush', after);
      record('pull_request.pushed', pull, { before, after });
      return before;
    },
    async retarget(number, base, fullName) {
      const pull = findPull(number, fullName);
      pull.baseRef = base;
      await addIteration(pull, 'retarget', latestIteration(pull).head);
      record('pull_request.retargeted', pull, { base });
    },
    closePullRequest(number, options = {}, fullName) {
      const pull = findPull(number, fullName);
      pull.status = options.merged === true ? 'completed' : 'abandoned';
      record('pull_request.closed', pull);
    },
    reopenPullRequest(number, fullName) {
      const pull = findPull(number, fullName);
      pull.status = 'active';
      record('pull_request.reopened', pull);
    },
    setDraft(number, draft, fullName) {
      const pull = findPull(number, fullName);
      pull.isDraft = draft;
      record(draft ? 'pull_request.drafted' : 'pull_request.published', pull);
    },
    setPermission(login, level, fullName) {
      findRepository(fullName).permissions.set(state.ensureIdentity(login).id, level);
    },
    comment(number, input, fullName) {
      const pull = findPull(number, fullName);
      const isReply = input.threadId !== undefined;
      const thread: SimThread = pull.threads.find((candidate) => candidate.id === input.threadId) ?? {
        id: state.nextId(),
        status: input.commentType === 'system' ? '' : 'active',
        context: input.context,
        tracking: undefined,
        properties: input.commentType === 'system' ? { CodeReviewThreadType: 'VoteUpdate' } : {},
        comments: [],
        publishedAt: state.now(),
      };
      if (!isReply) pull.threads.push(thread);
      const comment = {
        id: thread.comments.length + 1,
        parentCommentId: isReply ? 1 : 0,
        author: input.author === null ? null : state.ensureIdentity(input.author),
        content: input.body,
        commentType: input.commentType ?? 'text',
        publishedAt: state.now(),
        editedAt: state.now(),
        isDeleted: false,
        likes: [],
      };
      thread.comments.push(comment);
      record('comment.created', pull, { threadId: thread.id, commentId: comment.id });
      return thread;
    },
    deleteComment(number, threadId, commentId, fullName) {
      const pull = findPull(number, fullName);
      const thread = pull.threads.find((candidate) => candidate.id === threadId);
      const comment = thread?.comments.find((candidate) => candidate.id === commentId);
      if (comment === undefined) throw new Error(`the simulator has no comment ${threadId}-${commentId}`);
      comment.isDeleted = true;
      record('comment.deleted', pull, { threadId, commentId });
    },
  };
}

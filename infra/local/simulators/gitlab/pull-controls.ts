import type { WriteLog } from '../http/write-log.ts';
import { makeNote } from './note-writing.ts';
import { followPosition } from './positions.ts';
import type { SentPosition } from './request-bodies.ts';
import type { AccessLevel, GitLabState, SimDiscussion, SimProject, SimPull } from './state.ts';
import { createProject, discussionId, latestVersion } from './state.ts';

export interface NewPullRequest {
  /** Any revision of the repository; a branch gives its name to the merge request. */
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body?: string;
  /** User name; null for an account that is gone. Default `author`. */
  readonly author?: string | null;
  readonly draft?: boolean;
  readonly fork?: 'deleted' | { readonly fullName: string };
  readonly repository?: string;
}

export interface NewPersonComment {
  readonly author: string | null;
  readonly body: string;
  /** Answers in this discussion; otherwise a new one. */
  readonly threadId?: string;
  readonly position?: SentPosition;
  readonly system?: boolean;
  readonly internal?: boolean;
  /** A note that nobody can answer in a thread. */
  readonly individual?: boolean;
}

/** What people do to merge requests, in code. `repository` is a full path; default the first one. */
export interface PullControls {
  createPullRequest(input: NewPullRequest): Promise<SimPull>;
  findPull(number: number, repository?: string): SimPull;
  /** Moves the head to a revision; default: where the head branch now points. @returns the head before. */
  pushHead(number: number, revision?: string, repository?: string): Promise<string>;
  retarget(number: number, base: string, repository?: string): Promise<void>;
  closePullRequest(number: number, options?: { merged?: boolean }, repository?: string): void;
  reopenPullRequest(number: number, repository?: string): void;
  setDraft(number: number, draft: boolean, repository?: string): void;
  /** While not prepared, a merge request has no diff yet. */
  setPrepared(number: number, isPrepared: boolean, repository?: string): void;
  setPermission(login: string, level: AccessLevel, repository?: string): void;
  /** A person writes. */
  comment(number: number, comment: NewPersonComment, repository?: string): SimDiscussion;
}

export function createPullControls(state: GitLabState, writes: WriteLog): PullControls {
  function findProject(fullName: string | undefined): SimProject {
    const found = state.projects.find((project) => fullName === undefined || project.fullName === fullName);
    if (found === undefined) throw new Error(`the simulator has no project ${fullName ?? ''}`);
    return found;
  }
  function findPull(number: number, fullName?: string): SimPull {
    const pull = findProject(fullName).pulls.get(number);
    if (pull === undefined) throw new Error(`the simulator has no merge request ${number}`);
    return pull;
  }
  function record(kind: string, pull: SimPull, details: Record<string, unknown> = {}): void {
    writes.add({
      at: state.now(),
      kind,
      actor: pull.author?.username ?? 'ghost',
      details: { repository: pull.project.id, number: pull.iid, ...details },
    });
  }
  async function addVersion(pull: SimPull, head: string): Promise<void> {
    const { git } = pull.project;
    const start = await git.resolveCommit(pull.targetBranch);
    const base = await git.mergeBase(start, head);
    pull.versions.push({ id: state.nextId(), head, base, start, createdAt: state.now() });
  }
  async function followNotes(pull: SimPull): Promise<void> {
    const version = latestVersion(pull);
    for (const { notes } of pull.discussions)
      for (const note of notes)
        if (note.position !== undefined) note.position = await followPosition(pull, note.position, version);
  }
  function sourceOf(project: SimProject, fork: NewPullRequest['fork']): SimProject | undefined {
    if (fork === undefined) return project;
    if (fork === 'deleted') return undefined;
    const { fullName } = fork;
    const known = state.projects.find((candidate) => candidate.fullName === fullName);
    if (known !== undefined) return known;
    const made = createProject(state.nextId(), fullName, project.defaultBranch, project.git);
    state.projects.push(made);
    return made;
  }
  return {
    findPull,
    async createPullRequest(input) {
      const project = findProject(input.repository);
      const { author = 'author' } = input;
      const pull: SimPull = {
        project,
        id: state.nextId(),
        iid: project.pulls.size + 1,
        title: input.title,
        description: input.body ?? null,
        state: 'opened',
        draft: input.draft ?? false,
        author: author === null ? null : state.ensureUser(author),
        sourceBranch: input.head,
        targetBranch: input.base,
        source: sourceOf(project, input.fork),
        versions: [],
        discussions: [],
        awards: [],
        isPrepared: true,
        createdAt: state.now(),
      };
      await addVersion(pull, await project.git.resolveCommit(input.head));
      project.pulls.set(pull.iid, pull);
      record('merge_request.opened', pull);
      return pull;
    },
    async pushHead(number, revision, fullName) {
      const pull = findPull(number, fullName);
      const before = latestVersion(pull).head;
      await addVersion(pull, await pull.project.git.resolveCommit(revision ?? pull.sourceBranch));
      await followNotes(pull);
      record('merge_request.pushed', pull, { before });
      return before;
    },
    async retarget(number, base, fullName) {
      const pull = findPull(number, fullName);
      const previous = pull.targetBranch;
      pull.targetBranch = base;
      await addVersion(pull, latestVersion(pull).head);
      record('merge_request.retargeted', pull, { previous });
    },
    closePullRequest(number, options = {}, fullName) {
      const pull = findPull(number, fullName);
      pull.state = options.merged === true ? 'merged' : 'closed';
      record(`merge_request.${pull.state}`, pull);
    },
    reopenPullRequest(number, fullName) {
      const pull = findPull(number, fullName);
      pull.state = 'opened';
      record('merge_request.reopened', pull);
    },
    setDraft(number, draft, fullName) {
      const pull = findPull(number, fullName);
      pull.draft = draft;
      record(draft ? 'merge_request.drafted' : 'merge_request.published', pull);
    },
    setPrepared(number, isPrepared, fullName) {
      findPull(number, fullName).isPrepared = isPrepared;
    },
    setPermission(login, level, fullName) {
      findProject(fullName).members.set(state.ensureUser(login).id, level);
    },
    comment(number, input, fullName) {
      const pull = findPull(number, fullName);
      const known = pull.discussions.find(({ id }) => id === input.threadId);
      const first = known?.notes[0];
      const note = makeNote(state, {
        author: input.author === null ? null : state.ensureUser(input.author),
        body: input.body,
        type: first?.type ?? typeOf(input),
        ...(input.system === undefined ? {} : { system: input.system }),
        internal: input.internal ?? first?.internal ?? false,
        ...positionPart(input.position ?? first?.position),
      });
      const discussion = known ?? {
        id: discussionId(note.id),
        individual: input.individual === true || input.system === true,
        notes: [],
      };
      discussion.notes.push(note);
      if (known === undefined) pull.discussions.push(discussion);
      record('note.created', pull, { discussionId: discussion.id, noteId: note.id });
      return discussion;
    },
  };
}

function typeOf(input: NewPersonComment): 'DiffNote' | 'DiscussionNote' | null {
  if (input.position !== undefined) return 'DiffNote';
  return input.individual === true || input.system === true ? null : 'DiscussionNote';
}

function positionPart(position: SentPosition | undefined): { readonly position?: SentPosition } {
  return position === undefined ? {} : { position };
}

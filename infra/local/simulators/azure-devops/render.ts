import type {
  SimComment,
  SimIdentity,
  SimIteration,
  SimPull,
  SimRepository,
  SimStatus,
  SimThread,
} from './state.ts';
import { guidOf, latestIteration } from './state.ts';
import { placeOf } from './tracking.ts';

type Json = Record<string, unknown>;

export function renderIdentity(identity: SimIdentity | null): Json | null {
  return identity === null
    ? null
    : {
        displayName: identity.displayName,
        id: identity.id,
        uniqueName: identity.uniqueName,
        descriptor: identity.descriptor,
      };
}

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function renderRepository(repository: SimRepository, base: string): Json {
  const { project, name, id } = repository;
  return {
    id,
    name,
    url: `${base}/_apis/git/repositories/${id}`,
    project: { id: project.id, name: project.name, state: 'wellFormed', visibility: 'private' },
    defaultBranch: `refs/heads/${repository.defaultBranch}`,
    remoteUrl: `${base}/${encodeURIComponent(project.name)}/_git/${encodeURIComponent(name)}`,
    webUrl: `${base}/${encodeURIComponent(project.name)}/_git/${encodeURIComponent(name)}`,
    isDisabled: false,
  };
}

export function pullUrl(pull: SimPull, base: string): string {
  const { project, name } = pull.repository;
  return `${base}/${encodeURIComponent(project.name)}/_git/${encodeURIComponent(name)}/pullrequest/${pull.number}`;
}

/** As it is at the time of the call, whatever happens until the answer is there. */
export async function renderPull(current: SimPull, base: string): Promise<Json> {
  const pull = { ...current };
  const iteration = latestIteration(pull);
  const isClean = await pull.repository.git.mergesCleanly(iteration.target, iteration.head);
  return {
    repository: renderRepository(pull.repository, base),
    pullRequestId: pull.number,
    codeReviewId: pull.number,
    status: pull.status,
    createdBy: renderIdentity(pull.author),
    creationDate: isoTime(pull.createdAt),
    title: pull.title,
    ...(pull.description === '' ? {} : { description: pull.description }),
    sourceRefName: `refs/heads/${pull.headRef}`,
    targetRefName: `refs/heads/${pull.baseRef}`,
    mergeStatus: isClean === false ? 'conflicts' : 'succeeded',
    isDraft: pull.isDraft,
    lastMergeSourceCommit: { commitId: iteration.head },
    lastMergeTargetCommit: { commitId: iteration.target },
    ...(isClean === false
      ? {}
      : { lastMergeCommit: { commitId: guidOf(iteration.head).replaceAll('-', '').padEnd(40, '0') } }),
    reviewers: [],
    ...renderFork(pull, base),
    supportsIterations: true,
    artifactId: `vstfs:///Git/PullRequestId/${pull.repository.project.id}%2f${pull.repository.id}%2f${pull.number}`,
  };
}

/** Of a deleted fork its repository is no longer shown. */
function renderFork({ fork, headRef, repository }: SimPull, base: string): Json {
  if (fork === undefined) return {};
  const name = `refs/heads/${headRef}`;
  if (fork === 'deleted') return { forkSource: { name, repository: null } };
  const url = `${base}/_apis/git/repositories/${fork.id}`;
  return {
    forkSource: { name, repository: { id: fork.id, name: fork.name, url, project: repository.project } },
  };
}

export function renderIteration(pull: SimPull, iteration: SimIteration): Json {
  return {
    id: iteration.id,
    description: '',
    author: renderIdentity(pull.author),
    createdDate: isoTime(iteration.createdAt),
    updatedDate: isoTime(iteration.createdAt),
    sourceRefCommit: { commitId: iteration.head },
    targetRefCommit: { commitId: iteration.target },
    commonRefCommit: { commitId: iteration.common },
    hasMoreCommits: false,
    reason: iteration.reason,
  };
}

export function renderComment(comment: SimComment): Json {
  return {
    id: comment.id,
    parentCommentId: comment.parentCommentId,
    author: renderIdentity(comment.author),
    ...(comment.isDeleted ? {} : { content: comment.content }),
    publishedDate: isoTime(comment.publishedAt),
    lastUpdatedDate: isoTime(comment.editedAt),
    lastContentUpdatedDate: isoTime(comment.editedAt),
    ...(comment.isDeleted ? { isDeleted: true } : {}),
    commentType: comment.commentType,
    usersLiked: comment.likes.map(renderIdentity),
  };
}

export async function renderThread(
  pull: SimPull,
  thread: SimThread,
  iteration: SimIteration | undefined,
): Promise<Json> {
  const { context, original } = await placeOf(pull, thread, iteration);
  return {
    id: thread.id,
    publishedDate: isoTime(thread.publishedAt),
    lastUpdatedDate: isoTime(thread.publishedAt),
    comments: thread.comments.map(renderComment),
    ...(thread.status === '' ? {} : { status: thread.status }),
    threadContext: context ?? null,
    pullRequestThreadContext:
      thread.tracking === undefined
        ? null
        : {
            ...thread.tracking,
            ...(original === undefined ? {} : { trackingCriteria: criteriaOf(thread) }),
          },
    properties: Object.fromEntries(
      Object.entries(thread.properties).map(([name, value]) => [name, renderProperty(value)]),
    ),
    identities: null,
    isDeleted: thread.comments.every((comment) => comment.isDeleted),
  };
}

function criteriaOf({ context, tracking }: SimThread): Json {
  return {
    ...tracking?.iterationContext,
    origFilePath: context?.filePath,
    origLeftFileStart: context?.leftFileStart,
    origLeftFileEnd: context?.leftFileEnd,
    origRightFileStart: context?.rightFileStart,
    origRightFileEnd: context?.rightFileEnd,
  };
}

function renderProperty(value: unknown): unknown {
  return typeof value === 'string' ? { $type: 'System.String', $value: value } : value;
}

export function renderStatus(status: SimStatus): Json {
  return {
    id: status.id,
    state: status.state,
    description: status.description ?? null,
    context: status.context,
    creationDate: isoTime(status.createdAt),
    updatedDate: isoTime(status.createdAt),
    createdBy: renderIdentity(status.createdBy),
    targetUrl: status.targetUrl ?? null,
    ...(status.iterationId === undefined ? {} : { iterationId: status.iterationId }),
  };
}

import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequest, PullRequestRef, PullRequestState } from '../../domain/pull-request.ts';
import type { PullRequestReader } from '../ports.ts';
import type { AzureDevOpsClient, RepositorySession } from './azure-devops-client.ts';
import { toChangeEntries } from './change-entries.ts';
import { computePatches } from './file-patches.ts';
import { Identity, toAccount } from './identities.ts';
import type { ChangesCache, Iteration } from './iterations.ts';
import { latestOf, listChanges, listIterations } from './iterations.ts';

const Commit = z.object({ commitId: z.string() }).nullish();

export const Pull = z.object({
  pullRequestId: z.int(),
  status: z.enum(['active', 'abandoned', 'completed', 'notSet']),
  title: z.string(),
  description: z.string().nullish(),
  isDraft: z.boolean().nullish(),
  createdBy: Identity,
  sourceRefName: z.string(),
  targetRefName: z.string(),
  lastMergeSourceCommit: Commit,
  lastMergeTargetCommit: Commit,
  repository: z.object({ id: z.string() }),
  /** Present for a fork, whether or not it still exists. */
  forkSource: z.unknown().optional(),
  supportsIterations: z.boolean().nullish(),
});
export type Pull = z.output<typeof Pull>;

/** Reads pull requests by the id of their repository, and their changes from the latest iteration. */
export function createPullRequestReader(client: AzureDevOpsClient, changes: ChangesCache): PullRequestReader {
  const read = async (ref: PullRequestRef) => {
    const session = await client.forRepository(ref);
    const pull = await session.get(`/pullRequests/${ref.number}`, {}, Pull);
    if (pull.repository.id.toLowerCase() !== session.names.id) throw movedAway(ref);
    if (pull.supportsIterations === false) throw withoutIterations(ref);
    const iteration = latestOf(await listIterations(session, ref.number), ref.number);
    assertSameHead(pull, iteration);
    return { session, pull, iteration };
  };
  return {
    async getPullRequest(ref) {
      const { session, pull, iteration } = await read(ref);
      const entries = toChangeEntries(await listChanges(changes, session, ref.number, iteration));
      return toPullRequest(ref, session, pull, iteration, entries.length);
    },

    async listChangedFiles(pullRequest) {
      const { ref, headSha, mergeBaseSha } = pullRequest;
      const session = await client.forRepository(ref);
      const iterations = await listIterations(session, ref.number);
      const iteration = iterations.findLast(
        (candidate) =>
          candidate.sourceRefCommit.commitId === headSha &&
          candidate.commonRefCommit.commitId === mergeBaseSha,
      );
      if (iteration === undefined) throw headMoved();
      const entries = toChangeEntries(await listChanges(changes, session, ref.number, iteration));
      if (entries.length !== pullRequest.changedFiles)
        throw incomplete(pullRequest.changedFiles, entries.length);
      return computePatches(session, entries, { mergeBase: mergeBaseSha, head: headSha });
    },
  };
}

/**
 * Pull request and iterations are kept up to date separately. While they name different heads, a review of the older
 * one would pass for a review of the newer.
 */
function assertSameHead(pull: Pull, iteration: Iteration): void {
  const head = pull.lastMergeSourceCommit?.commitId;
  if (pull.status !== 'active' || head === undefined || head === iteration.sourceRefCommit.commitId) return;
  throw new AppError({
    kind: 'transient',
    code: 'iteration_pending',
    message: 'Azure DevOps is still taking in the latest push; the pull request will be read again.',
    retryAfterMs: 5_000,
  });
}

function toPullRequest(
  ref: PullRequestRef,
  session: RepositorySession,
  pull: Pull,
  iteration: Iteration,
  changedFiles: number,
): PullRequest {
  return {
    ref: { ...ref, repository: session.names.fullName },
    title: pull.title,
    description: pull.description ?? '',
    state: toState(pull.status),
    isDraft: pull.isDraft ?? false,
    author: toAccount(pull.createdBy),
    isFork: pull.forkSource !== undefined && pull.forkSource !== null,
    headSha: iteration.sourceRefCommit.commitId,
    headRef: branchOf(pull.sourceRefName),
    baseSha: pull.lastMergeTargetCommit?.commitId ?? iteration.targetRefCommit.commitId,
    baseRef: branchOf(pull.targetRefName),
    mergeBaseSha: iteration.commonRefCommit.commitId,
    changedFiles,
    webUrl: session.webUrlOf(ref.number),
  };
}

function toState(status: Pull['status']): PullRequestState {
  switch (status) {
    case 'completed':
      return 'merged';
    case 'abandoned':
      return 'closed';
    default:
      return 'open';
  }
}

export function branchOf(refName: string): string {
  return refName.replace(/^refs\/heads\//, '');
}

function movedAway(ref: PullRequestRef): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `Pull request ${ref.number} does not belong to the repository with id ${ref.repositoryId}.`,
    details: { repositoryId: ref.repositoryId, number: ref.number },
  });
}

function withoutIterations(ref: PullRequestRef): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'iterations_unsupported',
    message:
      `Pull request ${ref.number} was made before Azure DevOps kept iterations, so its changes cannot be listed. ` +
      'Abandon it and create a new one from the same branch.',
    details: { number: ref.number },
  });
}

function headMoved(): AppError {
  return new AppError({
    kind: 'stale',
    code: 'head_moved',
    message: 'The pull request got new commits or a new target while its files were listed; read it again.',
  });
}

function incomplete(expected: number, listed: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'files_incomplete',
    message: `Azure DevOps listed ${expected} changed files and then ${listed}; nothing is reviewed on a part of them.`,
    details: { expected, listed },
  });
}

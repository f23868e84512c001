import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { ChangedFile, FileChange, PullRequest, PullRequestRef } from '../../domain/pull-request.ts';
import type { PullRequestReader } from '../ports.ts';
import { User, toAccount } from './accounts.ts';
import type { GitLabClient, ProjectSession } from './gitlab-client.ts';
import { pullPath } from './gitlab-client.ts';
import { headMoved } from './gitlab-errors.ts';
import type { Diff, DiffReader, Version } from './versions.ts';
import { notPrepared } from './versions.ts';

export const Pull = z.object({
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  draft: z.boolean().nullish(),
  author: User,
  source_branch: z.string(),
  target_branch: z.string(),
  /** Null when the fork was deleted. */
  source_project_id: z.int().nullish(),
  target_project_id: z.int(),
  sha: z.string().nullish(),
  /** Null while GitLab still computes the diff. */
  diff_refs: z.object({ start_sha: z.string().nullish() }).nullish(),
  /** A number, with `+` when there are more than are kept. */
  changes_count: z.string().nullish(),
});
export type Pull = z.output<typeof Pull>;

/** Reads merge requests by the id of their project, and their changes from the latest version. */
export function createPullRequestReader(client: GitLabClient, diffs: DiffReader): PullRequestReader {
  return {
    async getPullRequest(ref) {
      const session = await client.forProject(ref.repositoryId);
      const pull = await readPull(session, ref);
      const count = Number.parseInt(pull.changes_count ?? '', 10);
      if (pull.diff_refs === null || pull.diff_refs === undefined) throw notPrepared(ref);
      const version = await diffs.latestVersion(session, ref);
      const sha = pull.sha ?? version.head_commit_sha;
      // Counted after the version was made; without the count a whole listing would pass for a wrong one.
      if (Number.isNaN(count) && version.state !== 'empty') throw notPrepared(ref);
      if (pull.state === 'opened' && version.head_commit_sha !== sha) throw notPrepared(ref);
      return toPullRequest(ref, session, pull, version, Number.isNaN(count) ? 0 : count);
    },

    async listChangedFiles(pullRequest) {
      const { ref, headSha, mergeBaseSha, changedFiles } = pullRequest;
      const session = await client.forProject(ref.repositoryId);
      const version = await diffs.latestVersion(session, ref);
      if (version.head_commit_sha !== headSha || version.base_commit_sha !== mergeBaseSha) throw headMoved();
      if (version.state === 'overflow') throw tooManyFiles(changedFiles);
      const listed = await diffs.listDiffs(session, ref, version);
      if (listed.length !== changedFiles) throw incomplete(changedFiles, listed.length);
      return listed.map(toChangedFile);
    },
  };
}

export async function readPull(session: ProjectSession, ref: PullRequestRef): Promise<Pull> {
  const pull = await session.get(pullPath(ref), {}, Pull);
  if (String(pull.target_project_id) !== ref.repositoryId) throw movedAway(ref);
  return pull;
}

function toPullRequest(
  ref: PullRequestRef,
  session: ProjectSession,
  pull: Pull,
  version: Version,
  changedFiles: number,
): PullRequest {
  return {
    ref: { ...ref, repository: session.fullName },
    title: pull.title,
    description: pull.description ?? '',
    // `locked` is a merge under way.
    state: pull.state === 'merged' || pull.state === 'closed' ? pull.state : 'open',
    isDraft: pull.draft ?? false,
    author: toAccount(pull.author),
    isFork: pull.source_project_id !== pull.target_project_id,
    headSha: version.head_commit_sha,
    headRef: pull.source_branch,
    baseSha: version.start_commit_sha,
    baseRef: pull.target_branch,
    mergeBaseSha: version.base_commit_sha,
    changedFiles,
    webUrl: session.webUrlOf(ref.number),
  };
}

/** A patch that GitLab left out (binary, collapsed, too large) is absent, and then nothing was counted. */
export function toChangedFile(diff: Diff): ChangedFile {
  const patch = patchOf(diff);
  const isMoved = diff.old_path !== diff.new_path;
  const lines = patch?.split('\n') ?? [];
  return {
    path: diff.new_path,
    change: changeOf(diff),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    ...(isMoved ? { previousPath: diff.old_path } : {}),
    ...(patch === undefined ? {} : { patch }),
  };
}

/** Hunks alone; undefined for notices and where there are none. */
export function patchOf({ diff }: Pick<Diff, 'diff'>): string | undefined {
  return diff?.startsWith('@@ ') === true ? diff.replace(/\n$/, '') : undefined;
}

function changeOf(diff: Diff): FileChange {
  if (diff.new_file) return 'added';
  if (diff.deleted_file) return 'deleted';
  if (diff.renamed_file) return 'renamed';
  // The first digits of a mode tell a file from a link and a submodule.
  return diff.a_mode?.slice(0, 3) === diff.b_mode?.slice(0, 3) ? 'modified' : 'type-changed';
}

function movedAway(ref: PullRequestRef): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `Merge request ${ref.number} does not belong to the project with id ${ref.repositoryId}.`,
    details: { repositoryId: ref.repositoryId, number: ref.number },
  });
}

function tooManyFiles(kept: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'too_many_files',
    message:
      `The merge request changes more than GitLab keeps of it (${kept} files), so the rest cannot be seen. Split ` +
      'it, or raise the diff limits of the instance.',
    details: { kept },
  });
}

function incomplete(expected: number, listed: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'files_incomplete',
    message: `GitLab counts ${expected} changed files but lists ${listed}; nothing is reviewed on a part of them.`,
    details: { expected, listed },
  });
}

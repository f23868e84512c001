import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { ChangedFile, FileChange, PullRequest, PullRequestRef } from '../../domain/pull-request.ts';
import type { PullRequestReader } from '../ports.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';
import { Pull, PullFile, toAccount } from './schemas.ts';

const Comparison = z.object({ merge_base_commit: z.object({ sha: z.string() }) });

/** "Responses include a maximum of 3000 files" (REST documentation, "List pull requests files"). */
export const MAX_FILES = 3000;

const PULL_PATH = '/repos/{owner}/{repo}/pulls/{number}';

/** Reads pull requests by the id of their repository; names come from GitHub's answer. */
export function createPullRequestReader(client: GitHubClient): PullRequestReader {
  return {
    async getPullRequest(ref) {
      const session = await client.forRepository(ref);
      const pull = await session.get(PULL_PATH, { number: ref.number }, Pull);
      if (String(pull.base.repo.id) !== ref.repositoryId) throw movedAway(ref);
      const comparison = await session.get(
        '/repos/{owner}/{repo}/compare/{basehead}',
        { basehead: `${pull.base.sha}...${pull.head.sha}`, per_page: 1 },
        Comparison,
      );
      return toPullRequest(ref, session, pull, comparison.merge_base_commit.sha);
    },

    async listChangedFiles(pullRequest) {
      const { ref, changedFiles, headSha } = pullRequest;
      if (changedFiles > MAX_FILES) throw tooManyFiles(changedFiles);
      const session = await client.forRepository(ref);
      const files = await session.list(`${PULL_PATH}/files`, { number: ref.number }, PullFile);
      const paths = new Set(files.map((file) => file.filename));
      const isAtHead = files.every((file) => (readRef(file.contents_url) ?? headSha) === headSha);
      if (files.length === changedFiles && paths.size === files.length && isAtHead)
        return files.map(toChangedFile);
      const now = await session.get(PULL_PATH, { number: ref.number }, Pull);
      if (now.head.sha !== headSha) throw headMoved();
      throw isAtHead ? incomplete(changedFiles, paths.size) : listingLags();
    },
  };
}

function toPullRequest(
  ref: PullRequestRef,
  session: RepositorySession,
  pull: z.output<typeof Pull>,
  mergeBaseSha: string,
): PullRequest {
  return {
    ref: { ...ref, repository: session.names.fullName },
    title: pull.title,
    description: pull.body ?? '',
    state: pull.state === 'open' ? 'open' : typeof pull.merged_at === 'string' ? 'merged' : 'closed',
    isDraft: pull.draft ?? false,
    author: toAccount(pull.user),
    isFork: pull.head.repo === null || pull.head.repo.id !== pull.base.repo.id,
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    baseSha: pull.base.sha,
    baseRef: pull.base.ref,
    mergeBaseSha,
    changedFiles: pull.changed_files,
    webUrl: pull.html_url,
  };
}

const CHANGES: Readonly<Record<z.output<typeof PullFile>['status'], FileChange>> = {
  added: 'added',
  removed: 'deleted',
  modified: 'modified',
  unchanged: 'modified',
  renamed: 'renamed',
  copied: 'copied',
  changed: 'type-changed',
};

function toChangedFile(file: z.output<typeof PullFile>): ChangedFile {
  return {
    path: file.filename,
    change: CHANGES[file.status],
    additions: file.additions,
    deletions: file.deletions,
    ...(file.sha === null ? {} : { blobSha: file.sha }),
    ...(file.previous_filename === undefined ? {} : { previousPath: file.previous_filename }),
    ...(file.patch === undefined ? {} : { patch: file.patch }),
  };
}

/** The commit a listing was made for: `?ref=` of its contents address. Only compared, never opened. */
function readRef(contentsUrl: string): string | undefined {
  return /[?&]ref=([0-9a-f]{40,64})(?:&|$)/.exec(contentsUrl)?.[1];
}

function movedAway(ref: PullRequestRef): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `Pull request ${ref.number} does not belong to the repository with id ${ref.repositoryId}.`,
    details: { repositoryId: ref.repositoryId, number: ref.number },
  });
}

function tooManyFiles(changedFiles: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'too_many_files',
    message:
      `The pull request changes ${changedFiles} files; GitHub lists ${MAX_FILES} at most, so the rest cannot be ` +
      'seen. Split the pull request to have it reviewed.',
    details: { changedFiles, limit: MAX_FILES },
  });
}

function headMoved(): AppError {
  return new AppError({
    kind: 'stale',
    code: 'head_moved',
    message: 'The pull request got new commits while its files were listed; read it again.',
  });
}

/** GitHub computes listings in the background; right after a push one may still be of the head before. */
function listingLags(): AppError {
  return new AppError({
    kind: 'transient',
    code: 'listing_outdated',
    message: 'GitHub still lists the files of an earlier head; they will be read again.',
  });
}

function incomplete(expected: number, listed: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'files_incomplete',
    message: `GitHub counts ${expected} changed files but lists ${listed}; nothing is reviewed on a part of them.`,
    details: { expected, listed },
  });
}

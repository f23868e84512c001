import type { GitChangedFile } from '../../git/changed-files.ts';
import type { GitCommit } from '../../git/commits.ts';
import type { SimPull, SimRepository } from '../state/model.ts';
import type { GitHubState } from '../state/state.ts';
import { authorAssociation, renderFork, renderRepository, renderUser } from './render-accounts.ts';
import type { Urls } from './urls.ts';
import { encodePath, isoTime } from './urls.ts';

const STATUS: Readonly<Record<GitChangedFile['change'], string>> = {
  added: 'added',
  removed: 'removed',
  modified: 'modified',
  renamed: 'renamed',
  copied: 'copied',
  'type-changed': 'changed',
};

/** One entry of a file listing; `patch` and `previous_filename` are left out where GitHub has none. */
export function renderFile(
  file: GitChangedFile,
  repository: SimRepository,
  headSha: string,
  urls: Urls,
): Record<string, unknown> {
  const path = encodePath(file.path);
  const web = `${urls.web}/${repository.fullName}`;
  return {
    sha: file.change === 'removed' ? file.oldSha : file.newSha,
    filename: file.path,
    status: STATUS[file.change],
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${web}/blob/${headSha}/${path}`,
    raw_url: `${web}/raw/${headSha}/${path}`,
    contents_url: `${urls.repository(repository)}/contents/${path}?ref=${headSha}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousPath === undefined ? {} : { previous_filename: file.previousPath }),
  };
}

/** A commit as the pull request, compare and commit listings show it. */
export function renderCommit(
  commit: GitCommit,
  repository: SimRepository,
  urls: Urls,
): Record<string, unknown> {
  const url = urls.repository(repository);
  return {
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
      url: `${url}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null },
    },
    url: `${url}/commits/${commit.sha}`,
    html_url: `${urls.web}/${repository.fullName}/commit/${commit.sha}`,
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({ sha, url: `${url}/commits/${sha}` })),
  };
}

/** What needs git to be known. */
export interface PullFacts {
  readonly mergeable: boolean | null;
  readonly commits: number;
  readonly files: readonly GitChangedFile[];
}

/** The part that lists, webhooks and single reads share. */
export function renderPullSummary(pull: SimPull, state: GitHubState, urls: Urls): Record<string, unknown> {
  const { repository } = pull;
  const url = urls.pull(pull);
  const headOwner = pull.fork?.owner ?? repository.owner;
  const level = pull.author === null ? 'none' : state.permissionOf(repository, pull.author);
  return {
    url,
    id: pull.id,
    node_id: pull.nodeId,
    html_url: urls.webPull(pull),
    diff_url: `${urls.webPull(pull)}.diff`,
    patch_url: `${urls.webPull(pull)}.patch`,
    issue_url: `${urls.repository(repository)}/issues/${pull.number}`,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: renderUser(pull.author, urls),
    body: pull.body === '' ? null : pull.body,
    created_at: isoTime(pull.createdAt),
    updated_at: isoTime(pull.updatedAt),
    closed_at: isoTime(pull.closedAt),
    merged_at: isoTime(pull.mergedAt),
    // Deliberately of no use: the merge commit is stale or absent on real pull requests too.
    merge_commit_sha: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pull.draft,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${urls.repository(repository)}/pulls/comments{/number}`,
    comments_url: `${urls.repository(repository)}/issues/${pull.number}/comments`,
    statuses_url: `${urls.repository(repository)}/statuses/${pull.headSha}`,
    head: {
      label: `${headOwner.login}:${pull.headRef}`,
      ref: pull.headRef,
      sha: pull.headSha,
      user: pull.fork?.deleted === true ? null : renderUser(headOwner, urls),
      repo:
        pull.fork === undefined
          ? renderRepository(repository, urls)
          : pull.fork.deleted
            ? null
            : renderFork(pull.fork, urls),
    },
    base: {
      label: `${repository.owner.login}:${pull.baseRef}`,
      ref: pull.baseRef,
      sha: pull.baseSha,
      user: renderUser(repository.owner, urls),
      repo: renderRepository(repository, urls),
    },
    _links: {
      self: { href: url },
      html: { href: urls.webPull(pull) },
      issue: { href: `${urls.repository(repository)}/issues/${pull.number}` },
      comments: { href: `${urls.repository(repository)}/issues/${pull.number}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${urls.repository(repository)}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: `${urls.repository(repository)}/statuses/${pull.headSha}` },
    },
    author_association: authorAssociation(pull.author, repository, level),
    auto_merge: null,
    active_lock_reason: null,
  };
}

export function renderPull(
  pull: SimPull,
  facts: PullFacts,
  state: GitHubState,
  urls: Urls,
): Record<string, unknown> {
  const sum = (pick: (file: GitChangedFile) => number): number =>
    facts.files.reduce((total, file) => total + pick(file), 0);
  return {
    ...renderPullSummary(pull, state, urls),
    merged: pull.mergedAt !== undefined,
    mergeable: facts.mergeable,
    rebaseable: facts.mergeable,
    mergeable_state: facts.mergeable === null ? 'unknown' : facts.mergeable ? 'clean' : 'dirty',
    merged_by: null,
    comments: pull.issueComments.length,
    review_comments: pull.threads.reduce((total, thread) => total + thread.comments.length, 0),
    maintainer_can_modify: pull.fork !== undefined,
    commits: facts.commits,
    additions: sum((file) => file.additions),
    deletions: sum((file) => file.deletions),
    changed_files: facts.files.length,
  };
}

import type { PermissionLevel, SimFork, SimRepository, SimUser } from '../state/model.ts';
import type { SimApp, SimInstallation } from '../state/state.ts';
import type { Urls } from './urls.ts';
import { isoTime } from './urls.ts';

/** GitHub shows a deleted account as null; the web page calls it ghost. */
export function renderUser(user: SimUser | null, urls: Urls): Record<string, unknown> | null {
  if (user === null) return null;
  const login = encodeURIComponent(user.login);
  const web =
    user.type === 'Bot' ? `${urls.web}/apps/${user.login.replace(/\[bot\]$/, '')}` : `${urls.web}/${login}`;
  return {
    login: user.login,
    id: user.id,
    node_id: user.nodeId,
    avatar_url: `${urls.web}/avatars/u/${user.id}?v=4`,
    gravatar_id: '',
    url: `${urls.api}/users/${login}`,
    html_url: web,
    followers_url: `${urls.api}/users/${login}/followers`,
    repos_url: `${urls.api}/users/${login}/repos`,
    events_url: `${urls.api}/users/${login}/events{/privacy}`,
    type: user.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

export function renderRepository(repository: SimRepository, urls: Urls): Record<string, unknown> {
  const url = urls.repository(repository);
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
    owner: renderUser(repository.owner, urls),
    html_url: `${urls.web}/${repository.fullName}`,
    description: null,
    fork: false,
    url,
    archive_url: `${url}/{archive_format}{/ref}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    pulls_url: `${url}/pulls{/number}`,
    statuses_url: `${url}/statuses/{sha}`,
    trees_url: `${url}/git/trees{/sha}`,
    clone_url: `${urls.web}/${repository.fullName}.git`,
    git_url: `git://${urls.web.replace(/^https?:\/\//, '')}/${repository.fullName}.git`,
    default_branch: repository.defaultBranch,
    visibility: repository.private ? 'private' : 'public',
    archived: false,
    disabled: false,
    language: null,
    forks_count: 0,
    open_issues_count: repository.pulls.size,
  };
}

export function renderFork(fork: SimFork, urls: Urls): Record<string, unknown> {
  const url = `${urls.api}/repos/${fork.fullName}`;
  return {
    id: fork.id,
    node_id: fork.nodeId,
    name: fork.fullName.split('/')[1],
    full_name: fork.fullName,
    private: false,
    owner: renderUser(fork.owner, urls),
    html_url: `${urls.web}/${fork.fullName}`,
    description: null,
    fork: true,
    url,
    clone_url: `${urls.web}/${fork.fullName}.git`,
    default_branch: 'main',
    visibility: 'public',
  };
}

export function renderApp(app: SimApp, urls: Urls): Record<string, unknown> {
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: app.nodeId,
    owner: renderUser(app.owner, urls),
    name: app.slug,
    description: '',
    external_url: `${urls.web}/apps/${app.slug}`,
    html_url: `${urls.web}/apps/${app.slug}`,
    created_at: isoTime(0),
    updated_at: isoTime(0),
    permissions: app.permissions,
    events: ['issue_comment', 'pull_request', 'pull_request_review', 'pull_request_review_comment'],
  };
}

export function renderInstallation(
  installation: SimInstallation,
  app: SimApp,
  urls: Urls,
  now: number,
): Record<string, unknown> {
  return {
    id: installation.id,
    account: renderUser(installation.account, urls),
    repository_selection: 'selected',
    access_tokens_url: `${urls.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.web}/settings/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: installation.account.id,
    target_type: 'User',
    permissions: app.permissions,
    events: ['issue_comment', 'pull_request', 'pull_request_review', 'pull_request_review_comment'],
    created_at: isoTime(0),
    updated_at: isoTime(0),
    suspended_at: installation.suspended ? isoTime(now) : null,
    suspended_by: null,
  };
}

export function authorAssociation(
  user: SimUser | null,
  repository: SimRepository,
  level: PermissionLevel,
): string {
  if (user === null) return 'NONE';
  if (user === repository.owner) return 'OWNER';
  return level === 'read' || level === 'none' ? 'CONTRIBUTOR' : 'COLLABORATOR';
}

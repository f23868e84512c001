import { filesOf } from './diffs.ts';
import type {
  GitLabState,
  SimAward,
  SimDiscussion,
  SimNote,
  SimProject,
  SimPull,
  SimStatus,
  SimUser,
  SimVersion,
} from './state.ts';
import { latestVersion } from './state.ts';

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function renderUser(user: SimUser | null): Record<string, unknown> | null {
  if (user === null) return null;
  return { id: user.id, username: user.username, name: user.username, state: 'active' };
}

export function pullUrl(pull: SimPull, web: string): string {
  return `${web}/${pull.project.fullName}/-/merge_requests/${pull.iid}`;
}

export function renderProject(project: SimProject, web: string): Record<string, unknown> {
  return {
    id: project.id,
    path_with_namespace: project.fullName,
    default_branch: project.defaultBranch,
    web_url: `${web}/${project.fullName}`,
    visibility: 'private',
  };
}

export async function renderPull(
  state: GitLabState,
  pull: SimPull,
  web: string,
): Promise<Record<string, unknown>> {
  const version = latestVersion(pull);
  const { files, isOverflow } = await filesOf(state, pull, version);
  return {
    id: pull.id,
    iid: pull.iid,
    project_id: pull.project.id,
    title: pull.title,
    description: pull.description,
    state: pull.state,
    draft: pull.draft,
    author: renderUser(pull.author),
    source_branch: pull.sourceBranch,
    target_branch: pull.targetBranch,
    source_project_id: pull.source?.id ?? null,
    target_project_id: pull.project.id,
    sha: version.head,
    diff_refs: pull.isPrepared
      ? { base_sha: version.base, head_sha: version.head, start_sha: version.start }
      : null,
    changes_count: pull.isPrepared ? `${files.length}${isOverflow ? '+' : ''}` : null,
    prepared_at: pull.isPrepared ? isoTime(pull.createdAt) : null,
    web_url: pullUrl(pull, web),
  };
}

export async function renderVersion(
  state: GitLabState,
  pull: SimPull,
  version: SimVersion,
): Promise<Record<string, unknown>> {
  const { files, isOverflow } = await filesOf(state, pull, version);
  return {
    id: version.id,
    head_commit_sha: version.head,
    base_commit_sha: version.base,
    start_commit_sha: version.start,
    created_at: isoTime(version.createdAt),
    merge_request_id: pull.id,
    state: isOverflow ? 'overflow' : files.length === 0 ? 'empty' : 'collected',
    real_size: String(files.length),
  };
}

export function renderNote(pull: SimPull, note: SimNote): Record<string, unknown> {
  return {
    id: note.id,
    type: note.type,
    body: note.body,
    author: renderUser(note.author),
    created_at: isoTime(note.createdAt),
    updated_at: isoTime(note.updatedAt),
    system: note.system,
    internal: note.internal,
    confidential: note.internal,
    noteable_type: 'MergeRequest',
    noteable_iid: pull.iid,
    resolvable: note.resolvable,
    ...(note.resolvable ? { resolved: note.resolved, resolved_by: renderUser(note.resolvedBy) } : {}),
    ...(note.position === undefined ? {} : { position: renderPosition(note.position) }),
  };
}

/** The real service spells absent numbers out as null. */
function renderPosition(position: NonNullable<SimNote['position']>): Record<string, unknown> {
  return {
    ...position,
    old_line: position.old_line ?? null,
    new_line: position.new_line ?? null,
    line_range: position.line_range ?? null,
  };
}

export function renderDiscussion(pull: SimPull, discussion: SimDiscussion): Record<string, unknown> {
  return {
    id: discussion.id,
    individual_note: discussion.individual,
    notes: discussion.notes.map((note) => renderNote(pull, note)),
  };
}

export function renderAward(award: SimAward): Record<string, unknown> {
  return { id: award.id, name: award.name, user: renderUser(award.user) };
}

export function renderStatus(status: SimStatus): Record<string, unknown> {
  return {
    id: status.id,
    sha: status.sha,
    name: status.name,
    status: status.state,
    description: status.description,
    target_url: status.targetUrl,
    author: renderUser(status.author),
  };
}

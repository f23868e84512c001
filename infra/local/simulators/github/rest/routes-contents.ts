import { posix } from 'node:path';
import type { SimulatorReply } from '../../http/exchange.ts';
import type { Route } from '../../http/router.ts';
import type { GitTreeEntry } from '../../git/tree-entries.ts';
import type { GitHubContext, RepositoryRequest } from '../context.ts';
import { repositoryRoute, requirePermission } from '../context.ts';
import { githubError, notFound } from './errors.ts';
import { tooLarge, wantsRaw, wrapBase64 } from './routes-git.ts';
import { encodePath } from './urls.ts';

const MAX_RAW_BYTES = 100 * 1024 * 1024;

type ContentType = 'file' | 'dir' | 'symlink' | 'submodule';

function contentType(entry: GitTreeEntry): ContentType {
  if (entry.type === 'tree') return 'dir';
  if (entry.type === 'commit') return 'submodule';
  return entry.mode === '120000' ? 'symlink' : 'file';
}

/** The fields that listings and single answers share. */
function renderEntry(
  entry: GitTreeEntry,
  ref: string,
  type: ContentType,
  { repository, urls }: RepositoryRequest,
): Record<string, unknown> {
  const path = encodePath(entry.path);
  const url = `${urls.repository(repository)}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const git = `${urls.repository(repository)}/git/${entry.type === 'tree' ? 'trees' : 'blobs'}/${entry.sha}`;
  const html = `${urls.web}/${repository.fullName}/blob/${encodeURIComponent(ref)}/${path}`;
  return {
    name: posix.basename(entry.path),
    path: entry.path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url,
    html_url: html,
    git_url: git,
    download_url: type === 'file' ? html.replace('/blob/', '/raw/') : null,
    type,
    _links: { self: url, git, html },
  };
}

async function fileReply(
  input: RepositoryRequest,
  entry: GitTreeEntry,
  ref: string,
  maxJson: number,
): Promise<SimulatorReply> {
  const size = entry.size ?? 0;
  if (size > MAX_RAW_BYTES) return tooLarge();
  const bytes = await input.repository.git.readBlob(entry.sha, MAX_RAW_BYTES);
  if (wantsRaw(input.request)) {
    return {
      status: 200,
      headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' },
      bytes,
    };
  }
  const inline = size <= maxJson;
  return {
    status: 200,
    json: {
      ...renderEntry(entry, ref, 'file', input),
      content: inline ? `${wrapBase64(bytes)}\n` : '',
      encoding: inline ? 'base64' : 'none',
    },
  };
}

/** Files and directories of a commit. */
export function contentsRoutes(context: GitHubContext): Route[] {
  const { limits } = context.state;
  async function reply(input: RepositoryRequest, path: string): Promise<SimulatorReply> {
    const { request, repository } = input;
    requirePermission(input.viewer, 'contents', 'read');
    const ref = request.query.get('ref') ?? repository.defaultBranch;
    const commit = await repository.git.findCommit(ref);
    if (commit === undefined) return githubError(404, `No commit found for the ref ${ref}`);
    if (path === '') return listing(input, commit, '', ref);
    const entry = await repository.git.findEntry(commit, path);
    if (entry === undefined) throw notFound();
    const type = contentType(entry);
    if (type === 'dir') return listing(input, entry.sha, `${path}/`, ref);
    if (type === 'submodule') {
      return {
        status: 200,
        json: { ...renderEntry(entry, ref, 'submodule', input), submodule_git_url: null },
      };
    }
    if (type === 'file') return fileReply(input, entry, ref, limits.maxJsonContentBytes);
    const target = (await repository.git.readBlob(entry.sha, 4_096)).toString('utf8');
    // A link to a file of the repository answers with that file.
    const followed = await repository.git.findEntry(
      commit,
      posix.normalize(posix.join(posix.dirname(path), target)),
    );
    if (followed !== undefined && contentType(followed) === 'file') {
      return fileReply(input, followed, ref, limits.maxJsonContentBytes);
    }
    return { status: 200, json: { ...renderEntry(entry, ref, 'symlink', input), target } };
  }
  async function listing(
    input: RepositoryRequest,
    tree: string,
    prefix: string,
    ref: string,
  ): Promise<SimulatorReply> {
    const entries = await input.repository.git.listTree(tree, { recursive: false, prefix });
    return {
      status: 200,
      json: entries.slice(0, limits.maxDirectoryEntries).map((entry) => {
        const type = contentType(entry);
        // Listings call submodules files, for the sake of old clients.
        return renderEntry(entry, ref, type === 'submodule' ? 'file' : type, input);
      }),
    };
  }
  return [
    repositoryRoute(context, 'GET', '/contents', (input) => reply(input, '')),
    repositoryRoute(context, 'GET', '/contents/*path', (input) =>
      reply(input, (input.request.params['path'] ?? '').replace(/\/$/, '')),
    ),
  ];
}

import type { SimulatorReply, SimulatorRequest } from '../../http/exchange.ts';
import type { Route } from '../../http/router.ts';
import type { GitTreeEntry } from '../../git/tree-entries.ts';
import type { GitHubContext, RepositoryRequest } from '../context.ts';
import { repositoryRoute, requirePermission } from '../context.ts';
import { githubError, notFound } from './errors.ts';
import { renderCommit } from './render-pull.ts';

const MAX_BLOB_BYTES = 100 * 1024 * 1024;

/** GitHub wraps Base64 after 60 characters. */
export function wrapBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{60}/g, '$&\n');
}

export function wantsRaw(request: SimulatorRequest): boolean {
  return /application\/vnd\.github(?:\.v3)?[.+]raw/.test(request.headers.accept ?? '');
}

export function tooLarge(): SimulatorReply {
  return githubError(
    403,
    'This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API.',
    [{ resource: 'Blob', field: 'data', code: 'too_large' }],
  );
}

function renderTreeEntry(entry: GitTreeEntry, { repository, urls }: RepositoryRequest): unknown {
  const url = urls.repository(repository);
  const kind = entry.type === 'tree' ? 'trees' : 'blobs';
  return {
    path: entry.path,
    mode: entry.mode,
    type: entry.type,
    sha: entry.sha,
    ...(entry.size === undefined ? {} : { size: entry.size }),
    // A submodule's commit lives elsewhere, so it has no address here.
    ...(entry.type === 'commit' ? {} : { url: `${url}/git/${kind}/${entry.sha}` }),
  };
}

/** The git database: blobs, trees, commits. */
export function gitRoutes(context: GitHubContext): Route[] {
  return [
    repositoryRoute(context, 'GET', '/git/blobs/:sha', async ({ request, viewer, repository, urls }) => {
      requirePermission(viewer, 'contents', 'read');
      const sha = request.params['sha'] ?? '';
      const info = await repository.git.objectInfo(sha);
      if (info?.type !== 'blob') throw notFound();
      if (info.size > MAX_BLOB_BYTES) return tooLarge();
      const bytes = await repository.git.readBlob(sha, MAX_BLOB_BYTES);
      if (wantsRaw(request)) {
        return { status: 200, headers: { 'content-type': 'application/vnd.github.raw+json' }, bytes };
      }
      return {
        status: 200,
        json: {
          sha,
          node_id: `B_${sha}`,
          size: bytes.length,
          url: `${urls.repository(repository)}/git/blobs/${sha}`,
          content: wrapBase64(bytes),
          encoding: 'base64',
        },
      };
    }),
    repositoryRoute(context, 'GET', '/git/trees/*treeish', async (input) => {
      const { request, viewer, repository, urls } = input;
      requirePermission(viewer, 'contents', 'read');
      const name = request.params['treeish'] ?? '';
      const info = await repository.git.objectInfo(name);
      const treeish = info?.type === 'tree' ? name : await repository.git.findCommit(name);
      if (treeish === undefined) throw notFound();
      const tree = info?.type === 'tree' ? name : (await repository.git.readCommit(treeish)).tree;
      // Any value switches recursion on, also `0` and `false`.
      const entries = await repository.git.listTree(tree, { recursive: request.query.has('recursive') });
      const limit = context.state.limits.maxTreeEntries;
      return {
        status: 200,
        json: {
          sha: tree,
          url: `${urls.repository(repository)}/git/trees/${tree}`,
          tree: entries.slice(0, limit).map((entry) => renderTreeEntry(entry, input)),
          truncated: entries.length > limit,
        },
      };
    }),
    repositoryRoute(context, 'GET', '/git/commits/:sha', async ({ request, viewer, repository, urls }) => {
      requirePermission(viewer, 'contents', 'read');
      const sha = request.params['sha'] ?? '';
      const info = await repository.git.objectInfo(sha);
      if (info?.type !== 'commit') throw notFound();
      const commit = await repository.git.readCommit(sha);
      const url = urls.repository(repository);
      return {
        status: 200,
        json: {
          sha,
          node_id: `C_${sha}`,
          url: `${url}/git/commits/${sha}`,
          html_url: `${urls.web}/${repository.fullName}/commit/${sha}`,
          author: commit.author,
          committer: commit.committer,
          tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
          message: commit.message,
          parents: commit.parents.map((parent) => ({ sha: parent, url: `${url}/git/commits/${parent}` })),
          verification: { verified: false, reason: 'unsigned', signature: null, payload: null },
        },
      };
    }),
    repositoryRoute(context, 'GET', '/commits/*ref', async ({ request, viewer, repository, urls }) => {
      requirePermission(viewer, 'contents', 'read');
      const sha = await repository.git.findCommit(request.params['ref'] ?? '');
      if (sha === undefined) return githubError(422, `No commit found for SHA: ${request.params['ref']}`);
      return { status: 200, json: renderCommit(await repository.git.readCommit(sha), repository, urls) };
    }),
  ];
}

import type { GitTreeEntry } from '../git/tree-entries.ts';
import type { Route } from '../http/router.ts';
import type { GitLabContext, ProjectCall } from './context.ts';
import { page, projectRoute } from './context.ts';
import { notFound, refuse } from './errors.ts';

const MAX_BLOB_BYTES = 256 * 1024 * 1024;

/** Files, directories, archives, blobs by hash, commits and common ancestors. */
export function contentRoutes(context: GitLabContext): Route[] {
  return [
    projectRoute(context, 'GET', '/repository/archive.tar.gz', async (call) => {
      const sha = call.request.query.get('sha') ?? call.project.defaultBranch;
      const commit = (await findCommit(call, sha)) ?? notFound('File');
      const name = call.project.fullName.split('/').at(-1) ?? '';
      const archive = call.project.git.archive(commit, 'tar.gz', `${name}-${commit}-${commit}/`);
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, stream: archive.stream };
    }),
    projectRoute(context, 'GET', '/repository/blobs/:sha/raw', async ({ project, request }) => {
      const sha = request.params['sha'] ?? '';
      const info = await project.git.objectInfo(sha);
      if (info?.type !== 'blob') return notFound('Blob');
      return {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        bytes: await project.git.readBlob(sha, MAX_BLOB_BYTES),
      };
    }),
    projectRoute(context, 'GET', '/repository/tree', async (call) => {
      const { project, request } = call;
      const path = request.query.get('path') ?? '';
      const ref = request.query.get('ref') ?? project.defaultBranch;
      const commit = (await findCommit(call, ref)) ?? notFound('invalid revision or path');
      if (path !== '') {
        const entry = await project.git.findEntry(commit, path);
        if (entry?.type !== 'tree') return notFound('invalid revision or path');
      }
      const recursive = request.query.get('recursive') === 'true';
      const treeish = path === '' ? commit : `${commit}:${path}`;
      const prefix = path === '' ? '' : `${path}/`;
      return page(request, (await project.git.listTree(treeish, { recursive, prefix })).map(renderEntry));
    }),
    projectRoute(context, 'GET', '/repository/commits/:sha', async (call) => {
      const commit = (await findCommit(call, call.request.params['sha'] ?? '')) ?? notFound('Commit');
      return { status: 200, json: { id: commit } };
    }),
    projectRoute(context, 'GET', '/repository/merge_base', async (call) => {
      const [one = '', other = ''] = call.request.query.getAll('refs[]');
      const [first, second] = await Promise.all([findCommit(call, one), findCommit(call, other)]);
      if (first === undefined || second === undefined)
        return refuse(400, `Could not find ref: ${first === undefined ? one : other}`);
      const base = await call.project.git.mergeBase(first, second).catch(() => undefined);
      return base === undefined ? notFound('Merge Base') : { status: 200, json: { id: base } };
    }),
  ];
}

function findCommit({ project }: ProjectCall, revision: string): Promise<string | undefined> {
  return project.git.findCommit(revision);
}

function renderEntry(entry: GitTreeEntry): Record<string, unknown> {
  return {
    id: entry.sha,
    name: entry.path.split('/').at(-1),
    type: entry.type,
    path: entry.path,
    mode: entry.mode,
  };
}

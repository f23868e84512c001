import type { SimulatorReply, SimulatorRequest } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import type { GitTreeEntry } from '../git/tree-entries.ts';
import type { AzureDevOpsContext } from './context.ts';
import { repositoryRoute } from './context.ts';
import { invalidArgument, refuse } from './errors.ts';
import type { SimRepository } from './state.ts';

const MAX_BLOB_BYTES = 256 * 1024 * 1024;

/** Files, directories, archives, blobs by hash, and common ancestors. */
export function contentRoutes(context: AzureDevOpsContext): Route[] {
  return [
    repositoryRoute(context, 'GET', '/items', async ({ repository, request }) => {
      const commit = await commitOf(repository, request);
      if (request.query.get('$format') === 'zip') {
        const archive = repository.git.archive(commit, 'zip', '');
        return { status: 200, headers: { 'content-type': 'application/zip' }, stream: archive.stream };
      }
      const path = request.query.get('path');
      if (path !== null) return oneItem(repository, request, commit, path);
      if (request.query.get('recursionLevel')?.toLowerCase() !== 'full')
        return invalidArgument('Only a full listing is simulated.');
      const entries = await repository.git.listTree(commit, { recursive: true });
      const root = {
        gitObjectType: 'tree',
        path: '/',
        isFolder: true,
        objectId: '0'.repeat(40),
        commitId: commit,
      };
      const value = [root, ...entries.map((entry) => renderItem(entry, commit))];
      return { status: 200, json: { count: value.length, value } };
    }),
    repositoryRoute(context, 'GET', '/blobs/:sha', async ({ repository, request }) => {
      const sha = request.params['sha'] ?? '';
      const info = await repository.git.objectInfo(sha);
      if (info?.type !== 'blob')
        return refuse(404, 'GitObjectDoesNotExistException', `TF401035: The object '${sha}' does not exist.`);
      if (request.query.get('$format')?.toLowerCase() !== 'octetstream')
        return { status: 200, json: { objectId: sha, size: info.size } };
      return {
        status: 200,
        headers: { 'content-type': 'application/octet-stream' },
        bytes: await repository.git.readBlob(sha, MAX_BLOB_BYTES),
      };
    }),
    repositoryRoute(context, 'GET', '/commits/:commit/mergebases', async ({ repository, request }) => {
      const one = await resolve(repository, request.params['commit'] ?? '');
      const other = await resolve(repository, request.query.get('otherCommitId') ?? '');
      const base = await repository.git.mergeBase(one, other).catch(() => undefined);
      return { status: 200, json: { value: base === undefined ? [] : [{ commitId: base }], count: 1 } };
    }),
  ];
}

async function commitOf(repository: SimRepository, request: SimulatorRequest): Promise<string> {
  const version = request.query.get('versionDescriptor.version');
  const type = request.query.get('versionDescriptor.versionType') ?? 'branch';
  if (version === null) return resolve(repository, repository.defaultBranch);
  if (type === 'commit' && !/^[0-9a-f]{40}$/.test(version)) return unresolvable(version);
  return resolve(repository, version);
}

async function resolve(repository: SimRepository, version: string): Promise<string> {
  return (await repository.git.findCommit(version)) ?? unresolvable(version);
}

function unresolvable(version: string): never {
  return refuse(
    404,
    'GitUnresolvableToCommitException',
    `TF401175: The version descriptor <Commit: ${version}> could not be resolved to a version in the repository.`,
  );
}

async function oneItem(
  repository: SimRepository,
  request: SimulatorRequest,
  commit: string,
  path: string,
): Promise<SimulatorReply> {
  const entry = await repository.git.findEntry(commit, path.replace(/^\//, ''));
  if (entry === undefined)
    return refuse(
      404,
      'GitItemNotFoundException',
      `TF401174: The item '${path}' could not be found in the repository '${repository.name}' at the version specified by '<Commit: ${commit}>'.`,
    );
  if (request.query.get('$format')?.toLowerCase() === 'json')
    return { status: 200, json: renderItem(entry, commit) };
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    bytes: await repository.git.readBlob(entry.sha, MAX_BLOB_BYTES),
  };
}

function renderItem(entry: GitTreeEntry, commit: string): Record<string, unknown> {
  return {
    objectId: entry.sha,
    gitObjectType: entry.type,
    commitId: commit,
    path: `/${entry.path}`,
    ...(entry.type === 'tree' ? { isFolder: true } : {}),
    ...(entry.mode === '120000' ? { isSymLink: true } : {}),
  };
}

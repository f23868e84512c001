import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import { readBytes } from '../http/read-answer.ts';
import type { SnapshotSource, TreeEntry, TreeReader } from '../ports.ts';
import type { AzureDevOpsClient, RepositorySession } from './azure-devops-client.ts';
import { isNotFound } from './azure-errors.ts';

const Item = z.object({
  path: z.string(),
  objectId: z.string(),
  gitObjectType: z.string().nullish(),
  isFolder: z.boolean().nullish(),
  isSymLink: z.boolean().nullish(),
});
type Item = z.output<typeof Item>;

const Items = z.object({ value: z.array(Item) });

const atCommit = (commit: string) => ({
  'versionDescriptor.version': commit,
  'versionDescriptor.versionType': 'commit',
});

/** Files of a commit: as a zip archive, one by one by hash, and what stands at a path. */
export function createSnapshotSource(client: AzureDevOpsClient): SnapshotSource {
  return {
    async openArchive(ref, commit, signal) {
      const session = await client.forRepository(ref);
      const query = {
        scopePath: '/',
        recursionLevel: 'full',
        $format: 'zip',
        download: true,
        zipForUnix: true,
        ...atCommit(commit),
      };
      const body = await session.stream('/items', query, {
        accept: 'application/zip',
        fetch: client.archiveFetch,
        ...(signal === undefined ? {} : { signal }),
      });
      return { body, format: 'zip' };
    },
    async readBlob(ref, sha, maxBytes) {
      return readBlob(await client.forRepository(ref), sha, maxBytes);
    },
    async findEntry(ref, commit, path) {
      return findEntry(await client.forRepository(ref), commit, path);
    },
  };
}

/** Everything below the root of a commit in one answer; Azure DevOps does not cut it. */
export function createTreeReader(client: AzureDevOpsClient): TreeReader {
  return {
    async listTree(ref, commit) {
      const session = await client.forRepository(ref);
      const query = { scopePath: '/', recursionLevel: 'full', ...atCommit(commit) };
      const { value } = await session.get('/items', query, Items);
      return { entries: value.map(toTreeEntry).filter(({ path }) => path !== ''), isComplete: true };
    },
  };
}

/** @throws AppError `permanent` blob_too_large, not_found. */
export async function readBlob(
  session: RepositorySession,
  sha: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const body = await session.stream(
    `/blobs/${encodeURIComponent(sha)}`,
    { $format: 'octetStream', resolveLfs: false },
    { accept: 'application/octet-stream' },
  );
  return readBytes(body, { maxBytes, error: () => blobTooLarge(sha, maxBytes) });
}

/** Undefined when the commit has nothing there; a commit or repository that is gone is an error. */
export async function findEntry(
  session: RepositorySession,
  commit: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const query = { path: `/${path}`, $format: 'json', includeContent: false, ...atCommit(commit) };
  try {
    return toTreeEntry(await session.get('/items', query, Item));
  } catch (error) {
    // Other things that are not found answer 404 too; the exception's name tells (TF401174).
    if (isNotFound(error) && error.details?.['typeKey'] === 'GitItemNotFoundException') return undefined;
    throw error;
  }
}

function toTreeEntry(item: Item): TreeEntry {
  return { path: item.path.replace(/^\//, ''), kind: toKind(item), sha: item.objectId };
}

function toKind(item: Item): TreeEntry['kind'] {
  if (item.gitObjectType === 'commit') return 'submodule';
  if (item.isFolder === true || item.gitObjectType === 'tree') return 'directory';
  return item.isSymLink === true ? 'link' : 'file';
}

function blobTooLarge(sha: string, maxBytes: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'blob_too_large',
    message: `A file is larger than the ${maxBytes} bytes that are read of one.`,
    details: { sha, maxBytes },
  });
}

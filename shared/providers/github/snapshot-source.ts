import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import { htmlAnswer, readBytes } from '../http/read-answer.ts';
import type { SnapshotSource, TreeEntry, TreeReader } from '../ports.ts';
import { createBoundedCache } from './bounded-cache.ts';
import type { GitHubClient, RepositorySession } from './github-client.ts';

const Tree = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string(),
      size: z.number().nullish(),
    }),
  ),
});

type RawEntry = z.output<typeof Tree>['tree'][number];

const TREE_PATH = '/repos/{owner}/{repo}/git/trees/{tree}';
const MAX_TREES = 256;

/** Files of a commit: as an archive, one by one by hash, and what stands at a path. */
export function createSnapshotSource(client: GitHubClient): SnapshotSource {
  // Trees are named by their content and never change, so one that was read can be kept.
  const trees = createBoundedCache<readonly RawEntry[]>(MAX_TREES);

  async function readTree(
    session: RepositorySession,
    tree: string,
  ): Promise<readonly RawEntry[] | undefined> {
    const key = `${session.names.id} ${tree}`;
    const known = trees.get(key);
    if (known !== undefined) return known;
    const answer = await session.get(TREE_PATH, { tree }, Tree);
    if (answer.truncated === true) return undefined;
    trees.set(key, answer.tree);
    return answer.tree;
  }

  return {
    async openArchive(ref, commit, signal) {
      const session = await client.forRepository(ref);
      const { body, contentType } = await session.stream(
        '/repos/{owner}/{repo}/tarball/{commit}',
        { commit },
        { fetch: client.archiveFetch, ...(signal === undefined ? {} : { signal }) },
      );
      if (body === null) throw noArchive(client.instance);
      if (contentType?.startsWith('text/html') !== true) return { body, format: 'tar.gz' };
      await body.cancel();
      throw htmlAnswer(client.instance);
    },

    async readBlob(ref, sha, maxBytes) {
      const session = await client.forRepository(ref);
      const { body } = await session.stream(
        '/repos/{owner}/{repo}/git/blobs/{sha}',
        { sha },
        { accept: 'application/vnd.github.raw+json' },
      );
      return readBytes(body, { maxBytes, error: () => blobTooLarge(sha, maxBytes) });
    },

    // Not the contents API: it follows links and shows submodules as files.
    async findEntry(ref, commit, path) {
      const session = await client.forRepository(ref);
      const segments = path.split('/');
      let tree = commit;
      for (const [index, segment] of segments.entries()) {
        const entries = await readTree(session, tree);
        if (entries === undefined) throw directoryTooLarge(segments.slice(0, index).join('/'));
        const entry = entries.find((candidate) => candidate.path === segment);
        if (entry === undefined) return undefined;
        if (index === segments.length - 1) return toTreeEntry(entry, path);
        if (entry.type !== 'tree') return undefined;
        tree = entry.sha;
      }
      return undefined;
    },
  };
}

/** The whole listing of a commit: at most 100,000 entries or 7 MB, after which GitHub cuts it and says so. */
export function createTreeReader(client: GitHubClient): TreeReader {
  return {
    async listTree(ref, commit) {
      const session = await client.forRepository(ref);
      const answer = await session.get(TREE_PATH, { tree: commit, recursive: 1 }, Tree);
      return {
        entries: answer.tree.map((entry) => toTreeEntry(entry, entry.path)),
        isComplete: answer.truncated !== true,
      };
    },
  };
}

function toTreeEntry(entry: RawEntry, path: string): TreeEntry {
  return {
    path,
    kind: toKind(entry),
    sha: entry.sha,
    ...(typeof entry.size === 'number' ? { size: entry.size } : {}),
  };
}

/** Modes as git writes them: 120000 is a symbolic link, 160000 (type commit) a submodule. */
function toKind(entry: RawEntry): TreeEntry['kind'] {
  if (entry.type === 'commit' || entry.mode === '160000') return 'submodule';
  if (entry.type === 'tree') return 'directory';
  return entry.mode === '120000' ? 'link' : 'file';
}

function noArchive(instance: string): AppError {
  return new AppError({
    kind: 'transient',
    code: 'archive_empty',
    message: `Instance ${instance} answered an archive without content; it will be asked again.`,
    details: { instance },
  });
}

function blobTooLarge(sha: string, maxBytes: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'blob_too_large',
    message: `A file is larger than the ${maxBytes} bytes that are read of one.`,
    details: { sha, maxBytes },
  });
}

function directoryTooLarge(directory: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'directory_too_large',
    message: `The directory ${directory === '' ? 'at the root' : directory} has more entries than GitHub lists.`,
    details: { directory },
  });
}

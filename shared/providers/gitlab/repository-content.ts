import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import { readBytes } from '../http/read-answer.ts';
import type { SnapshotSource, TreeEntry, TreeReader } from '../ports.ts';
import type { GitLabClient, ProjectSession } from './gitlab-client.ts';
import { isNotFound } from './gitlab-errors.ts';
import { PAGE_SIZE } from './http-session.ts';
import { readPull } from './pull-request-reader.ts';

const Entry = z.object({ id: z.string(), type: z.string(), path: z.string(), mode: z.string() });
const Commit = z.object({ id: z.string() });

/** Pages of a whole listing that are read; with more it is not complete. */
const MAX_TREE_PAGES = 200;

/** Files of a commit: as an archive, one by one by hash, and what stands at a path. */
export function createSnapshotSource(client: GitLabClient): SnapshotSource {
  return {
    async openArchive(ref, commit, signal) {
      const body = await withSource(client, ref, (session) =>
        session.stream(
          '/repository/archive.tar.gz',
          { sha: commit },
          { fetch: client.archiveFetch, ...(signal === undefined ? {} : { signal }) },
        ),
      );
      return { body, format: 'tar.gz' };
    },
    async readBlob(ref, sha, maxBytes) {
      const path = `/repository/blobs/${encodeURIComponent(sha)}/raw`;
      const body = await withSource(client, ref, (session) => session.stream(path, {}));
      return readBytes(body, { maxBytes, error: () => blobTooLarge(sha, maxBytes) });
    },
    async findEntry(ref, commit, path) {
      return withSource(client, ref, (session) => findEntry(session, commit, path));
    },
  };
}

export function createTreeReader(client: GitLabClient): TreeReader {
  return {
    async listTree(ref, commit) {
      return withSource(client, ref, async (session) => {
        const entries: TreeEntry[] = [];
        let pages = 0;
        for await (const page of session.pages('/repository/tree', { ref: commit, recursive: true }, Entry)) {
          entries.push(...page.map(toTreeEntry));
          pages += 1;
          if (pages >= MAX_TREE_PAGES && page.length === PAGE_SIZE) return { entries, isComplete: false };
        }
        return { entries, isComplete: true };
      });
    },
  };
}

/** Asks the target project and, for what it does not have, the fork that a merge request comes from. */
async function withSource<Answer>(
  client: GitLabClient,
  ref: PullRequestRef,
  use: (session: ProjectSession) => Promise<Answer>,
): Promise<Answer> {
  const target = await client.forProject(ref.repositoryId);
  try {
    return await use(target);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { source_project_id: source } = await readPull(target, ref);
    if (source === null || source === undefined || String(source) === ref.repositoryId) throw error;
    return use(await client.forProject(String(source)));
  }
}

/** The listing of the directory it stands in: only there links and submodules are told from files. */
async function findEntry(
  session: ProjectSession,
  commit: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const directory = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined;
  try {
    for await (const page of session.pages('/repository/tree', { ref: commit, path: directory }, Entry)) {
      const found = page.find((entry) => entry.path === path);
      if (found !== undefined) return toTreeEntry(found);
    }
    return undefined;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A commit that is gone answers like a directory that is not there.
    await session.get(`/repository/commits/${encodeURIComponent(commit)}`, {}, Commit);
    return undefined;
  }
}

function toTreeEntry({ id, path, type, mode }: z.output<typeof Entry>): TreeEntry {
  return { path, kind: kindOf(type, mode), sha: id };
}

/** Modes as git writes them: 120000 is a symbolic link, 160000 (type commit) a submodule. */
function kindOf(type: string, mode: string): TreeEntry['kind'] {
  if (type === 'commit' || mode === '160000') return 'submodule';
  if (type === 'tree') return 'directory';
  return mode === '120000' ? 'link' : 'file';
}

function blobTooLarge(sha: string, maxBytes: number): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'blob_too_large',
    message: `A file is larger than the ${maxBytes} bytes that are read of one.`,
    details: { sha, maxBytes },
  });
}

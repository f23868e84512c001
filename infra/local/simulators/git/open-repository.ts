import { stat } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import type { ArchiveFormat, GitArchive } from './archive.ts';
import { openArchive } from './archive.ts';
import type { ChangedFilesOptions, GitChangedFile } from './changed-files.ts';
import { DEFAULT_CHANGED_FILES_OPTIONS, readChangedFiles } from './changed-files.ts';
import type { GitCommit } from './commits.ts';
import { parseCommit } from './commits.ts';
import { GitError, isGitError } from './git-error.ts';
import { createGitRunner, runGit } from './git-runner.ts';
import type { HunkRange } from './hunks.ts';
import { parseHunkHeader } from './hunks.ts';
import { mergesCleanly } from './merge-check.ts';
import type { GitObjectInfo } from './object-reader.ts';
import { createObjectReader } from './object-reader.ts';
import type { GitTreeEntry } from './tree-entries.ts';
import { findTreeEntry, readTreeEntries } from './tree-entries.ts';

/** Read access to one local repository. Safe to use from many requests at once; close it when done. */
export interface GitRepository {
  readonly dir: string;
  readonly gitDir: string;
  /** Full name of the commit behind a branch, tag, hash or expression. @throws GitError ref_not_found */
  resolveCommit(revision: string): Promise<string>;
  findCommit(revision: string): Promise<string | undefined>;
  /** @throws GitError object_not_found */
  readCommit(sha: string): Promise<GitCommit>;
  /** Commits reachable from `to` and not from `from`, oldest first, at most `limit` of the oldest; and how many there are. */
  listCommits(from: string, to: string, limit: number): Promise<{ commits: GitCommit[]; total: number }>;
  /** The best common ancestor. @throws GitError no_merge_base */
  mergeBase(first: string, second: string): Promise<string>;
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  /** Changed files between two commits or trees, with patches; the last few answers are remembered. */
  changedFiles(from: string, to: string): Promise<readonly GitChangedFile[]>;
  /** Hunk positions without context between two blobs; empty when they are equal. */
  blobHunks(from: string, to: string): Promise<readonly HunkRange[]>;
  objectInfo(sha: string): Promise<GitObjectInfo | undefined>;
  /** @throws GitError object_not_found; output_too_large above `maxBytes`. */
  readBlob(sha: string, maxBytes: number): Promise<Buffer>;
  listTree(treeish: string, options: { recursive: boolean; prefix?: string }): Promise<GitTreeEntry[]>;
  findEntry(commit: string, path: string): Promise<GitTreeEntry | undefined>;
  archive(commit: string, format: ArchiveFormat, prefix: string): GitArchive;
  mergesCleanly(base: string, head: string): Promise<boolean | undefined>;
  close(): void;
}

export interface OpenRepositoryOptions {
  /** git processes at once. */
  readonly concurrency?: number;
  readonly changedFiles?: Partial<ChangedFilesOptions>;
}

/** Printable and without spaces: what a revision is made of. */
const REVISION = /^[!-~\u0080-\uffff]+$/;

const TWO_OBJECT_NAMES = /^[0-9a-f]{40,64} [0-9a-f]{40,64}$/;

async function findGitDir(dir: string): Promise<{ gitDir: string; objectsDir: string }> {
  const isDirectory = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw new GitError('not_a_repository', `${dir} is not a directory`);
  try {
    const { stdout } = await runGit(['rev-parse', '--absolute-git-dir', '--git-path', 'objects'], {
      cwd: dir,
    });
    const [gitDir = '', objects = ''] = stdout.toString('utf8').split('\n');
    return { gitDir, objectsDir: resolvePath(dir, objects) };
  } catch (error) {
    if (!isGitError(error, 'git_failed')) throw error;
    throw new GitError(
      'not_a_repository',
      error.message.includes('dubious ownership')
        ? `${dir} belongs to another user; run: git config --global --add safe.directory ${dir}`
        : `${dir} is not a git repository`,
    );
  }
}

/** Opens any local repository: a clone, a bare one, a linked work tree. @throws GitError not_a_repository */
export async function openRepository(
  directory: string,
  options: OpenRepositoryOptions = {},
): Promise<GitRepository> {
  const dir = resolvePath(directory);
  const { gitDir, objectsDir } = await findGitDir(dir);
  const git = createGitRunner(gitDir, options.concurrency ?? 4);
  const objects = createObjectReader(gitDir);
  const diffOptions: ChangedFilesOptions = { ...DEFAULT_CHANGED_FILES_OPTIONS, ...options.changedFiles };
  const mergeBases = new Map<string, string>();
  const remembered = new Map<string, Promise<readonly GitChangedFile[]>>();

  async function findCommit(revision: string): Promise<string | undefined> {
    // The suffix keeps a revision from being read as an option.
    if (!REVISION.test(revision)) return undefined;
    const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], {
      accept: [0, 1, 128],
    });
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  }
  async function resolveCommit(revision: string): Promise<string> {
    const sha = await findCommit(revision);
    if (sha === undefined)
      throw new GitError('ref_not_found', `${JSON.stringify(revision)} does not exist in ${dir}`);
    return sha;
  }
  async function readCommit(sha: string): Promise<GitCommit> {
    const object = await objects.read(sha);
    if (object?.type !== 'commit') throw new GitError('object_not_found', `${sha} is not a commit in ${dir}`);
    return parseCommit(sha, object.content);
  }

  return {
    dir,
    gitDir,
    findCommit,
    resolveCommit,
    readCommit,
    async listCommits(from, to, limit) {
      const { stdout } = await git(['rev-list', '--topo-order', '--reverse', to, `^${from}`]);
      const all = stdout
        .toString('utf8')
        .split('\n')
        .filter((sha) => sha !== '');
      return { commits: await Promise.all(all.slice(0, limit).map(readCommit)), total: all.length };
    },
    async mergeBase(first, second) {
      // Two commits never change their common ancestor; names that move are not remembered.
      const key = `${first} ${second}`;
      const known = mergeBases.get(key);
      if (known !== undefined) return known;
      const { code, stdout } = await git(['merge-base', first, second], { accept: [0, 1] });
      if (code === 1) throw new GitError('no_merge_base', `${first} and ${second} have no common ancestor`);
      const base = stdout.toString('utf8').trim().split('\n')[0] ?? '';
      if (TWO_OBJECT_NAMES.test(key)) mergeBases.set(key, base);
      return base;
    },
    async isAncestor(ancestor, descendant) {
      const { code } = await git(['merge-base', '--is-ancestor', ancestor, descendant], { accept: [0, 1] });
      return code === 0;
    },
    changedFiles(from, to) {
      const key = `${from} ${to}`;
      let files = remembered.get(key);
      if (files === undefined) {
        files = readChangedFiles(git, from, to, diffOptions);
        files.catch(() => remembered.delete(key));
        remembered.set(key, files);
        const oldest = remembered.keys().next().value;
        if (remembered.size > 8 && oldest !== undefined) remembered.delete(oldest);
      }
      return files;
    },
    async blobHunks(from, to) {
      if (from === to) return [];
      const { stdout } = await git([
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '-U0',
        '--diff-algorithm=myers',
        from,
        to,
      ]);
      const rows = stdout.toString('latin1').split('\n');
      const hunks: HunkRange[] = [];
      for (let index = 0; index < rows.length; index += 1) {
        const header = parseHunkHeader(rows[index] ?? '');
        if (header === undefined) continue;
        hunks.push(header);
        index += header.oldCount + header.newCount;
      }
      return hunks;
    },
    objectInfo: (sha) => objects.info(sha),
    async readBlob(sha, maxBytes) {
      const info = await objects.info(sha);
      if (info?.type !== 'blob') throw new GitError('object_not_found', `${sha} is not a blob in ${dir}`);
      if (info.size > maxBytes) {
        throw new GitError('output_too_large', `blob ${sha} has ${info.size} bytes, more than ${maxBytes}`);
      }
      const object = await objects.read(sha);
      if (object === undefined) throw new GitError('object_not_found', `${sha} is not in ${dir}`);
      return object.content;
    },
    listTree: (treeish, treeOptions) => readTreeEntries(git, treeish, treeOptions),
    findEntry: (commit, path) => findTreeEntry(git, commit, path),
    archive: (commit, format, prefix) => openArchive(gitDir, commit, format, prefix),
    mergesCleanly: (base, head) => mergesCleanly(git, objectsDir, base, head),
    close: () => objects.close(),
  };
}

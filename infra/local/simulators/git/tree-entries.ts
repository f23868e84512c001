import type { GitRunner } from './git-runner.ts';

export interface GitTreeEntry {
  /** Relative to the repository's root. */
  readonly path: string;
  /** Six octal digits, e.g. `100644`, `040000`, `160000`. */
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly sha: string;
  /** Bytes, for blobs. */
  readonly size?: number;
}

function parseEntries(output: Buffer, prefix: string): GitTreeEntry[] {
  return output
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const tab = record.indexOf('\t');
      const [mode = '', type = '', sha = '', size = '-'] = record.slice(0, tab).split(/ +/);
      return {
        path: `${prefix}${record.slice(tab + 1)}`,
        mode,
        type: type === 'tree' || type === 'commit' ? type : 'blob',
        sha,
        ...(size === '-' ? {} : { size: Number(size) }),
      };
    });
}

/** Entries of a tree or of the tree of a commit; with `recursive` every file, submodule AND directory below it. */
export async function readTreeEntries(
  git: GitRunner,
  treeish: string,
  options: { readonly recursive: boolean; readonly prefix?: string },
): Promise<GitTreeEntry[]> {
  const flags = options.recursive ? ['-r', '-t'] : [];
  const { stdout } = await git(['ls-tree', '-z', '-l', '--full-tree', ...flags, treeish]);
  return parseEntries(stdout, options.prefix ?? '');
}

/** What stands at `path` in a commit; undefined when nothing does. */
export async function findTreeEntry(
  git: GitRunner,
  commit: string,
  path: string,
): Promise<GitTreeEntry | undefined> {
  const { stdout } = await git(['ls-tree', '-z', '-l', '--full-tree', commit, '--', path]);
  return parseEntries(stdout, '').find((entry) => entry.path === path);
}

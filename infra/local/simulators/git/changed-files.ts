import type { GitRunner } from './git-runner.ts';
import type { FilePatch, PatchLimits } from './patch-splitter.ts';
import { createPatchSplitter } from './patch-splitter.ts';

export type GitChange = 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'type-changed';

/** One file that differs between two trees. */
export interface GitChangedFile {
  /** Path in the new tree; in the old tree for a removed file. */
  readonly path: string;
  /** Path in the old tree of a renamed or copied file. */
  readonly previousPath?: string;
  readonly change: GitChange;
  /** Percent, for renames and copies. */
  readonly similarity?: number;
  /** Octal, e.g. `100644`; `000000` on the side where the file does not exist. */
  readonly oldMode: string;
  readonly newMode: string;
  /** Blob names; zeros on the side where the file does not exist. */
  readonly oldSha: string;
  readonly newSha: string;
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
  /** Hunks only, 3 lines of context, as git prints them; absent when there are none or they are over a limit. */
  readonly patch?: string;
  /** True when hunks exist but are over a limit. */
  readonly isPatchTooLarge: boolean;
}

export interface ChangedFilesOptions extends PatchLimits {
  /** Also look for copies (`-C`); off, a copy is an added file, as on GitHub. */
  readonly detectCopies: boolean;
}

export const DEFAULT_CHANGED_FILES_OPTIONS: ChangedFilesOptions = {
  maxBytes: 500_000,
  maxLines: 20_000,
  maxTotalBytes: 64 * 1024 * 1024,
  detectCopies: false,
};

const CHANGES: Readonly<Record<string, GitChange>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

type RawEntry = Omit<GitChangedFile, 'additions' | 'deletions' | 'isBinary' | 'patch' | 'isPatchTooLarge'>;

/** Parses `--raw -z` records; stops at the first field that starts none and returns the rest. */
function parseRaw(fields: readonly string[]): { entries: RawEntry[]; rest: readonly string[] } {
  const entries: RawEntry[] = [];
  let index = 0;
  for (;;) {
    const record = fields[index];
    if (record?.startsWith(':') !== true) break;
    const [oldMode = '', newMode = '', oldSha = '', newSha = '', status = ''] = record.slice(1).split(' ');
    const change = CHANGES[status.charAt(0)] ?? 'modified';
    const hasTwoPaths = change === 'renamed' || change === 'copied';
    const first = fields[index + 1] ?? '';
    const base = { change, oldMode, newMode, oldSha, newSha };
    entries.push(
      hasTwoPaths
        ? {
            ...base,
            path: fields[index + 2] ?? '',
            previousPath: first,
            similarity: Number(status.slice(1)),
          }
        : { ...base, path: first },
    );
    index += hasTwoPaths ? 3 : 2;
  }
  return { entries, rest: fields.slice(index) };
}

interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
}

/** Parses `--numstat -z` records, which come in the order of the raw ones; `-` counts mean binary. */
function parseNumstat(fields: readonly string[]): LineCounts[] {
  const counts: LineCounts[] = [];
  let index = 0;
  while (index < fields.length) {
    const [additions = '', deletions = '', path = ''] = (fields[index] ?? '').split('\t');
    if (deletions === '') break;
    const isBinary = additions === '-';
    counts.push({
      additions: isBinary ? 0 : Number(additions),
      deletions: isBinary ? 0 : Number(deletions),
      isBinary,
    });
    // A rename leaves the path field empty and appends both paths as fields of their own.
    index += path === '' ? 3 : 1;
  }
  return counts;
}

/** Changed files from tree `from` to tree `to` (commits or trees), in git's order. */
export async function readChangedFiles(
  git: GitRunner,
  from: string,
  to: string,
  options: ChangedFilesOptions,
): Promise<GitChangedFile[]> {
  const detect = options.detectCopies ? ['-M50%', '-C50%'] : ['-M50%'];
  const common = [
    'diff-tree',
    '-r',
    '--no-commit-id',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    ...detect,
  ];
  const listing = await git([...common, '--raw', '--numstat', '--no-abbrev', '-z', from, to]);
  const { entries, rest } = parseRaw(listing.stdout.toString('utf8').split('\0'));
  const counts = parseNumstat(rest);

  const patches: FilePatch[] = [];
  const splitter = createPatchSplitter(options, (file) => patches.push(file));
  await git(
    [
      ...common,
      '-p',
      '-U3',
      '--inter-hunk-context=0',
      '--diff-algorithm=myers',
      '--indent-heuristic',
      '--submodule=short',
      '--full-index',
      from,
      to,
    ],
    { onData: (chunk) => splitter.write(chunk) },
  );
  splitter.end();

  let next = 0;
  return entries.map((entry, index) => {
    const count = counts[index] ?? { additions: 0, deletions: 0, isBinary: false };
    const file = patches[next];
    // git prints a type change as a deletion followed by a creation: two sections, no patch a comment could hold on to.
    next += entry.change === 'type-changed' ? 2 : 1;
    const patch = entry.change === 'type-changed' ? undefined : file?.patch;
    return {
      ...entry,
      ...count,
      isBinary: count.isBinary || file?.isBinary === true,
      ...(patch === undefined ? {} : { patch }),
      isPatchTooLarge: file?.tooLarge === true,
    };
  });
}

import type { FileDiff } from './file-diff.ts';
import { readQuotedPath } from './read-quoted-path.ts';

const SUBMODULE_MODE = '160000';
const NO_FILE = '/dev/null';

interface HeaderLines {
  readonly gitLine: string;
  /** First value of each extended header, by its words, e.g. `rename from`. */
  readonly values: ReadonlyMap<string, string>;
  readonly isBinary: boolean;
}

const VALUE_LINES = [
  'rename from',
  'rename to',
  'copy from',
  'copy to',
  'old mode',
  'new mode',
  'new file mode',
  'deleted file mode',
  'index',
  '---',
  '+++',
];

/**
 * Reads the lines from `diff --git` up to the first hunk: https://git-scm.com/docs/diff-format. Paths come from the
 * rename or copy lines, else from `---`/`+++`, else from the first line, where both names are then equal; so a
 * path with spaces or ` b/` inside is never guessed.
 */
export function readGitHeader(header: string): Omit<FileDiff, 'hunks'> {
  const lines = readLines(header);
  const { values } = lines;
  const same = pathOfBothSides(lines.gitLine);
  const added = values.has('new file mode') || values.get('---') === NO_FILE;
  const deleted = values.has('deleted file mode') || values.get('+++') === NO_FILE;
  const oldPath = added ? undefined : oldPathOf(values, same);
  const newPath = deleted ? undefined : newPathOf(values, same);
  const indexMode = values.get('index')?.split(' ')[1];
  const oldMode =
    values.get('deleted file mode') ?? values.get('old mode') ?? (added ? undefined : indexMode);
  const newMode = values.get('new file mode') ?? values.get('new mode') ?? (deleted ? undefined : indexMode);
  return {
    ...(oldPath === undefined ? {} : { oldPath }),
    ...(newPath === undefined ? {} : { newPath }),
    change: changeOf(values, added, deleted),
    ...(oldMode === undefined ? {} : { oldMode }),
    ...(newMode === undefined ? {} : { newMode }),
    isBinary: lines.isBinary,
    isSubmodule: oldMode === SUBMODULE_MODE || newMode === SUBMODULE_MODE,
  };
}

function readLines(header: string): HeaderLines {
  const [gitLine = '', ...rest] = header.split('\n');
  const values = new Map<string, string>();
  let isBinary = false;
  for (const line of rest) {
    if (line.startsWith('Binary files ') || line === 'GIT binary patch') isBinary = true;
    const name = VALUE_LINES.find((words) => line.startsWith(`${words} `));
    if (name !== undefined && !values.has(name)) values.set(name, line.slice(name.length + 1));
  }
  return { gitLine: gitLine.slice('diff --git '.length), values, isBinary };
}

function changeOf(values: HeaderLines['values'], added: boolean, deleted: boolean): FileDiff['change'] {
  if (values.has('rename to')) return 'renamed';
  if (values.has('copy to')) return 'copied';
  if (added) return 'added';
  return deleted ? 'deleted' : 'modified';
}

function oldPathOf(values: HeaderLines['values'], same: string | undefined): string | undefined {
  const bare = values.get('rename from') ?? values.get('copy from');
  return bare === undefined ? (prefixedPath(values.get('---'), 'a/') ?? same) : unquote(bare);
}

function newPathOf(values: HeaderLines['values'], same: string | undefined): string | undefined {
  const bare = values.get('rename to') ?? values.get('copy to');
  return bare === undefined ? (prefixedPath(values.get('+++'), 'b/') ?? same) : unquote(bare);
}

// Git ends the line with a tab when the path has white space, so that trailing spaces survive.
function prefixedPath(value: string | undefined, prefix: string): string | undefined {
  if (value === undefined || value === NO_FILE) return undefined;
  return stripPrefix(unquote(value.endsWith('\t') ? value.slice(0, -1) : value), prefix);
}

function unquote(value: string): string {
  return readQuotedPath(value)?.path ?? value;
}

function stripPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** `a/P b/P` with one P; undefined when the names differ, which git then states on lines of their own. */
function pathOfBothSides(gitLine: string): string | undefined {
  const quoted = readQuotedPath(gitLine);
  if (quoted !== undefined) return stripPrefix(quoted.path, 'a/');
  const path = gitLine.slice(2, (gitLine.length - 1) / 2);
  return gitLine === `a/${path} b/${path}` ? path : undefined;
}

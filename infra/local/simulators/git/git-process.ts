import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { GitError } from './git-error.ts';

/**
 * Settings that make git answer the same in every environment. A person's diff tools, text converters, line-ending
 * and attribute settings must not reach what a simulator serves: the provider does not have them.
 */
const FIXED_SETTINGS: readonly string[] = [
  'core.quotePath=false',
  'core.autocrlf=false',
  'core.eol=lf',
  'core.attributesFile=/dev/null',
  'core.fsmonitor=false',
  'diff.suppressBlankEmpty=false',
  'diff.ignoreSubmodules=none',
  'diff.renameLimit=3000',
  'tar.umask=0002',
].flatMap((setting) => ['-c', setting]);

/** Variables that would silently point git at another repository, as inside a hook. */
const REPOSITORY_VARIABLES: readonly string[] = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_ATTR_SOURCE',
];

/** The environment of every git process, over the caller's own. */
function gitEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const name of REPOSITORY_VARIABLES) delete environment[name];
  return {
    ...environment,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    ...extra,
  };
}

export interface GitProcessOptions {
  /** Absolute path of the git directory; absent only while it is being found. */
  readonly gitDir?: string;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts git without a shell. The caller owns the process and reads all three streams. */
export function startGit(
  args: readonly string[],
  options: GitProcessOptions = {},
): ChildProcessWithoutNullStreams {
  const { gitDir } = options;
  // The git directory poses as the working tree, so that no checkout lends its attributes to a diff.
  const where =
    gitDir === undefined ? [] : [`--git-dir=${gitDir}`, `--work-tree=${gitDir}`, ...FIXED_SETTINGS];
  return spawn('git', ['--no-pager', ...where, ...args], {
    cwd: options.cwd ?? gitDir,
    env: gitEnvironment(options.environment),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/** Translates a failed start, e.g. a machine without git or a directory that is not there. */
export function startFailure(error: unknown, cwd: string | undefined): GitError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOENT') return new GitError('git_failed', `git could not be started: ${String(error)}`);
  // spawn says ENOENT both for a missing program and for a missing working directory.
  return new GitError(
    'git_not_installed',
    `git could not be started${cwd === undefined ? '' : ` in ${cwd}`}: install git and put it on PATH`,
  );
}

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real git repository in a temporary directory, the same commits for the same calls on every machine. */
export interface TestRepository {
  /** Absolute path of the working tree. */
  readonly directory: string;
  /** Writes a file (and its folders) below `directory`; strings as UTF-8, bytes as they are. */
  write(path: string, content: string | Uint8Array): void;
  /** Removes a file from the working tree. */
  remove(path: string): void;
  /** Stages everything and commits, also when nothing changed. Returns the commit hash. */
  commit(message?: string): string;
  /** Runs git in the repository and returns its standard output as UTF-8. @throws Error with git's own words. */
  git(...args: string[]): string;
  /** As `git`, but the raw bytes of the output. */
  gitBytes(...args: string[]): Uint8Array;
  /** Deletes the directory; the repository is unusable afterwards. */
  dispose(): void;
}

const FIRST_COMMIT_SECONDS = 1_767_225_600;
const MAX_OUTPUT_BYTES = 1_073_741_824;

const REPOSITORY_CONFIG = `[core]
\tautocrlf = false
\thooksPath = ${devNull}
[commit]
\tgpgSign = false
[gc]
\tauto = 0
[diff]
\trenames = true
`;

// Settings of the machine or of a surrounding git command (a hook, a CI job) must not reach a test.
function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada Author',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada Author',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  };
}

/** Makes an empty repository on branch `main`. Commits are dated one minute apart from 2026-01-01T00:00:00Z. */
export function createRepository(): TestRepository {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-git-'));
  const env = cleanEnvironment(directory);
  let commits = 0;

  function gitBytes(...args: string[]): Buffer {
    const date = `${FIRST_COMMIT_SECONDS + commits * 60} +0000`;
    return execFileSync('git', args, {
      cwd: directory,
      env: { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      maxBuffer: MAX_OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
  function git(...args: string[]): string {
    return gitBytes(...args).toString('utf8');
  }

  git('init', '--quiet', '--initial-branch=main');
  // Written by hand: five more processes for every repository would be most of a test's time.
  appendFileSync(join(directory, '.git', 'config'), REPOSITORY_CONFIG);

  return {
    directory,
    git,
    gitBytes,
    write(path, content) {
      const target = join(directory, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    },
    remove(path) {
      rmSync(join(directory, path));
    },
    commit(message = 'Change') {
      git('add', '--all', '--force');
      git('commit', '--quiet', '--allow-empty', '-m', message);
      commits += 1;
      return git('rev-parse', 'HEAD').trim();
    },
    dispose() {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

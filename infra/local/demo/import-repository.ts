import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Content of a path; null removes it. Strings are UTF-8. */
export type TreeChange = ReadonlyMap<string, string | Uint8Array | null>;

export interface PlannedCommit {
  /** Branch that this commit becomes the tip of. */
  readonly branch: string;
  /** Branch it is made on top of; absent for the first commit. */
  readonly onto?: string;
  readonly message: string;
  readonly changes: TreeChange;
}

export interface BuiltRepository {
  readonly dir: string;
  /** Deletes the directory. */
  dispose(): Promise<void>;
}

const FIRST_COMMIT_SECONDS = 1_767_225_600;
const AUTHOR = 'Sam Sample <sam@example.com>';

async function git(dir: string, args: readonly string[], input?: Uint8Array): Promise<void> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const child = spawn('git', args, {
    cwd: dir,
    env: {
      ...Object.fromEntries(inherited),
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      LC_ALL: 'C',
    },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`git ${args[0] ?? ''} failed (exit ${code}): ${stderr.slice(0, 500)}`);
}

/** One commit as `git fast-import` reads it. */
function importCommands(commit: PlannedCommit, index: number, all: readonly PlannedCommit[]): Uint8Array[] {
  // The newest earlier commit of the branch; marks count from 1.
  const parent = all.slice(0, index).findLastIndex((earlier) => earlier.branch === commit.onto) + 1;
  const date = `${FIRST_COMMIT_SECONDS + index * 3_600} +0000`;
  const message = Buffer.from(`${commit.message}\n`);
  const parts: Uint8Array[] = [
    Buffer.from(
      `commit refs/heads/${commit.branch}\nmark :${index + 1}\nauthor ${AUTHOR} ${date}\ncommitter ${AUTHOR} ${date}\ndata ${message.length}\n`,
    ),
    message,
    Buffer.from(parent === 0 ? '' : `from :${parent}\n`),
  ];
  for (const [path, content] of commit.changes) {
    if (content === null) {
      parts.push(Buffer.from(`D ${path}\n`));
      continue;
    }
    const bytes = Buffer.from(content);
    parts.push(Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n'));
  }
  return parts;
}

/**
 * Makes a repository in a temporary directory out of planned commits, all in one git process. Dates and authors
 * are fixed, so that the same plan gives the same commit hashes everywhere. Paths must not hold line feeds or
 * begin with a quotation mark.
 * @param checkout Branch to put into the working tree; absent: the working tree stays empty.
 */
export async function importRepository(
  commits: readonly PlannedCommit[],
  checkout?: string,
): Promise<BuiltRepository> {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-sample-'));
  const dispose = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await git(dir, ['init', '--quiet', '--initial-branch=main']);
    await git(dir, ['config', 'core.autocrlf', 'false']);
    await git(dir, ['fast-import', '--quiet'], Buffer.concat(commits.flatMap(importCommands)));
    if (checkout !== undefined) await git(dir, ['checkout', '--quiet', '--force', checkout]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { dir, dispose };
}

import { GitError } from './git-error.ts';
import type { GitProcessOptions } from './git-process.ts';
import { startFailure, startGit } from './git-process.ts';

export interface GitRunOptions {
  /** Bytes written to standard input. */
  readonly input?: string | Uint8Array;
  /** Bytes of standard output kept in memory; more is `output_too_large`. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Exit codes that are an answer and not a failure. Default: 0. */
  readonly accept?: readonly number[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Receives standard output piece by piece instead of keeping it; `stdout` is then empty. */
  readonly onData?: (chunk: Buffer) => void;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export type GitRunner = (args: readonly string[], options?: GitRunOptions) => Promise<GitResult>;

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const STDERR_KEPT = 4_096;

/** Lets `slots` tasks run at once; the others wait in order. */
export function createSlots(slots: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = slots;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Runs one git command to its end. @throws GitError with what git said, in one line. */
export function runGit(
  args: readonly string[],
  where: GitProcessOptions,
  options: GitRunOptions = {},
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = startGit(args, {
      ...where,
      ...(options.environment === undefined ? {} : { environment: options.environment }),
    });
    const chunks: Buffer[] = [];
    const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    let bytes = 0;
    let stderr = '';
    let failure: unknown;
    const fail = (error: unknown): void => {
      failure ??= error;
      child.kill('SIGKILL');
    };
    child.stdout.on('data', (chunk: Buffer) => {
      if (options.onData !== undefined) {
        try {
          options.onData(chunk);
        } catch (error) {
          fail(error);
        }
        return;
      }
      bytes += chunk.length;
      if (bytes > maxBytes) {
        fail(new GitError('output_too_large', `git ${args[0] ?? ''} printed more than ${maxBytes} bytes`));
      } else {
        chunks.push(chunk);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < STDERR_KEPT) stderr += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      failure ??= startFailure(error, where.cwd ?? where.gitDir);
      reject(failure);
    });
    // A command that ends before reading its input closes the pipe; its exit code tells what happened.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
    child.on('close', (code) => {
      if (failure !== undefined) {
        reject(failure);
      } else if (code !== null && (options.accept ?? [0]).includes(code)) {
        resolve({ code, stdout: Buffer.concat(chunks), stderr });
      } else {
        reject(
          new GitError('git_failed', `git ${args[0] ?? ''} failed (exit ${code}): ${stderr.slice(0, 400)}`),
        );
      }
    });
  });
}

/** A runner bound to one git directory that starts at most `concurrency` processes at once. */
export function createGitRunner(gitDir: string, concurrency: number): GitRunner {
  const inSlot = createSlots(concurrency);
  return (args, options) => inSlot(() => runGit(args, { gitDir }, options));
}

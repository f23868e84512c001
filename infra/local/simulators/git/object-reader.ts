import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import { GitError } from './git-error.ts';
import { startFailure, startGit } from './git-process.ts';

const OBJECT_TYPES = ['blob', 'tree', 'commit', 'tag'] as const;
export type GitObjectType = (typeof OBJECT_TYPES)[number];

export interface GitObjectInfo {
  readonly sha: string;
  readonly type: GitObjectType;
  /** Bytes. */
  readonly size: number;
}

export interface GitObject extends GitObjectInfo {
  readonly content: Buffer;
}

/** Reads objects through two long-running `git cat-file` processes; requests are answered in order. */
export interface ObjectReader {
  /** What a full object name is; undefined when the repository does not have it. */
  info(sha: string): Promise<GitObjectInfo | undefined>;
  /** The whole object; undefined when the repository does not have it. */
  read(sha: string): Promise<GitObject | undefined>;
  close(): void;
}

interface Waiting {
  resolve(answer: GitObject | undefined): void;
  reject(error: unknown): void;
}

/** Full object names only: cat-file would also resolve `HEAD:secret`, and a line feed would be a second request. */
const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** One `git cat-file` process in a batch mode: a queue of requests, a byte parser, restarted after a failure. */
function createBatch(gitDir: string, mode: '--batch' | '--batch-check') {
  let child: ChildProcessWithoutNullStreams | undefined;
  let queue: Waiting[] = [];
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let header: GitObjectInfo | undefined;

  const setAlive = (alive: boolean): void => {
    // An idle reader must not keep a finished command alive.
    if (alive) child?.ref();
    else child?.unref();
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) {
      if (!(stream instanceof Socket)) continue;
      if (alive) stream.ref();
      else stream.unref();
    }
  };
  const answer = (object: GitObject | undefined): void => {
    queue.shift()?.resolve(object);
    if (queue.length === 0) setAlive(false);
  };
  const failAll = (error: unknown): void => {
    const failed = queue;
    queue = [];
    pending = [];
    pendingBytes = 0;
    header = undefined;
    child = undefined;
    for (const waiting of failed) waiting.reject(error);
  };
  const joinPending = (): Buffer => {
    const [only, ...others] = pending;
    return only !== undefined && others.length === 0 ? only : Buffer.concat(pending);
  };
  const take = (bytes: number): Buffer => {
    const all = joinPending();
    pending = all.length === bytes ? [] : [all.subarray(bytes)];
    pendingBytes -= bytes;
    return all.subarray(0, bytes);
  };
  const takeLine = (): string | undefined => {
    const all = joinPending();
    pending = [all];
    const end = all.indexOf(0x0a);
    return end < 0
      ? undefined
      : take(end + 1)
          .toString('utf8')
          .trimEnd();
  };
  const parse = (): void => {
    while (queue.length > 0) {
      if (header === undefined) {
        if (pendingBytes === 0) return;
        const line = takeLine();
        if (line === undefined) return;
        const [sha = '', typeName = '', size = ''] = line.split(' ');
        const type = OBJECT_TYPES.find((known) => known === typeName);
        if (type === undefined) {
          answer(undefined);
          continue;
        }
        header = { sha, type, size: Number(size) };
      }
      if (mode === '--batch-check') {
        answer({ ...header, content: Buffer.alloc(0) });
      } else {
        if (pendingBytes < header.size + 1) return;
        const content = Buffer.from(take(header.size + 1).subarray(0, header.size));
        answer({ ...header, content });
      }
      header = undefined;
    }
  };
  const start = (): ChildProcessWithoutNullStreams => {
    const started = startGit(['cat-file', mode], { gitDir });
    started.stdout.on('data', (chunk: Buffer) => {
      pending.push(chunk);
      pendingBytes += chunk.length;
      parse();
    });
    started.stderr.resume();
    started.stdin.on('error', () => undefined);
    started.on('error', (error) => failAll(startFailure(error, gitDir)));
    started.on('close', () => {
      if (child === started) failAll(new GitError('git_failed', 'git cat-file ended early'));
    });
    return started;
  };

  return {
    request(sha: string): Promise<GitObject | undefined> {
      if (!OBJECT_NAME.test(sha)) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        child ??= start();
        queue.push({ resolve, reject });
        setAlive(true);
        child.stdin.write(`${sha}\n`);
      });
    },
    close(): void {
      const running = child;
      failAll(new GitError('git_failed', 'the repository was closed'));
      running?.stdin.end();
      running?.kill();
    },
  };
}

export function createObjectReader(gitDir: string): ObjectReader {
  const contents = createBatch(gitDir, '--batch');
  const checks = createBatch(gitDir, '--batch-check');
  return {
    async info(sha) {
      const found = await checks.request(sha);
      return found === undefined ? undefined : { sha: found.sha, type: found.type, size: found.size };
    },
    read: (sha) => contents.request(sha),
    close() {
      contents.close();
      checks.close();
    },
  };
}

import type { Readable } from 'node:stream';
import { startGit } from './git-process.ts';

export interface GitArchive {
  readonly stream: Readable;
  /** Resolves with the exit code once git has ended; a reader that stops early should call `stop`. */
  readonly ended: Promise<number | null>;
  stop(): void;
}

export type ArchiveFormat = 'tar.gz' | 'zip';

/**
 * `git archive` of one commit, streamed. The attributes of that very commit rule (export-ignore, export-subst,
 * eol and text conversion), as on the providers.
 * @param prefix Directory that all entries are put under, e.g. `owner-name-1234567/`.
 */
export function openArchive(
  gitDir: string,
  commit: string,
  format: ArchiveFormat,
  prefix: string,
): GitArchive {
  const child = startGit(['archive', `--format=${format}`, `--prefix=${prefix}`, commit], { gitDir });
  child.stdin.end();
  child.stderr.resume();
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code));
  });
  return { stream: child.stdout, ended, stop: () => void child.kill('SIGKILL') };
}

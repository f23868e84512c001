import type { Readable } from 'node:stream';
import { startGit } from './git-process.ts';

export interface GitArchive {
  readonly stream: Readable;
  /** For a reader that stops early. */
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
  // A git that cannot start leaves an empty stream, which no reader takes for an archive.
  child.on('error', () => child.stdout.destroy());
  return { stream: child.stdout, stop: () => void child.kill('SIGKILL') };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '../../run/run-tool.ts';

/** Paths that git tracks or would track, relative to the top folder: ignored files and dependencies are left out. */
export async function trackedFiles(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(
    'git',
    // The folder may belong to another user, as in a container; nothing of it is run.
    ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: PROJECT_ROOT, maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.split('\0').filter((path) => path !== '');
}

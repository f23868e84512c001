import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitRunner } from './git-runner.ts';

/**
 * True when `head` merges into `base` without conflicts; undefined when this git cannot tell (before 2.38).
 * The trial merge writes its objects into a directory of its own, so that the repository stays untouched.
 */
export async function mergesCleanly(
  git: GitRunner,
  objectsDir: string,
  base: string,
  head: string,
): Promise<boolean | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'trial-merge-'));
  try {
    const { code } = await git(['merge-tree', '--write-tree', '--no-messages', base, head], {
      accept: [0, 1, 128, 129],
      environment: { GIT_OBJECT_DIRECTORY: scratch, GIT_ALTERNATE_OBJECT_DIRECTORIES: objectsDir },
    });
    return code === 0 ? true : code === 1 ? false : undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** First release of Node 22 that runs TypeScript files without a flag. */
const OLDEST = [22, 18];

/**
 * The project's Node from node_modules, or the running one where it is new enough.
 * Each candidate is asked for its version: a copied node_modules may hold a binary of another platform.
 */
export function findNode(root) {
  const candidates = [
    join(root, 'node_modules', 'node', 'bin', 'node'),
    join(root, 'node_modules', '.bin', 'node'),
    process.execPath,
  ];
  const found = candidates.find((candidate) => existsSync(candidate) && runsTypeScript(candidate));
  if (found === undefined) {
    throw new Error(
      `no Node ${OLDEST.join('.')} or newer: node_modules holds none (were install scripts switched off?) ` +
        `and this is ${process.version}; install Node 24, or delete node_modules and run the command again`,
    );
  }
  return found;
}

function runsTypeScript(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  const version = /^v(\d+)\.(\d+)\./.exec(stdout ?? '');
  if (status !== 0 || version === null) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

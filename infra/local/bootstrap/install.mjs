import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withInstallLock } from './install-lock.mjs';

const STAMP = '.gatehouse-lock-hash';

/**
 * Makes node_modules what package-lock.json says. Does nothing when it already is, so it costs a file read.
 * `run(command, args, options)` resolves to {exitCode, output}; `report(line)` shows progress.
 */
export async function installIfNeeded(root, run, report) {
  if (isInstalled(root)) return;
  await withInstallLock(root, report, async () => {
    if (isInstalled(root)) return;
    report('gatehouse: installing dependencies, this can take a minute or two ...');
    const startedAt = Date.now();
    await install(root, run, report);
    writeFileSync(join(root, 'node_modules', STAMP), lockHash(root));
    report(`gatehouse: dependencies installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
  });
}

async function install(root, run, report) {
  const result = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=warn'], {
    cwd: root,
    env: { ...process.env, PATH: pathWithoutProject(root) },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  }).catch((error) => ({ exitCode: 127, output: error.message }));
  if (result.exitCode === 0) return;
  report(result.output.trimEnd());
  throw new Error(
    `npm ci failed (exit code ${result.exitCode}, its output is above); check that the package registry ` +
      'can be reached, then run the same command again',
  );
}

/** npm must not run on a Node that it is about to delete together with node_modules. */
function pathWithoutProject(root) {
  const ours = join(root, 'node_modules');
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(ours))
    .join(delimiter);
}

function isInstalled(root) {
  const stamp = join(root, 'node_modules', STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash(root)) return true;
  return holdsEveryPackage(root);
}

function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/**
 * After a plain `npm install` there is no stamp, but npm leaves its own list, written last: equal versions
 * everywhere mean that reinstalling would change nothing. Optional packages may be absent on this platform.
 */
function holdsEveryPackage(root) {
  const listing = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(listing)) return false;
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(listing);
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || (entry.optional === true && present[path] === undefined)) continue;
    if (present[path]?.version !== entry.version) return false;
  }
  return Object.keys(present).every((path) => wanted[path] !== undefined);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

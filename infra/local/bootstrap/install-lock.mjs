import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;
const WAIT_LIMIT_MS = 15 * 60_000;

/**
 * Runs `action` while no other process of this machine installs into the same clone.
 * The lock is a directory that appears complete, by rename, with its owner inside; it lives outside
 * node_modules, which an install deletes.
 */
export async function withInstallLock(root, report, action) {
  const home = join(root, '.local');
  const lock = join(home, 'install.lock');
  mkdirSync(home, { recursive: true });
  const deadline = Date.now() + WAIT_LIMIT_MS;
  for (let waited = false; !takeLock(home, lock); waited = true) {
    const owner = readOwner(lock);
    if (owner !== undefined && !isAlive(owner.pid) && removeAbandoned(home, lock, owner)) continue;
    if (!waited) report('gatehouse: another command is installing dependencies, waiting for it ...');
    if (Date.now() > deadline) throw new Error(`gave up waiting for another install; remove ${lock}`);
    await delay(POLL_MS);
  }
  try {
    await action();
  } finally {
    removeLock(home, lock);
  }
}

function takeLock(home, lock) {
  const token = randomBytes(8).toString('hex');
  const prepared = join(home, `install.${token}`);
  mkdirSync(prepared);
  writeFileSync(join(prepared, 'owner.json'), JSON.stringify({ pid: process.pid, token }));
  try {
    renameSync(prepared, lock);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) return false;
    throw error;
  }
}

/** Only one process may remove a given abandoned lock: the second could remove the lock that replaced it. */
function removeAbandoned(home, lock, owner) {
  const claim = join(home, `abandoned.${owner.token}`);
  try {
    mkdirSync(claim);
  } catch {
    return false;
  }
  removeLock(home, lock);
  return true;
}

/** Moved away first: a lock that is emptied in place could be taken before it is gone, and then go with it. */
function removeLock(home, lock) {
  const leaving = join(home, `install.${randomBytes(8).toString('hex')}`);
  renameSync(lock, leaving);
  rmSync(leaving, { recursive: true, force: true });
}

function readOwner(lock) {
  try {
    return JSON.parse(readFileSync(join(lock, 'owner.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

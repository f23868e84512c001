import { setTimeout as delay } from 'node:timers/promises';

/** Polls until `find` gives a value other than undefined and false; fails after `boundMs`. */
export async function waitUntil<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  boundMs = 15_000,
): Promise<T> {
  const end = Date.now() + boundMs;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited ${boundMs} ms in vain: ${what}`);
    await delay(20);
  }
}

/** Is there a process with this id? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

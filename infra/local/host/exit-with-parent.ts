/**
 * Preload (`node --import`) for child processes: ends the process when its parent is gone.
 * The parent keeps the write end of this process's stdin and never writes to it; the kernel closes it when
 * the parent dies in whatever way, SIGKILL included, so no orphan keeps a port or a data folder.
 */
const ORDERLY_END_MS = 2_000;

function end(): void {
  setTimeout(() => process.exit(1), ORDERLY_END_MS).unref();
  process.kill(process.pid, 'SIGTERM');
}

process.stdin.on('end', end);
process.stdin.on('error', end);
process.stdin.resume();
// Watching must not keep a process alive that has otherwise finished.
(process.stdin as NodeJS.ReadStream & { unref?: () => void }).unref?.();

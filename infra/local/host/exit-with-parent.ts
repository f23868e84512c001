/**
 * Preload (`node --import`) for child processes: ends the process when its parent is gone.
 * The parent keeps the write end of this process's stdin and never writes to it; the kernel closes it when
 * the parent dies in whatever way, SIGKILL included, so no orphan keeps a port or a data folder.
 */
process.stdin.on('end', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
process.stdin.resume();
// Watching must not keep a process alive that has otherwise finished.
(process.stdin as NodeJS.ReadStream & { unref?: () => void }).unref?.();

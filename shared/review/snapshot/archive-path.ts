/** As long as a path may be in a finding, so that nothing is read that could not be reported. */
const MAX_PATH_LENGTH = 1024;
const MAX_SEGMENT_BYTES = 255;

/**
 * True for a relative, `/`-separated path that names a file below the root on every platform: not absolute, no
 * `.`, `..` or empty segment (split at backslashes too), no drive letter, no NUL, not over-long. Contents are
 * never stored under these names; a refused path is one that other tools could be tricked with.
 */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > MAX_PATH_LENGTH || path.includes('\0')) return false;
  if (/^[a-z]:/i.test(path)) return false;
  return path
    .split(/[/\\]/)
    .every(
      (segment) =>
        segment !== '' &&
        segment !== '.' &&
        segment !== '..' &&
        Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES,
    );
}

/** An archive entry's path below the archive's one top folder; undefined for the folder itself. */
export function stripTopFolder(name: string): { readonly top: string; readonly path: string } | undefined {
  const slash = name.indexOf('/');
  if (slash === -1 || slash === name.length - 1) return undefined;
  return { top: name.slice(0, slash), path: name.slice(slash + 1) };
}

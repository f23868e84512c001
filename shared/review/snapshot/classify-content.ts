const BINARY_WINDOW = 8_000;
const MAX_LFS_POINTER_BYTES = 1_024;
const LFS_HEADER = 'version https://git-lfs.github.com/spec/';

/**
 * Why a file's bytes cannot be read as text, or undefined. Binary as git judges it: a NUL within the first
 * 8,000 bytes. A Git LFS pointer stands for content that is stored elsewhere.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export function unreadableContent(bytes: Uint8Array): 'binary' | 'lfs_pointer' | undefined {
  if (bytes.subarray(0, BINARY_WINDOW).includes(0)) return 'binary';
  if (bytes.length >= MAX_LFS_POINTER_BYTES) return undefined;
  const head = Buffer.from(bytes.subarray(0, LFS_HEADER.length)).toString('latin1');
  return head === LFS_HEADER ? 'lfs_pointer' : undefined;
}

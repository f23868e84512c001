export const GIT_ERROR_CODES = [
  'not_a_repository',
  'ref_not_found',
  'object_not_found',
  'no_merge_base',
  'output_too_large',
  'git_not_installed',
  'git_failed',
] as const;
export type GitErrorCode = (typeof GIT_ERROR_CODES)[number];

/**
 * Something git could not do, in one line that a person at a terminal can act on. A command that was given a
 * wrong directory or reference (`not_a_repository`, `ref_not_found`, `no_merge_base`) exits with code 2.
 */
export class GitError extends Error {
  readonly code: GitErrorCode;

  constructor(code: GitErrorCode, message: string) {
    super(message.replace(/\s+/g, ' ').trim());
    this.name = 'GitError';
    this.code = code;
  }
}

/** True when `error` is a GitError, optionally with one of `codes`. */
export function isGitError(error: unknown, ...codes: readonly GitErrorCode[]): error is GitError {
  return error instanceof GitError && (codes.length === 0 || codes.includes(error.code));
}

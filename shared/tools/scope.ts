import { minimatch } from 'minimatch';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { Grant } from './tool.ts';

const MAX_NAME_LENGTH = 512;
const MAX_GLOB_LENGTH = 256;
const MAX_GLOB_WILDCARDS = 8;

/**
 * Characters that make a spelling ambiguous: percent-encoding, backslashes, query and fragment marks, and every
 * control, format (zero width, bidi), separator-like and private-use character. `\p{Zs}` other than the plain
 * space is a look-alike of it.
 */
const AMBIGUOUS = /[%\\?#\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/**
 * True for a full repository name in its one plain spelling. Encoded, dotted, doubled-slash and look-alike
 * spellings are refused rather than normalised: what was checked must be what is used.
 */
export function isPlainRepositoryName(name: string): boolean {
  if (name.length === 0 || name.length > MAX_NAME_LENGTH || AMBIGUOUS.test(name)) return false;
  if (name !== name.normalize('NFKC')) return false;
  return name
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..' && segment === segment.trim());
}

/**
 * Names compare without case. Look-alikes that fold to plain letters (U+212A KELVIN SIGN to `k`) are not NFKC and
 * were refused as not plain.
 */
function fold(name: string): string {
  return name.toLowerCase();
}

/** True when a glob may be used at all: plain wildcards only, bounded, so that matching cannot explode. */
export function isUsableRepositoryGlob(glob: string): boolean {
  if (glob.length === 0 || glob.length > MAX_GLOB_LENGTH) return false;
  if (/[\\{}[\]!|^]/.test(glob)) return false;
  if ((glob.match(/\*+|\?/g) ?? []).length > MAX_GLOB_WILDCARDS) return false;
  return isPlainRepositoryName(glob.replaceAll('?', 'x').replaceAll('*', 'x'));
}

/**
 * Anchored match of the whole name: `*` stays within a segment, `**` as a whole segment crosses them.
 * A glob that is not usable and a name that is not plain match nothing.
 */
export function matchesRepositoryGlob(name: string, glob: string): boolean {
  if (!isPlainRepositoryName(name) || !isUsableRepositoryGlob(glob)) return false;
  return minimatch(fold(name), fold(glob), {
    dot: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    platform: 'linux',
  });
}

/** What scope is decided on. `repository` is the name the provider returned for `repositoryId`, never a caller's. */
export type ScopeTarget = Pick<PullRequestRef, 'instance' | 'repositoryId' | 'repository' | 'number'>;

/** True when the grant covers this pull request. */
export function isInScope(grant: Grant, target: ScopeTarget): boolean {
  if (!grant.instances.includes(target.instance)) return false;
  if (!grant.repositories.some((glob) => matchesRepositoryGlob(target.repository, glob))) return false;
  const bound = grant.pullRequest;
  return (
    bound === undefined || (bound.repositoryId === target.repositoryId && bound.number === target.number)
  );
}

/** True when both name the same pull request by its ids AND by its name; names compare without case. */
export function isSamePullRequest(left: PullRequestRef, right: PullRequestRef): boolean {
  return (
    left.provider === right.provider &&
    left.instance === right.instance &&
    left.repositoryId === right.repositoryId &&
    left.number === right.number &&
    fold(left.repository) === fold(right.repository)
  );
}

import { Minimatch } from 'minimatch';
import { AppError } from '../domain/app-error.ts';

const MAX_WILDCARDS = 16;
const MAX_ALTERNATIVES = 64;

/**
 * Compiles a glob over repository paths, anchored at both ends; `**` crosses folders and dot files count.
 * @throws AppError `rejected` invalid_glob for globs too costly to match.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const wildcards = (glob.match(/\*+|\?|\[/g) ?? []).length;
  const alternatives = (glob.match(/[{,]/g) ?? []).length;
  if (wildcards > MAX_WILDCARDS || alternatives > MAX_ALTERNATIVES)
    throw new AppError({
      kind: 'rejected',
      code: 'invalid_glob',
      message: `A glob may have ${MAX_WILDCARDS} wildcards and ${MAX_ALTERNATIVES} alternatives at most.`,
    });
  const matcher = new Minimatch(glob, {
    braceExpandMax: MAX_ALTERNATIVES,
    dot: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    platform: 'linux',
  });
  return (path) => matcher.match(path);
}

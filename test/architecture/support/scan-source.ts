import { readFile, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { maskSource } from './mask-source.ts';

/** One file with its text, whole and masked (see maskSource). Paths are relative to the root, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly from: string;
  /** As written; undefined for a dynamic import whose specifier is computed. */
  readonly specifier: string | undefined;
  /** Path of the imported file relative to the root, for relative specifiers. */
  readonly target: string | undefined;
  /** Name of the imported package, without its subpath; undefined for files and `node:` modules. */
  readonly packageName: string | undefined;
  readonly isTypeOnly: boolean;
  readonly isDynamic: boolean;
  readonly line: number;
}

const STATIC = /(?<![.\w$])(import|export)\b(\s+type\b)?(?:[^'"();=]*?\bfrom\b)?\s*(['"])(_*)\3/g;
const DYNAMIC = /(?<![.\w$])(?:import|require)\s*\(\s*(?:(['"])(_*)\1)?/g;

/** All TypeScript sources below `folders` of `root`, sorted by path. Folders that do not exist are empty. */
export async function scanSource(root: string, folders: readonly string[]): Promise<readonly SourceFile[]> {
  const paths = (await Promise.all(folders.map((folder) => listSources(root, folder)))).flat().toSorted();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      const code = maskSource(text);
      return { path, text, code, imports: findImports(path, text, code) };
    }),
  );
}

async function listSources(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => posix.join(entry.parentPath.slice(root.length).replace(/^\/+/, ''), entry.name));
}

/** Static and dynamic imports and re-exports of one file. */
export function findImports(path: string, text: string, code: string): readonly Import[] {
  const describe = (
    match: RegExpExecArray,
    specifierAt: number,
    length: number,
    isDynamic: boolean,
  ): Import => {
    const specifier = length === 0 ? undefined : text.slice(specifierAt, specifierAt + length);
    const isFile = specifier?.startsWith('.') === true;
    return {
      from: path,
      specifier,
      target: isFile ? posix.join(posix.dirname(path), specifier) : undefined,
      packageName: isFile || specifier === undefined ? undefined : packageOf(specifier),
      isTypeOnly: !isDynamic && match[2] !== undefined,
      isDynamic,
      line: text.slice(0, match.index).split('\n').length,
    };
  };
  const statics = [...code.matchAll(STATIC)].map((match) => {
    const length = match[4]?.length ?? 0;
    return describe(match, match.index + match[0].length - 1 - length, length, false);
  });
  const dynamics = [...code.matchAll(DYNAMIC)].map((match) => {
    const length = match[2]?.length ?? 0;
    return describe(match, match.index + match[0].length - 1 - length, length, true);
  });
  return [...statics, ...dynamics];
}

function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Lines (1-based) of `file` whose code, comments and texts left out, matches `pattern`. */
export function linesMatching(file: SourceFile, pattern: RegExp): number[] {
  return file.code.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}

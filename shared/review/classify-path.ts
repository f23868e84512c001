/** Files whose changes nobody reviews line by line, by their name alone. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'cargo.lock',
  'poetry.lock',
  'pdm.lock',
  'pipfile.lock',
  'uv.lock',
  'composer.lock',
  'gemfile.lock',
  'go.sum',
  'packages.lock.json',
  'mix.lock',
  'pubspec.lock',
  'podfile.lock',
  'flake.lock',
  'gradle.lockfile',
  '.terraform.lock.hcl',
]);

const VENDORED = /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|Pods)\//;
const MINIFIED = /\.min\.(?:js|mjs|css)$|\.(?:js|mjs|css)\.map$/i;
const SNAPSHOT = /\.snap$|(?:^|\/)__snapshots__\//;
const GENERATED =
  /\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.g\.(?:cs|dart)$|\.designer\.cs$|\.generated\.[a-z]+$|(?:^|\/)__generated__\//i;

export type PathExclusion = 'lock_file' | 'vendored' | 'minified' | 'test_snapshot' | 'generated';

/** Why a path is left out of the review, or undefined. Everything left out is named with this reason. */
export function excludedByPath(path: string): PathExclusion | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (LOCK_FILES.has(name)) return 'lock_file';
  if (VENDORED.test(path)) return 'vendored';
  if (MINIFIED.test(path)) return 'minified';
  if (SNAPSHOT.test(path)) return 'test_snapshot';
  return GENERATED.test(path) ? 'generated' : undefined;
}

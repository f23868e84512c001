import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '../run/run-tool.ts';

const Versions = z.record(z.string(), z.string());
const Manifest = z.looseObject({
  engines: z.looseObject({ node: z.string() }),
  dependencies: Versions,
  devDependencies: Versions,
  overrides: Versions,
  allowScripts: z.record(z.string(), z.boolean()),
});
const Lock = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string().optional(), hasInstallScript: z.boolean().optional() }),
  ),
});

const read = (path: string): Promise<string> => readFile(join(PROJECT_ROOT, path), 'utf8');

let manifest: z.infer<typeof Manifest>;
let lock: z.infer<typeof Lock>;
let page: string;

beforeAll(async () => {
  manifest = Manifest.parse(JSON.parse(await read('package.json')));
  lock = Lock.parse(JSON.parse(await read('package-lock.json')));
  page = await read('docs/decisions/dependencies.md');
});

describe('package.json', () => {
  it('names exact versions, which the lock file has too', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.keys(all).length).toBeGreaterThan(20);
    const loose = Object.entries({ ...all, ...manifest.overrides }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
    const differing = Object.entries(all).filter(
      ([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version,
    );
    expect(differing).toEqual([]);
  });

  it('decides for every package with an install script, and lets only the runtime run one', () => {
    const asking = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...new Set(asking)].toSorted());
    const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed.map(([name]) => name)).toEqual(['node']);
  });

  it('runs from Node 20, and develops on the major version of its types', () => {
    expect(manifest.engines.node).toBe('>=20');
    const major = (name: string): string | undefined => manifest.devDependencies[name]?.split('.')[0];
    expect([major('node'), major('@types/node')]).toEqual(['24', '24']);
  });
});

/** Packages named in the first column of a table whose other columns say something. */
function packagesIn(section: string): string[] {
  const rows = section.split('\n').filter((line) => /^\| `.*\|[^|]*\w[^|]*\|[^|]*\w[^|]*\|$/.test(line));
  const names = rows.flatMap((row) => row.split('|')[1]?.match(/`[^`]+`/g) ?? []);
  return names.map((name) => name.slice(1, -1)).toSorted();
}

describe('docs/decisions/dependencies.md', () => {
  it('has one line for each dependency, in its section, and no others', () => {
    const [, atRunTime = '', forTests = ''] = page.split('\n## ');
    expect(packagesIn(atRunTime)).toEqual(Object.keys(manifest.dependencies).toSorted());
    expect(packagesIn(forTests)).toEqual(Object.keys(manifest.devDependencies).toSorted());
  });
});

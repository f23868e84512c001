import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../run/run-tool.ts';
import { AREAS } from './layers.ts';
import { areaOf, importCycles, layerViolations } from './support/check-layers.ts';
import { scanSource, type SourceFile } from './support/scan-source.ts';

const PRODUCT = ['functions', 'shared', 'infra'];

describe('layers', () => {
  let files: readonly SourceFile[];

  beforeAll(async () => {
    files = await scanSource(PROJECT_ROOT, PRODUCT);
  });

  it('saw the product, not an empty folder', () => {
    const edges = files.flatMap((file) => file.imports);
    expect(files.length).toBeGreaterThan(250);
    expect(edges.length).toBeGreaterThan(1000);
    expect(edges.filter((one) => one.isDynamic).length).toBeGreaterThan(10);
    expect(edges.filter((one) => one.packageName !== undefined).length).toBeGreaterThan(50);
  });

  it('finds every line that looks like the end of an import', () => {
    for (const file of files) {
      const lines = file.code.split('\n').filter((line) => /^(import .*|\} )from '_+';$/.test(line)).length;
      const found = file.imports.filter((one) => !one.isDynamic).length;
      expect(found, file.path).toBeGreaterThanOrEqual(lines);
    }
  });

  it('lets a folder import only what the table allows', () => {
    expect(layerViolations(files)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(importCycles(files)).toEqual([]);
  });

  it('is a table of levels: nothing but the composition root imports upwards or an unknown area', () => {
    const levels = new Map(AREAS.map((area) => [area.name, area.level]));
    for (const area of AREAS.filter(({ name }) => name !== 'runtime')) {
      for (const name of area.mayImport) {
        const level = levels.get(name);
        expect(level, `${area.name} -> ${name}`).toBeDefined();
        expect(level, `${area.name} -> ${name}`).toBeLessThanOrEqual(area.level);
      }
    }
  });

  it('never lets one adapter import another, nor ingress the tools', () => {
    const adapters = ['github', 'azure-devops', 'gitlab', 'state', 'llm'];
    const allowed = Object.fromEntries(AREAS.map((area) => [area.name, area.mayImport]));
    for (const name of adapters) {
      expect(
        adapters.filter((other) => allowed[name]?.includes(other)),
        name,
      ).toEqual([]);
    }
    expect(allowed['ingress']).not.toContain('tools');
    expect(areaOf('shared/tools/gate.ts')?.mayImport).not.toContain('github');
  });
});

describe('a planted import', () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'layers-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  async function plant(sources: Readonly<Record<string, string>>): Promise<readonly SourceFile[]> {
    await rm(root, { recursive: true, force: true });
    for (const [path, text] of Object.entries(sources)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return scanSource(root, PRODUCT);
  }

  const GITHUB = 'shared/providers/github/index.ts';
  const FORBIDDEN: readonly [string, string, string, string][] = [
    [
      'a gate that reaches an adapter',
      'shared/tools/gate.ts',
      "import { x } from '../providers/github/index.ts';",
      'shared/tools/gate.ts:1: tools may not import github (shared/providers/github/index.ts)',
    ],
    [
      'the same as a type, over several lines',
      'shared/tools/gate.ts',
      "import type {\n  x,\n} from '../providers/github/index.ts';",
      'shared/tools/gate.ts:1: tools may not import github (shared/providers/github/index.ts)',
    ],
    [
      'the same as a re-export',
      'shared/tools/gate.ts',
      "const a = 1;\nexport { x } from '../providers/github/index.ts';",
      'shared/tools/gate.ts:2: tools may not import github (shared/providers/github/index.ts)',
    ],
    [
      'the same loaded late',
      'shared/tools/gate.ts',
      "export const load = () => import('../providers/github/index.ts');",
      'shared/tools/gate.ts:1: tools may not import github (shared/providers/github/index.ts)',
    ],
    [
      'an import for its side effect',
      'shared/domain/job.ts',
      "import '../providers/github/index.ts';",
      'shared/domain/job.ts:1: domain may not import github (shared/providers/github/index.ts)',
    ],
    [
      'a computed import',
      'shared/review/run.ts',
      'export const load = (path: string) => import(path);',
      'shared/review/run.ts:1: a computed import cannot be checked',
    ],
    [
      'a vendor SDK outside its adapter',
      'shared/review/run.ts',
      "import Anthropic from '@anthropic-ai/sdk/client';",
      'shared/review/run.ts:1: may not import the package @anthropic-ai/sdk',
    ],
    [
      'the host library in shared code',
      'shared/ingress/accept.ts',
      "import { app } from '@azure/functions';",
      'shared/ingress/accept.ts:1: may not import the package @azure/functions',
    ],
    [
      'a package nobody listed',
      'shared/review/run.ts',
      "import pad from 'left-pad';",
      'shared/review/run.ts:1: may not import the package left-pad',
    ],
    [
      'test code in the product',
      'infra/local/demo.ts',
      "import { fake } from '../../test/support/git.ts';",
      'infra/local/demo.ts:1: imports test/support/git.ts, which is no product source',
    ],
    [
      'a folder without a place in the table',
      'shared/utils/helper.ts',
      'export const a = 1;',
      'shared/utils/helper.ts: no area of test/architecture/layers.ts owns this file',
    ],
  ];

  it.each(FORBIDDEN)('%s is found', async (_name, path, text, expected) => {
    const files = await plant({ [GITHUB]: 'export const x = 1;', [path]: text });
    expect(layerViolations(files)).toEqual([expected]);
  });

  it('is not seen in comments, strings, templates and regular expressions', async () => {
    const files = await plant({
      'shared/review/prompt.ts': [
        "// import { x } from 'left-pad';",
        "/* import { x } from 'left-pad'; */",
        'const a = "import { x } from \'left-pad\'";',
        'const b = `import x from "left-pad"; ${`import("${a}")`} import y from "left-pad"`;',
        'const c = /import x from "left-pad"/;',
        'export const d = a.length / b.length / c.source.length;',
      ].join('\n'),
    });
    expect(files.flatMap((file) => file.imports)).toEqual([]);
    expect(layerViolations(files)).toEqual([]);
  });

  it('is seen behind such text', async () => {
    const files = await plant({
      'shared/review/prompt.ts': [
        'const a = `${"`"}`; const b = /[/\'"`]/; const c = `a${{ b: `}` }.b}`;',
        'export const load = () => import("left-pad");',
      ].join('\n'),
    });
    expect(layerViolations(files)).toEqual([
      'shared/review/prompt.ts:2: may not import the package left-pad',
    ]);
  });

  it('closing a circle is found', async () => {
    const files = await plant({
      'shared/diff/a.ts': "import { b } from './b.ts';\nexport const a = b;",
      'shared/diff/b.ts': "import { c } from './c.ts';\nexport const b = c;",
      'shared/diff/c.ts': "import { a } from './a.ts';\nexport const c: typeof a = 1;",
      'shared/diff/types.ts': "import type { user } from './user.ts';\nexport type T = typeof user;",
      'shared/diff/user.ts': "export * from './types.ts';\nexport const user = 1;",
    });
    expect(importCycles(files)).toEqual([
      'shared/diff/a.ts -> shared/diff/b.ts -> shared/diff/c.ts -> shared/diff/a.ts',
    ]);
  });
});

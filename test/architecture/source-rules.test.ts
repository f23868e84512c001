import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../run/run-tool.ts';
import { FORBIDDEN_MODULES, MODULE_OWNERS, SOURCE_RULES, type SourceRule } from './source-rules.ts';
import { maskSource } from './support/mask-source.ts';
import { linesMatching, scanSource, type SourceFile } from './support/scan-source.ts';
import { trackedFiles } from './support/tracked-files.ts';

const MAX_LINES = 300;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.m?ts$/;
const GRAB_BAGS =
  /^(utils?|common|helpers?|misc|manager|service|shared|index)$|-(utils?|helpers?|manager|service)$/;

let files: readonly SourceFile[];

beforeAll(async () => {
  files = await scanSource(PROJECT_ROOT, ['functions', 'shared', 'infra', 'test']);
});

function violations(rule: SourceRule, sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ path }) => rule.scope.test(path) && rule.allowed?.test(path) !== true)
    .flatMap((file) => linesMatching(file, rule.pattern).map((line) => `${file.path}:${line}`));
}

describe.each(SOURCE_RULES)('$name', (rule) => {
  it('holds', () => {
    expect(files.filter(({ path }) => rule.scope.test(path)).length).toBeGreaterThan(100);
    expect(violations(rule, files)).toEqual([]);
  });

  it.each(rule.planted)('finds %s', (line) => {
    const path = ['shared/review/planted.ts', 'test/unit/planted.test.ts'].find((one) =>
      rule.scope.test(one),
    );
    const text = `// ${line}\nconst before = 1;\n${line}\n`;
    const planted = { path: path ?? '', text, code: maskSource(text), imports: [] };
    expect(violations(rule, [planted])).toEqual([`${path}:3`]);
  });
});

describe('exemptions', () => {
  const exempting = SOURCE_RULES.flatMap(({ allowed, ...rule }) =>
    allowed === undefined ? [] : [{ ...rule, allowed }],
  );

  it.each(exempting)('from "$name" are needed', ({ scope, allowed, pattern }) => {
    const exempt = files.filter(({ path }) => scope.test(path) && allowed.test(path));
    expect(exempt.flatMap((file) => linesMatching(file, pattern)).length).toBeGreaterThan(0);
  });
});

describe('modules', () => {
  it('uses no built-in that starts processes, listens or waits, outside its owner', () => {
    const product = files.filter(({ path }) => /^(shared|functions)\//.test(path));
    const uses = product
      .flatMap((file) => file.imports)
      .filter(({ specifier = '' }) => FORBIDDEN_MODULES.test(specifier))
      .filter(({ specifier = '', from }) => MODULE_OWNERS[specifier]?.test(from) !== true);
    expect(uses.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([]);
  });
});

describe('files', () => {
  it('have kebab-case names that say what they hold', () => {
    const isProviderFactory = (path: string): boolean => /^shared\/providers\/[a-z-]+\/index\.ts$/.test(path);
    const wrong = files
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('test/fixtures/') && !isProviderFactory(path))
      .filter((path) => {
        const name = basename(path);
        return !KEBAB_CASE.test(name) || GRAB_BAGS.test(name.replace(/(\.test)?\.m?ts$/, ''));
      });
    expect(wrong).toEqual([]);
  });

  it('live in folders that are named alike', () => {
    const folders = new Set(files.flatMap(({ path }) => path.split('/').slice(0, -1)));
    expect([...folders].filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it(`have at most ${MAX_LINES} lines`, async () => {
    const tracked = (await trackedFiles()).filter((path) => /\.(m?[jt]s|sh)$/.test(path));
    const paths = new Set([...tracked, ...files.map(({ path }) => path)]);
    const counted = await Promise.all(
      [...paths].map(async (path) => {
        const text = await readFile(join(PROJECT_ROOT, path), 'utf8').catch(() => '');
        return { path, lines: text.trimEnd().split('\n').length };
      }),
    );
    expect(counted.length).toBeGreaterThan(300);
    const long = counted.filter(({ lines }) => lines > MAX_LINES);
    expect(long.map(({ path, lines }) => `${path} has ${lines} lines`)).toEqual([]);
  });
});

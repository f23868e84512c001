import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settingsPage } from '../../infra/ops/docs/settings-page.ts';
import { PROJECT_ROOT } from '../run/run-tool.ts';
import { anchorsOf, documentProblems, type Facts } from './support/check-claims.ts';
import { claimsOf } from './support/document-claims.ts';
import { trackedFiles } from './support/tracked-files.ts';

const Manifest = z.looseObject({ scripts: z.record(z.string(), z.string()) });

let facts: Facts;
let scripts: Readonly<Record<string, string>>;
let documents: ReadonlyMap<string, string>;

const read = (path: string): Promise<string> => readFile(join(PROJECT_ROOT, path), 'utf8');

beforeAll(async () => {
  const files = await trackedFiles();
  const pages = files.filter((path) => /^([^/]+|docs\/.+|shared\/.+|infra\/.+)\.md$/.test(path));
  documents = new Map(await Promise.all(pages.map(async (path) => [path, await read(path)] as const)));
  scripts = Manifest.parse(JSON.parse(await read('package.json'))).scripts;
  facts = {
    files,
    scripts: Object.keys(scripts),
    anchors: new Map([...documents].map(([path, text]) => [path, anchorsOf(text)])),
  };
});

describe('documents', () => {
  it('were read, and claim things', () => {
    expect([...documents.keys()]).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/settings.md']),
    );
    const claims = [...documents.values()].flatMap(claimsOf);
    for (const kind of ['link', 'path', 'script', 'setting'] as const) {
      expect(claims.filter((claim) => claim.kind === kind).length, kind).toBeGreaterThan(5);
    }
  });

  it('name only paths, links, npm scripts and settings that exist', () => {
    const problems = [...documents].flatMap(([path, text]) => documentProblems(path, text, facts));
    expect(problems).toEqual([]);
  });

  it('have npm scripts behind them that run a file of this repository', () => {
    const targets = Object.values(scripts).flatMap((script) => script.match(/[\w./-]+\.(ts|mjs)\b/g) ?? []);
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((path) => !facts.files.includes(path))).toEqual([]);
  });

  it.each([
    [
      'a missing file',
      'See `shared/review/nothing.ts`.',
      ['x.md:1: there is no path shared/review/nothing.ts'],
    ],
    ['a missing folder', '`docs/nothing/`', ['x.md:1: there is no path docs/nothing/']],
    ['a missing bare file', 'It is in `no-such-file.ts`.', ['x.md:1: there is no file-name no-such-file.ts']],
    ['a missing script', '```\nnpm run nothing -- --json\n```', ['x.md:2: there is no script nothing']],
    ['an unknown setting', '`GATEHOUSE_NOTHING=1`', ['x.md:1: there is no setting GATEHOUSE_NOTHING']],
    ['an unknown suffix', '`RETENTION_DAYS__EAST`', ['x.md:1: there is no setting RETENTION_DAYS__EAST']],
    ['a dead link', '[a](docs/nothing.md)', ['x.md:1: there is no link docs/nothing.md']],
    ['a dead anchor', '[a](README.md#nothing)', ['x.md:1: there is no link README.md#nothing']],
  ])('are caught naming %s', (_name, markdown, expected) => {
    expect(documentProblems('x.md', markdown, facts)).toEqual(expected);
  });

  it('may name what exists, also by pattern, and anything in diagrams', () => {
    const markdown = [
      '`npm run demo`, `npm test`, `shared/domain/`, `functions/*.ts`, `shared/providers/<name>/`,',
      '`GITHUB_TOKEN__<ID>`, `GITHUB_TOKEN__EAST`, `WEBSITE_INSTANCE_ID`, [up](README.md#two-commands),',
      '[web](https://example.com/x.md)',
      '```mermaid',
      'A[shared/nothing.ts] --> B',
      '```',
    ].join('\n');
    expect(documentProblems('x.md', markdown, facts)).toEqual([]);
  });
});

describe('docs/settings.md', () => {
  it('is what `npm run docs:generate` writes', () => {
    expect(documents.get('docs/settings.md')).toBe(settingsPage());
  });
});

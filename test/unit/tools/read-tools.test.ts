import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { Snapshot } from '../../../shared/providers/snapshot.ts';
import { createFakeSnapshot, outputOf, setUp } from './fixture.ts';

const LINES = (count: number): string =>
  Array.from({ length: count }, (_unused, index) => `line ${index + 1}`).join('\n');

describe('read_file', () => {
  const read = async (content: string, args: object = {}): Promise<unknown> =>
    outputOf(
      await setUp({ snapshot: createFakeSnapshot({ 'a.ts': content }) }).call('read_file', {
        path: 'a.ts',
        ...args,
      }),
    );

  it('numbers the lines as git does: by line feeds alone', async () => {
    expect(await read('one\r\ntwo\u2028still two\n\nfour')).toEqual({
      path: 'a.ts',
      startLine: 1,
      endLine: 4,
      totalLines: 4,
      text: '1\tone\n2\ttwo\u2028still two\n3\t\n4\tfour',
      notes: [],
    });
  });

  it('gives the asked lines', async () => {
    expect(await read(LINES(10), { startLine: 3, endLine: 4 })).toMatchObject({
      startLine: 3,
      endLine: 4,
      totalLines: 10,
      text: '3\tline 3\n4\tline 4',
      notes: [],
    });
    expect(await read(LINES(3), { startLine: 3, endLine: 99 })).toMatchObject({
      endLine: 3,
      text: '3\tline 3',
      notes: [],
    });
    expect(await read('')).toMatchObject({ startLine: 1, endLine: 0, totalLines: 0, text: '' });
  });

  it('cuts long files and long lines, and says how to go on', async () => {
    expect(await read(LINES(900))).toMatchObject({
      endLine: 800,
      notes: ['Cut after line 800 of 900; ask again with startLine 801.'],
    });
    expect(await read(LINES(900), { startLine: 801 })).toMatchObject({ endLine: 900, notes: [] });
    expect(await read('x'.repeat(2_500))).toMatchObject({
      text: `1\t${'x'.repeat(2_000)} [500 more characters]`,
    });
    const wide = Array.from({ length: 60 }, () => 'y'.repeat(1_990)).join('\n');
    expect(await read(wide)).toMatchObject({
      endLine: 30,
      notes: ['Cut after line 30 of 60; ask again with startLine 31.'],
    });
  });

  it('removes what a person would not see, without moving a line', async () => {
    expect(await read('a\u202e\nb\u200b<!-- stays: code is read as it is -->\nc')).toMatchObject({
      text: '1\ta\n2\tb<!-- stays: code is read as it is -->\n3\tc',
      notes: ['Hidden text was removed: 1 bidi-control, 1 zero-width.'],
    });
  });

  const snapshot: Snapshot = {
    ...createFakeSnapshot({ 'a.ts': 'x' }),
    unreadable: [{ what: 'lib', reason: 'submodule' }],
    readText: async (path) => {
      if (path === 'b.bin')
        throw new AppError({ kind: 'rejected', code: 'binary_file', message: 'This file is binary.' });
      return path === 'a.ts' ? 'x' : undefined;
    },
  };
  it.each([
    [
      { path: 'none.ts' },
      'not_found',
      'No such file at the head of this pull request; list_files gives the paths.',
    ],
    [
      { path: '../../etc/passwd' },
      'not_found',
      'No such file at the head of this pull request; list_files gives the paths.',
    ],
    [
      { path: '/a.ts' },
      'not_found',
      'No such file at the head of this pull request; list_files gives the paths.',
    ],
    [{ path: 'lib' }, 'unreadable_file', 'This file exists but cannot be read: submodule.'],
    [{ path: 'b.bin' }, 'binary_file', 'This file is binary.'],
    [{ path: 'a.ts', startLine: 2 }, 'not_found', 'The file has 1 lines; startLine is past its end.'],
    [{ path: 'a.ts', startLine: 2, endLine: 1 }, 'invalid_input', 'endLine must not be less than startLine.'],
  ])('refuses %j', async (args, code, message) => {
    expect(await setUp({ snapshot }).call('read_file', args)).toEqual({ ok: false, code, message });
  });
});

describe('list_files', () => {
  const files = { 'src/a.ts': '', 'src/deep/b.ts': '', 'src/.hidden': '', 'README.md': '', 'lib/a.ts': '' };
  const list = async (args: object, content: Readonly<Record<string, string>> = files): Promise<unknown> =>
    outputOf(await setUp({ snapshot: createFakeSnapshot(content) }).call('list_files', args));

  it.each([
    [{}, ['README.md', 'lib/a.ts', 'src/.hidden', 'src/a.ts', 'src/deep/b.ts']],
    [{ glob: '**/*.ts' }, ['lib/a.ts', 'src/a.ts', 'src/deep/b.ts']],
    [{ glob: 'src/*' }, ['src/.hidden', 'src/a.ts']],
    [{ glob: '*.ts' }, []],
    [{ glob: '{src,lib}/a.ts' }, ['lib/a.ts', 'src/a.ts']],
    [{ glob: '!src/**' }, []],
    [{ prefix: 'src/' }, ['src/.hidden', 'src/a.ts', 'src/deep/b.ts']],
    [{ prefix: 'src/', after: 'src/a.ts' }, ['src/deep/b.ts']],
  ])('%j', async (args, expected) => {
    expect(await list(args)).toMatchObject({ files: expected, notes: [] });
  });

  it('pages and says so', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 501 }, (_unused, index) => [`f${String(index).padStart(4, '0')}`, '']),
    );
    expect(await list({}, many)).toMatchObject({
      total: 501,
      notes: ['1 more; ask again with after set to the last path.'],
    });
    expect(await list({ after: 'f0499' }, many)).toMatchObject({ files: ['f0500'], total: 501, notes: [] });
  });

  it('names what cannot be read', async () => {
    const snapshot = { ...createFakeSnapshot({ a: '' }), unreadable: [{ what: 'lib', reason: 'submodule' }] };
    expect(outputOf(await setUp({ snapshot }).call('list_files', {}))).toMatchObject({
      unreadable: [{ path: 'lib', reason: 'submodule' }],
    });
  });

  it('refuses globs that are too costly to match', async () => {
    const snapshot = createFakeSnapshot({ ['a'.repeat(200)]: '' });
    for (const glob of ['*a'.repeat(17), `{${'a,'.repeat(70)}a}`])
      expect(await setUp({ snapshot }).call('list_files', { glob })).toMatchObject({
        ok: false,
        code: 'invalid_glob',
      });
    const started = performance.now();
    outputOf(await setUp({ snapshot }).call('list_files', { glob: `${'*a'.repeat(10)}b` }));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('search_code', () => {
  const files = {
    'src/a.ts': 'const total = 1;\r\nuse(total)\n// TOTAL',
    'src/b.md': 'total',
    'x.ts': 'a.b\naxb',
  };
  const search = async (args: object, content: Readonly<Record<string, string>> = files): Promise<unknown> =>
    outputOf(await setUp({ snapshot: createFakeSnapshot(content) }).call('search_code', args));

  it.each([
    [{ query: 'total' }, ['src/a.ts:1', 'src/a.ts:2', 'src/b.md:1']],
    [{ query: 'total', ignoreCase: true }, ['src/a.ts:1', 'src/a.ts:2', 'src/a.ts:3', 'src/b.md:1']],
    [{ query: 'total', glob: '**/*.ts' }, ['src/a.ts:1', 'src/a.ts:2']],
    [{ query: 'a.b' }, ['x.ts:1']],
    [{ query: 'a.b', isRegex: true }, ['x.ts:1', 'x.ts:2']],
    [{ query: '^const .*;$', isRegex: true }, ['src/a.ts:1']],
    [{ query: '(?i)total$', isRegex: true }, ['src/a.ts:3', 'src/b.md:1']],
  ])('%j', async (args, expected) => {
    const output = (await search(args)) as { hits: { path: string; line: number }[] };
    expect(output.hits.map(({ path, line }) => `${path}:${line}`)).toEqual(expected);
  });

  it.each(['(a', 'a(?=b)', String.raw`(a)\1`, '[z-a]'])('refuses the pattern %s', async (query) => {
    const snapshot = createFakeSnapshot(files);
    expect(await setUp({ snapshot }).call('search_code', { query, isRegex: true })).toEqual({
      ok: false,
      code: 'invalid_pattern',
      message: 'The regular expression is not valid RE2: look-around and back-references do not exist there.',
    });
  });

  it('takes time linear in the text for patterns that explode elsewhere', async () => {
    const started = performance.now();
    await search({ query: '(a+)+$', isRegex: true }, { 'a.txt': `${'a'.repeat(20_000)}b` });
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('bounds the hits of a file and of the whole, and says so', async () => {
    const content = Object.fromEntries(
      Array.from({ length: 8 }, (_unused, index) => [`f${index}`, 'hit\n'.repeat(30)]),
    );
    const output = (await search({ query: 'hit' }, content)) as { hits: unknown[]; notes: string[] };
    expect(output.hits).toHaveLength(100);
    expect(output.notes).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => `f${index} has more hits than are shown.`),
      'Stopped after 5 of 8 files; narrow the query or the glob.',
    ]);
  });

  it('passes over binary files', async () => {
    const snapshot: Snapshot = {
      ...createFakeSnapshot({ 'a.bin': '', 'b.txt': 'x' }),
      readText: async (path) => {
        if (path === 'a.bin') throw new AppError({ kind: 'rejected', code: 'binary_file', message: 'no' });
        return 'x';
      },
    };
    expect(outputOf(await setUp({ snapshot }).call('search_code', { query: 'x' }))).toEqual({
      hits: [{ path: 'b.txt', line: 1, text: 'x' }],
      filesSearched: 1,
      notes: ['1 binary or too large files were not searched.'],
    });
  });

  it('stops when the run ends', async () => {
    const signal = AbortSignal.abort(
      new AppError({ kind: 'stale', code: 'superseded', message: 'A newer push came.' }),
    );
    const snapshot = createFakeSnapshot(files);
    expect(await setUp({ snapshot, signal }).call('search_code', { query: 'x' })).toMatchObject({
      code: 'superseded',
    });
  });
});

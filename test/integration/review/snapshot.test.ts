import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createSnapshotBudget } from '../../../shared/review/snapshot/snapshot-budget.ts';
import { FakeSource, changed, openForTest, sha1Of, tarGz } from './snapshot-fixtures.ts';

const LONG_SEGMENT = `${'long-folder-name/'.repeat(14)}file.ts`;
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

describe('openSnapshot on an honest archive', () => {
  it('strips the top folder and lists readable files by code unit, pax and non-ASCII names included', async () => {
    const source = new FakeSource();
    source.archives = [
      await tarGz([
        { name: 'o-r-aaaaaaa/', type: 'directory' },
        { name: 'o-r-aaaaaaa/src/Zürich/größe.ts', content: 'export {};\n' },
        { name: `o-r-aaaaaaa/${LONG_SEGMENT}`, content: 'deep' },
        { name: 'o-r-aaaaaaa/README.md', content: '# 漢字\n' },
        { name: 'o-r-aaaaaaa/empty.txt', content: '' },
        { name: 'o-r-aaaaaaa/bad.txt', content: Buffer.from([0x61, 0xff, 0x62]) },
      ]),
    ];
    await using opened = await openForTest(source, []);
    const { snapshot, directory, budget } = opened;
    expect(snapshot.commit).toBe('a'.repeat(40));
    expect(snapshot.refusal).toBeUndefined();
    expect(snapshot.listFiles()).toEqual([
      'README.md',
      'bad.txt',
      'empty.txt',
      LONG_SEGMENT,
      'src/Zürich/größe.ts',
    ]);
    expect(await snapshot.readText('README.md')).toBe('# 漢字\n');
    expect(await snapshot.readText('empty.txt')).toBe('');
    expect(await snapshot.readText('bad.txt')).toBe('a\uFFFDb');
    expect(await snapshot.readText(LONG_SEGMENT)).toBe('deep');
    expect(await readdir(directory)).toEqual([]);
    expect(budget.usedBytes).toBe(11 + 4 + 9 + 0 + 3);
    await snapshot[Symbol.asyncDispose]();
    await snapshot[Symbol.asyncDispose]();
    expect(budget.usedBytes).toBe(0);
  });

  it('names what exists but cannot be read and refuses to read it as text', async () => {
    const source = new FakeSource();
    source.archives = [
      await tarGz([
        { name: 'top/logo.png', content: Buffer.from([0x89, 0x50, 0, 1]) },
        { name: 'top/big.json', content: 'x'.repeat(2_000_001) },
        { name: 'top/limit.json', content: 'x'.repeat(2_000_000) },
        { name: 'top/model.bin', content: POINTER },
        { name: 'top/link', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'top/hard', type: 'link', linkname: 'top/limit.json' },
        { name: 'top/device', type: 'character-device' },
        { name: 'top/pipe', type: 'fifo' },
      ]),
    ];
    await using opened = await openForTest(source, []);
    expect(opened.snapshot.listFiles()).toEqual(['limit.json']);
    expect(opened.snapshot.unreadable).toEqual([
      { what: 'big.json', reason: 'too_large' },
      { what: 'device', reason: 'special_file' },
      { what: 'hard', reason: 'link' },
      { what: 'link', reason: 'link' },
      { what: 'logo.png', reason: 'binary' },
      { what: 'model.bin', reason: 'lfs_pointer' },
      { what: 'pipe', reason: 'special_file' },
    ]);
    await expect(opened.snapshot.readText('link')).rejects.toMatchObject({ kind: 'rejected', code: 'link' });
    await expect(opened.snapshot.readText('logo.png')).rejects.toMatchObject({ code: 'binary' });
    expect(source.calls).toEqual(['archive']);
  });
});

describe('openSnapshot and the changed files', () => {
  it('replaces what the archive changed, adds what it left out, and trusts an equal hash', async () => {
    const source = new FakeSource();
    source.archives = [
      await tarGz([
        { name: 'top/same.ts', content: 'same\n' },
        { name: 'top/crlf.ts', content: 'one\r\n' },
        { name: 'top/keyword.ts', content: '$Id: 42$\n' },
      ]),
    ];
    source.addFile('crlf.ts', 'one\n');
    source.addFile('keyword.ts', '$Id$\n');
    source.addFile('ignored.ts', 'hidden = 1\n');
    source.tree.set('module', { path: 'module', kind: 'submodule', sha: 'c'.repeat(40) });
    await using opened = await openForTest(source, [
      changed('same.ts', 'same\n'),
      changed('crlf.ts', 'one\n'),
      changed('keyword.ts', '$Id$\n'),
      changed('ignored.ts', 'hidden = 1\n', { change: 'added' }),
      changed('module', 'x'),
      changed('gone.ts', 'x'),
      changed('deleted.ts', 'x', { change: 'deleted' }),
    ]);
    const { snapshot } = opened;
    expect(snapshot.listFiles()).toEqual(['crlf.ts', 'ignored.ts', 'keyword.ts', 'same.ts']);
    expect(await snapshot.readText('crlf.ts')).toBe('one\n');
    expect(await snapshot.readText('keyword.ts')).toBe('$Id$\n');
    expect(await snapshot.readText('ignored.ts')).toBe('hidden = 1\n');
    expect(snapshot.unreadable).toEqual([
      { what: 'gone.ts', reason: 'not_at_head' },
      { what: 'module', reason: 'submodule' },
    ]);
    expect(source.calls.filter((call) => call.includes('same') || call.includes('deleted'))).toEqual([]);
  });

  it('compares SHA-256 hashes where the repository uses them', async () => {
    // printf 'same\n' | git hash-object --stdin in a repository made with --object-format=sha256
    const sha = '1ea4750826fa24c1aa371de2f40f9298043f2e6e4c5725e9845eb15a13f32117';
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/same.ts', content: 'same\n' }])];
    await using opened = await openForTest(source, [changed('same.ts', '', { blobSha: sha })]);
    expect(opened.snapshot.unreadable).toEqual([]);
    expect(source.calls).toEqual(['archive']);
  });

  it('never shows bytes that are not the blob the provider names', async () => {
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/a.ts', content: 'archive says\n' }])];
    source.blobs.set(sha1Of('truth\n'), Buffer.from('lie\n'));
    await using opened = await openForTest(source, [changed('a.ts', 'truth\n')]);
    expect(opened.snapshot.listFiles()).toEqual([]);
    expect(opened.snapshot.unreadable).toEqual([{ what: 'a.ts', reason: 'hash_mismatch' }]);
  });

  it('names blobs that are gone, too large, pointers or binary', async () => {
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/x', content: '' }])];
    source.addFile('pointer.bin', POINTER);
    source.addFile('image.png', Buffer.from([1, 0, 2]));
    source.addFile('stated.json', 'x'.repeat(2_000_001));
    source.addFile('unstated.json', 'y'.repeat(2_000_001), false);
    source.tree.set('lost.ts', { path: 'lost.ts', kind: 'file', sha: sha1Of('lost') });
    source.tree.set('huge.ts', { path: 'huge.ts', kind: 'file', sha: sha1Of('huge') });
    source.blobs.set(
      sha1Of('huge'),
      new AppError({ kind: 'permanent', code: 'blob_too_large', message: 'too large' }),
    );
    const paths = ['pointer.bin', 'image.png', 'stated.json', 'unstated.json', 'lost.ts', 'huge.ts'];
    const files = paths.map((path) => changed(path, '', { blobSha: source.tree.get(path)?.sha ?? '' }));
    await using opened = await openForTest(source, files);
    expect(opened.snapshot.unreadable).toEqual([
      { what: 'huge.ts', reason: 'too_large' },
      { what: 'image.png', reason: 'binary' },
      { what: 'lost.ts', reason: 'blob_unreadable' },
      { what: 'pointer.bin', reason: 'lfs_pointer' },
      { what: 'stated.json', reason: 'too_large' },
      { what: 'unstated.json', reason: 'too_large' },
    ]);
  });

  it('a provider that fails for now fails the opening, and the disk is free again', async () => {
    const budget = createSnapshotBudget();
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/a.ts', content: 'filtered\n' }])];
    const later = new AppError({ kind: 'transient', code: 'provider_unavailable', message: 'later' });
    source.blobs.set(sha1Of('raw\n'), later);
    await expect(openForTest(source, [changed('a.ts', 'raw\n')], { budget })).rejects.toBe(later);
    expect(budget.usedBytes).toBe(0);
  });
});

describe('readText for paths that the archive left out', () => {
  it('asks the provider once, remembers the answer, and stops at the limit', async () => {
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/a.ts', content: '' }])];
    source.addFile('vendor/hidden.ts', 'hidden');
    await using opened = await openForTest(source, [], { limits: { maxLookups: 2 } });
    const { snapshot } = opened;
    expect(await snapshot.readText('vendor/hidden.ts')).toBe('hidden');
    expect(await snapshot.readText('vendor/hidden.ts')).toBe('hidden');
    expect(await snapshot.readText('nowhere.ts')).toBeUndefined();
    expect(await snapshot.readText('../../etc/passwd')).toBeUndefined();
    await expect(snapshot.readText('third.ts')).rejects.toMatchObject({
      kind: 'rejected',
      code: 'lookup_limit',
    });
    expect(source.calls.slice(1)).toEqual([
      'entry vendor/hidden.ts',
      `blob ${sha1Of('hidden').slice(0, 7)}`,
      'entry nowhere.ts',
    ]);
  });
});

import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { createSnapshotBudget } from '../../../shared/review/snapshot/snapshot-budget.ts';
import { FakeSource, changed, openForTest, sha1Of, tarGz, tarOf } from './snapshot-fixtures.ts';

describe('openSnapshot on a hostile or broken archive', () => {
  const escapes = [
    '/etc/cron.d/x',
    'top/../../x',
    'top/a/../../../x',
    'top/a\\..\\..\\x',
    'top/C:/x',
    'top//x',
    'top/./x',
    'other/x',
    'notop',
    `top/${'x'.repeat(256)}`,
    `top/${'deep/'.repeat(210)}x`,
  ];

  it.each(escapes)('keeps nothing of the entry %s', async (name) => {
    const source = new FakeSource();
    source.archives = [
      await tarGz([
        { name: 'top/ok.ts', content: 'ok' },
        { name, content: 'evil' },
      ]),
    ];
    await using opened = await openForTest(source, []);
    expect(opened.snapshot.listFiles()).toEqual(['ok.ts']);
    expect(opened.snapshot.unreadable).toEqual([]);
    expect(await readdir(opened.directory)).toEqual([]);
  });

  it('a later link does not stand in for an earlier file', async () => {
    const source = new FakeSource();
    source.archives = [
      await tarGz([
        { name: 'top/a.ts', content: 'raw\n' },
        { name: 'top/a.ts', type: 'symlink', linkname: '/etc/passwd' },
      ]),
    ];
    source.addFile('a.ts', '/etc/passwd');
    await using opened = await openForTest(source, [changed('a.ts', '/etc/passwd')]);
    expect(opened.snapshot.unreadable).toEqual([{ what: 'a.ts', reason: 'link' }]);
  });

  it('gives up a bomb by its ratio and reads the changed files one by one', async () => {
    const source = new FakeSource();
    const zeros = { name: 'top/zeros', content: Buffer.alloc(15_000_000) };
    source.archives = [gzipSync(await tarOf([zeros]), { level: 9 })];
    source.addFile('a.ts', 'raw\n');
    await using opened = await openForTest(source, [changed('a.ts', 'raw\n')]);
    expect(opened.snapshot.refusal).toBe('archive_ratio');
    expect(opened.snapshot.listFiles()).toEqual(['a.ts']);
    expect(await opened.snapshot.readText('a.ts')).toBe('raw\n');
    expect(source.calls).toEqual(['archive', 'entry a.ts', `blob ${sha1Of('raw\n').slice(0, 7)}`]);
    expect(opened.budget.usedBytes).toBe(4);
  });

  it('gives up an archive that is too large, and one with 40,000 files', async () => {
    const large = new FakeSource();
    large.archives = [await tarGz([{ name: 'top/a', content: 'x'.repeat(4_000) }])];
    await using first = await openForTest(large, [], { limits: { maxTotalBytes: 3_000 } });
    expect(first.snapshot.refusal).toBe('archive_too_large');
    expect(first.snapshot.listFiles()).toEqual([]);

    const many = new FakeSource();
    const items = Array.from({ length: 40_000 }, (_, index) => ({
      name: `top/${index}`,
      content: `${index}`,
    }));
    many.archives = [await tarGz(items)];
    await using second = await openForTest(many, []);
    expect(second.snapshot.refusal).toBe('archive_too_many_files');
    expect(second.snapshot.listFiles()).toEqual([]);
    expect(second.budget.usedBytes).toBe(0);
  });

  it('tries a broken download once more and then reads one by one', async () => {
    const good = await tarGz([{ name: 'top/a.ts', content: 'raw\n' }]);
    const once = new FakeSource();
    once.archives = [good.subarray(0, good.length - 20), good];
    await using healed = await openForTest(once, []);
    expect(healed.snapshot.refusal).toBeUndefined();
    expect(healed.snapshot.listFiles()).toEqual(['a.ts']);

    for (const broken of [
      good.subarray(0, 40),
      Buffer.from('<html>nope</html>'),
      gzipSync('no tar'.repeat(200)),
    ]) {
      const source = new FakeSource();
      source.archives = [broken];
      await using opened = await openForTest(source, []);
      expect(opened.snapshot.refusal).toBe('archive_unreadable');
      expect(source.calls).toEqual(['archive', 'archive']);
    }
  });

  it('reads one by one where the provider has no archive, and passes on what is only for now', async () => {
    const none = new FakeSource();
    none.archives = [new AppError({ kind: 'permanent', code: 'not_found', message: 'no archive' })];
    none.addFile('a.ts', 'raw\n');
    await using opened = await openForTest(none, [changed('a.ts', 'raw\n')]);
    expect([opened.snapshot.refusal, opened.snapshot.listFiles()]).toEqual(['archive_unreadable', ['a.ts']]);

    const later = new AppError({ kind: 'transient', code: 'provider_unavailable', message: 'later' });
    const down = new FakeSource();
    down.archives = [later];
    await expect(openForTest(down, [])).rejects.toBe(later);
  });

  it('waits for its turn when other snapshots hold the disk', async () => {
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/a.ts', content: '0123456789' }])];
    const budget = createSnapshotBudget(15);
    await using first = await openForTest(source, [], { budget });
    expect(first.snapshot.listFiles()).toEqual(['a.ts']);
    await expect(openForTest(source, [], { budget })).rejects.toMatchObject({
      kind: 'transient',
      code: 'snapshot_budget_exhausted',
      retryAfterMs: 30_000,
    });
    expect(budget.usedBytes).toBe(10);
  });

  it('an abort ends the download with the reason and frees the disk', async () => {
    const budget = createSnapshotBudget();
    const source = new FakeSource();
    source.archives = [await tarGz([{ name: 'top/a.ts', content: 'x' }])];
    const reason = new AppError({ kind: 'stale', code: 'superseded', message: 'newer' });
    const openArchive = source.openArchive.bind(source);
    const controller = new AbortController();
    source.openArchive = async () => {
      const archive = await openArchive();
      controller.abort(reason);
      return archive;
    };
    await expect(openForTest(source, [], { budget, signal: controller.signal })).rejects.toBe(reason);
    expect(budget.usedBytes).toBe(0);
  });
});

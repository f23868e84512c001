import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScannedRow } from '../../../shared/state/ports.ts';
import { SUBJECTS, type Subject } from '../../sessions/storage-subjects.ts';

describe.each(SUBJECTS)('tables on $name', ({ startSubject }) => {
  let subject: Subject;
  let pk = 0;
  let partition = '';

  beforeAll(async () => {
    subject = await startSubject();
  });
  afterAll(() => subject.stop());
  beforeEach(() => {
    pk += 1;
    partition = pk.toString(16).padStart(32, '0');
  });

  const etagOf = async (rowKey: string): Promise<string> =>
    (await subject.table.get(partition, rowKey))?.etag ?? 'none';

  it('answers undefined for a row that is not there', async () => {
    expect(await subject.table.get(partition, 'h')).toBeUndefined();
  });

  it('gives every type back as it went in', async () => {
    const values = {
      text: "it's 100 % | ü 🚪",
      empty: '',
      flag: false,
      small: -7,
      fraction: 0.25,
      big: 1_795_999_999_123n,
      bytes: Uint8Array.of(0, 255, 16),
    };
    await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'a', values }]);
    const { bytes, ...others } = (await subject.table.get(partition, 'a'))?.values ?? {};
    expect(bytes instanceof Uint8Array && [...bytes]).toEqual([0, 255, 16]);
    expect(others).toEqual({
      text: "it's 100 % | ü 🚪",
      empty: '',
      flag: false,
      small: -7,
      fraction: 0.25,
      big: 1_795_999_999_123n,
    });
  });

  it('returns the ETag that the next replace needs, in action order', async () => {
    const first = await subject.table.transaction(partition, [
      { kind: 'create', rowKey: 'a', values: { n: 1 } },
      { kind: 'create', rowKey: 'b', values: { n: 1 } },
    ]);
    expect(first.kind === 'done' && first.etags).toEqual([await etagOf('a'), await etagOf('b')]);
    const second = await subject.table.transaction(partition, [
      { kind: 'delete', rowKey: 'b' },
      { kind: 'replace', rowKey: 'a', values: { n: 2 }, etag: await etagOf('a') },
    ]);
    expect(second.kind === 'done' && second.etags).toEqual(['', await etagOf('a')]);
    const single = await subject.table.transaction(partition, [
      { kind: 'replace', rowKey: 'a', values: { n: 3 }, etag: await etagOf('a') },
    ]);
    expect(single.kind === 'done' && single.etags).toEqual([await etagOf('a')]);
  });

  it.each([
    { action: 'create', status: 409, single: true },
    { action: 'create', status: 409, single: false },
    { action: 'replace', status: 412, single: true },
    { action: 'replace', status: 412, single: false },
    { action: 'replace-missing', status: 404, single: true },
    { action: 'replace-missing', status: 404, single: false },
    { action: 'merge-missing', status: 404, single: true },
    { action: 'merge-missing', status: 404, single: false },
    { action: 'delete-missing', status: 404, single: true },
    { action: 'delete-missing', status: 404, single: false },
  ] as const)('is unclear with $status for $action (alone: $single)', async ({ action, status, single }) => {
    await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'a', values: { n: 1 } }]);
    const old = await etagOf('a');
    await subject.table.transaction(partition, [{ kind: 'merge', rowKey: 'a', values: { n: 2 } }]);
    const refused = {
      create: { kind: 'create', rowKey: 'a', values: {} },
      replace: { kind: 'replace', rowKey: 'a', values: {}, etag: old },
      'replace-missing': { kind: 'replace', rowKey: 'm', values: {}, etag: old },
      'merge-missing': { kind: 'merge', rowKey: 'm', values: {} },
      'delete-missing': { kind: 'delete', rowKey: 'm' },
    } as const;
    const result = await subject.table.transaction(partition, [
      ...(single ? [] : [{ kind: 'upsert', rowKey: 'z', values: { n: 9 } } as const]),
      refused[action],
    ]);
    expect(result).toEqual({ kind: 'unclear', status });
    expect((await subject.table.get(partition, 'a'))?.values).toEqual({ n: 2 });
    // Nothing of a refused transaction is written.
    expect(await subject.table.get(partition, 'z')).toBeUndefined();
  });

  it('merges into a row, replaces it whole on upsert', async () => {
    const write = (kind: 'upsert' | 'merge', values: Record<string, number>) =>
      subject.table.transaction(partition, [{ kind, rowKey: 'a', values }]);
    await write('upsert', { x: 1, y: 1 });
    await write('merge', { y: 2 });
    expect((await subject.table.get(partition, 'a'))?.values).toEqual({ x: 1, y: 2 });
    await write('upsert', { y: 3 });
    expect((await subject.table.get(partition, 'a'))?.values).toEqual({ y: 3 });
  });

  it('lets one of 20 writers with the same ETag win', async () => {
    await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'l', values: { n: 0 } }]);
    const etag = await etagOf('l');
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        subject.table.transaction(partition, [
          { kind: 'replace', rowKey: 'l', values: { n }, etag },
          { kind: 'create', rowKey: `j${n}`, values: { n } },
        ]),
      ),
    );
    const winners = results.flatMap((result, n) => (result.kind === 'done' ? [n] : []));
    expect(winners).toHaveLength(1);
    const rows = await subject.table.range(partition, 'j', 'k');
    expect(rows.map(({ rowKey }) => rowKey)).toEqual([`j${winners[0]}`]);
  });

  it('lists a range in the order of row keys, its end excluded, over more than one page', async () => {
    const keys = Array.from({ length: 1050 }, (_, n) => `j${String(n + 1).padStart(12, '0')}`);
    const shuffled = keys.toReversed();
    for (let first = 0; first < shuffled.length; first += 100) {
      await subject.table.transaction(
        partition,
        shuffled.slice(first, first + 100).map((rowKey) => ({ kind: 'create', rowKey, values: {} })),
      );
    }
    for (const rowKey of ['h', 'l', 'm', 'f0']) {
      await subject.table.transaction(partition, [{ kind: 'create', rowKey, values: {} }]);
    }
    const rows = await subject.table.range(partition, 'h', 'l~');
    expect(rows.map(({ rowKey }) => rowKey)).toEqual(['h', ...keys, 'l']);
    expect((await subject.table.range(partition, 'h', 'l')).at(-1)?.rowKey).toBe('j000000001050');
    expect(await subject.table.range('0'.repeat(32), 'a', 'z')).toEqual([]);
  });

  it('scans partitions with only the columns asked for', async () => {
    const other = `f${partition.slice(1)}`;
    const values = { keep: 1, drop: 2 };
    await subject.table.transaction(other, [{ kind: 'create', rowKey: 'l', values }]);
    await subject.table.transaction(other, [{ kind: 'create', rowKey: 'h', values }]);
    const found: ScannedRow[] = [];
    for await (const row of subject.table.scan('f', 'g', ['keep'])) found.push(row);
    expect(found.map(({ partitionKey, rowKey, values: v }) => [partitionKey, rowKey, v])).toEqual([
      [other, 'h', { keep: 1 }],
      [other, 'l', { keep: 1 }],
    ]);
    expect(Math.abs((found[0]?.timestamp ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it.each([
    { what: 'no action', actions: [] },
    {
      what: '101 actions',
      actions: Array.from(
        { length: 101 },
        (_, n) => ({ kind: 'upsert', rowKey: `r${n}`, values: {} }) as const,
      ),
    },
    {
      what: 'a row twice',
      actions: [
        { kind: 'upsert', rowKey: 'a', values: {} },
        { kind: 'delete', rowKey: 'a' },
      ] as const,
    },
    {
      what: '253 properties',
      actions: [
        {
          kind: 'upsert',
          rowKey: 'a',
          values: Object.fromEntries(Array.from({ length: 253 }, (_, n) => [`p${n}`, 1])),
        } as const,
      ],
    },
    {
      what: 'a string of 32,769 characters',
      actions: [{ kind: 'upsert', rowKey: 'a', values: { s: 'x'.repeat(32_769) } } as const],
    },
    {
      what: 'a row of more than 1 MiB',
      actions: [
        {
          kind: 'upsert',
          rowKey: 'a',
          values: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`p${n}`, 'x'.repeat(32_000)])),
        } as const,
      ],
    },
    {
      what: 'a whole number above Int32',
      actions: [{ kind: 'upsert', rowKey: 'a', values: { n: 2 ** 31 } } as const],
    },
    { what: 'a slash in a key', actions: [{ kind: 'upsert', rowKey: 'a/b', values: {} } as const] },
    {
      what: 'a system property',
      actions: [{ kind: 'upsert', rowKey: 'a', values: { RowKey: 1 } } as const],
    },
  ])('refuses $what before it is sent', async ({ actions }) => {
    await expect(subject.table.transaction(partition, actions)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'storage_row_limit',
    });
    expect(await subject.table.range(partition, '!', '~')).toEqual([]);
  });

  it('stores what is just within the limits', async () => {
    const values = {
      s: 'x'.repeat(32_768),
      ...Object.fromEntries(Array.from({ length: 251 }, (_, n) => [`p${n}`, 2 ** 31 - 1])),
    };
    const result = await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'a', values }]);
    expect(result.kind).toBe('done');
    expect((await subject.table.get(partition, 'a'))?.values['p250']).toBe(2_147_483_647);
  });
});

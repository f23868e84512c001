import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineRow,
  enumColumn,
  flagColumn,
  int32Column,
  int64Column,
  isRowTooNew,
  jsonColumn,
  textColumn,
} from '../../../shared/state/define-row.ts';
import type { RowValues } from '../../../shared/state/ports.ts';

/** A row in its third version: `count` came with the second, `label` was `name` before the third. */
const thirdVersion = defineRow({
  name: 'example',
  version: 3,
  upgrades: [
    (values) => ({ ...values, count: 0 }),
    ({ name, ...values }) => ({ ...values, label: name ?? '' }),
  ],
  columns: { label: textColumn, count: int32Column },
});
const stored = (values: RowValues) => ({ rowKey: 'e', etag: 'W/"1"', values });

describe('a typed row', () => {
  const allTypes = defineRow({
    name: 'all',
    version: 1,
    upgrades: [],
    columns: {
      text: textColumn,
      small: int32Column,
      big: int64Column,
      flag: flagColumn,
      choice: enumColumn(['a', 'b']),
      json: jsonColumn(z.record(z.string(), z.string())),
    },
  });

  it('stores what the protocol needs as Int64 and reads the same values back', () => {
    const value = {
      text: '',
      small: -3,
      big: 1_796_000_123_456,
      flag: false,
      choice: 'b',
      json: { k: 'v' },
    } as const;
    const values = allTypes.encode(value);
    expect(values).toEqual({
      v: 1,
      text: '',
      small: -3,
      big: 1_796_000_123_456n,
      flag: false,
      choice: 'b',
      json: '{"k":"v"}',
    });
    expect(allTypes.decode(stored(values))).toEqual(value);
  });

  it('encodes only the given columns for a merge', () => {
    expect(allTypes.encodePart({ big: 7 })).toEqual({ v: 1, big: 7n });
  });

  it.each([
    { what: 'a missing column', change: { text: undefined } },
    { what: 'a number where Int64 belongs', change: { big: 5 } },
    { what: 'a value outside the closed set', change: { choice: 'c' } },
    { what: 'JSON of another shape', change: { json: '{"k":1}' } },
    { what: 'a fraction where a count belongs', change: { small: 0.5 } },
  ])('is unreadable with $what, and says which column', ({ change }) => {
    const value = { text: 't', small: 1, big: 1, flag: true, choice: 'a', json: {} } as const;
    const values = Object.entries({ ...allTypes.encode(value), ...change }).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, part] as const],
    );
    const read = () => allTypes.decode(stored(Object.fromEntries(values)));
    expect(read).toThrow(`row all e: unreadable columns ${Object.keys(change)[0]}`);
  });

  it('is unreadable without a schema version', () => {
    expect(() => allTypes.decode(stored({ text: 't' }))).toThrow('no schema version');
  });
});

describe('schema versions', () => {
  it('upgrade an older row when it is read, through every version between', () => {
    expect(thirdVersion.decode(stored({ v: 1, name: 'old' }))).toEqual({ label: 'old', count: 0 });
    expect(thirdVersion.decode(stored({ v: 2, name: 'newer', count: 4 }))).toEqual({
      label: 'newer',
      count: 4,
    });
    expect(thirdVersion.decode(stored({ v: 3, label: 'now', count: 5 }))).toEqual({ label: 'now', count: 5 });
  });

  it('leave a newer row alone', () => {
    let thrown: unknown;
    try {
      thirdVersion.decode(stored({ v: 4, title: 'future' }));
    } catch (error) {
      thrown = error;
    }
    expect(isRowTooNew(thrown)).toBe(true);
    expect(thrown).toMatchObject({ kind: 'transient', details: { row: 'example', stored: 4, known: 3 } });
  });

  it('need one upgrade for each older version', () => {
    const withoutUpgrade = () =>
      defineRow({ name: 'x', version: 2, upgrades: [], columns: { a: textColumn } });
    expect(withoutUpgrade).toThrow('one upgrade per older version');
  });
});

import type { z } from 'zod';
import { AppError } from '../domain/app-error.ts';
import type { Row, RowValue, RowValues } from './ports.ts';

/** How one column is stored. `storage` is the type name of the OData protocol, as docs/storage.md shows it. */
export interface Column<T> {
  readonly storage: 'String' | 'Int32' | 'Int64' | 'Boolean';
  encode(value: T): RowValue;
  /** Undefined when the stored value is not of this type. */
  decode(stored: RowValue | undefined): T | undefined;
}

export const textColumn: Column<string> = {
  storage: 'String',
  encode: (value) => value,
  decode: (stored) => (typeof stored === 'string' ? stored : undefined),
};

/** Counts that stay small. */
export const int32Column: Column<number> = {
  storage: 'Int32',
  encode: (value) => value,
  decode: (stored) => (typeof stored === 'number' && Number.isInteger(stored) ? stored : undefined),
};

/** Tickets, fences and epoch milliseconds: numbers up to 2^53 that are Int64 in the table. */
export const int64Column: Column<number> = {
  storage: 'Int64',
  encode: (value) => BigInt(value),
  decode: (stored) => (typeof stored === 'bigint' ? Number(stored) : undefined),
};

export const flagColumn: Column<boolean> = {
  storage: 'Boolean',
  encode: (value) => value,
  decode: (stored) => (typeof stored === 'boolean' ? stored : undefined),
};

/** One of a closed set of texts. */
export function enumColumn<T extends string>(values: readonly T[]): Column<T> {
  return {
    storage: 'String',
    encode: (value) => value,
    decode: (stored) => values.find((value) => value === stored),
  };
}

/** A value kept as JSON text and checked by `schema` when it is read. */
export function jsonColumn<T>(schema: z.ZodType<T>): Column<T> {
  return {
    storage: 'String',
    encode: (value) => JSON.stringify(value),
    decode(stored) {
      if (typeof stored !== 'string') return undefined;
      const parsed = schema.safeParse(JSON.parse(stored));
      return parsed.success ? parsed.data : undefined;
    },
  };
}

type Columns<T> = { readonly [K in keyof T]: Column<T[K]> };

export interface RowDefinition<T> {
  /** Name of the row in errors and documents, e.g. `head`. */
  readonly name: string;
  /** Schema version that this build writes, in column `v`. */
  readonly version: number;
  readonly columns: Columns<T>;
  /** upgrades[n] turns the columns of version n + 1 into those of version n + 2. */
  readonly upgrades: readonly ((values: RowValues) => RowValues)[];
}

export interface RowType<T> extends RowDefinition<T> {
  encode(value: T): RowValues;
  /** Only the given columns, for a merge. */
  encodePart(value: Partial<T>): RowValues;
  /**
   * Upgrades and checks a stored row.
   * @throws AppError `transient` `row_too_new` when a newer build wrote it: leave it alone and wait for that
   * build. Any other unreadable row throws an Error, a bug.
   */
  decode(row: Row): T;
}

/** True when a newer build wrote the row that `error` is about. */
export function isRowTooNew(error: unknown): boolean {
  return error instanceof AppError && error.code === 'row_too_new';
}

/** Declares a typed row: one table of columns that code, documents and tests share. */
export function defineRow<T extends object>(definition: RowDefinition<T>): RowType<T> {
  const { name, version, columns, upgrades } = definition;
  if (upgrades.length !== version - 1) throw new Error(`row ${name}: one upgrade per older version`);
  const names = Object.keys(columns).filter(
    (column): column is Extract<keyof T, string> => column in columns,
  );

  const encodePart = (value: Partial<T>): RowValues => {
    const values: Record<string, RowValue> = { v: version };
    for (const column of names) {
      const part = value[column];
      if (part !== undefined) values[column] = columns[column].encode(part);
    }
    return values;
  };

  return {
    ...definition,
    encode: encodePart,
    encodePart,
    decode(row) {
      const stored = row.values['v'];
      if (typeof stored !== 'number') throw new Error(`row ${name} ${row.rowKey}: no schema version`);
      if (stored > version) {
        throw new AppError({
          kind: 'transient',
          code: 'row_too_new',
          message: 'A newer build wrote this row; it is left alone until that build is back.',
          details: { row: name, stored, known: version },
        });
      }
      const values = upgrades.slice(stored - 1).reduce((current, upgrade) => upgrade(current), row.values);
      const decoded: Partial<T> = {};
      for (const column of names) {
        const value = columns[column].decode(values[column]);
        if (value !== undefined) decoded[column] = value;
      }
      if (isComplete(decoded, names)) return decoded;
      const unreadable = names.filter((column) => decoded[column] === undefined);
      throw new Error(`row ${name} ${row.rowKey}: unreadable columns ${unreadable.join(', ')}`);
    },
  };
}

function isComplete<T extends object>(value: Partial<T>, names: readonly (keyof T)[]): value is T {
  return names.every((column) => value[column] !== undefined);
}

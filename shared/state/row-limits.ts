import { AppError } from '../domain/app-error.ts';
import type { RowValue, RowValues, TableAction } from './ports.ts';

/**
 * Limits of Azure Table Storage, checked by us because Azurite enforces neither the size nor the number of
 * properties of an entity. https://learn.microsoft.com/azure/storage/tables/scalability-targets
 */
export const ROW_LIMITS = {
  actions: 100,
  transactionBytes: 4 * 1024 * 1024,
  rowBytes: 1024 * 1024,
  /** 255 less PartitionKey, RowKey and Timestamp. */
  properties: 252,
  /** 64 KiB of UTF-16 or of bytes. */
  valueBytes: 64 * 1024,
  keyCharacters: 512,
} as const;

// Characters that Table Storage forbids in keys, and `%`, which proxies decode.
const FORBIDDEN_IN_KEY = /[/\\#?%]|\p{Cc}/u;
const PROPERTY_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;
const SYSTEM_PROPERTIES: ReadonlySet<string> = new Set(['partitionkey', 'rowkey', 'timestamp', 'etag']);
const INT32_MAX = 2 ** 31 - 1;

/** @throws AppError `permanent` `storage_row_limit` when Table Storage would refuse the transaction. */
export function checkActions(partitionKey: string, actions: readonly TableAction[]): void {
  if (actions.length < 1 || actions.length > ROW_LIMITS.actions) {
    throw limit(`a transaction needs 1 to ${ROW_LIMITS.actions} actions`, { actions: actions.length });
  }
  checkKey(partitionKey);
  const seen = new Set<string>();
  let total = 0;
  for (const action of actions) {
    checkKey(action.rowKey);
    if (seen.has(action.rowKey)) throw limit('a transaction names a row twice', { rowKey: action.rowKey });
    seen.add(action.rowKey);
    if (action.kind === 'delete') continue;
    const bytes = rowBytes(partitionKey, action.rowKey, action.values);
    if (bytes > ROW_LIMITS.rowBytes) {
      throw limit('a row is larger than 1 MiB', { rowKey: action.rowKey, bytes });
    }
    total += bytes;
  }
  if (total > ROW_LIMITS.transactionBytes)
    throw limit('a transaction is larger than 4 MiB', { bytes: total });
}

/** Size of a row as Table Storage counts it. Throws when one value or name is not storable. */
function rowBytes(partitionKey: string, rowKey: string, values: RowValues): number {
  const names = Object.keys(values);
  if (names.length > ROW_LIMITS.properties) {
    throw limit(`a row has more than ${ROW_LIMITS.properties} properties`, {
      rowKey,
      properties: names.length,
    });
  }
  let bytes = 4 + 2 * (partitionKey.length + rowKey.length);
  for (const name of names) {
    const value = values[name];
    if (value === undefined) continue;
    if (!PROPERTY_NAME.test(name) || SYSTEM_PROPERTIES.has(name.toLowerCase())) {
      throw limit('a property name is not allowed', { rowKey, property: name });
    }
    const size = valueBytes(value);
    if (size === undefined) throw limit('a number is not storable as it is', { rowKey, property: name });
    if (size > ROW_LIMITS.valueBytes)
      throw limit('a value is larger than 64 KiB', { rowKey, property: name });
    bytes += 8 + 2 * name.length + size;
  }
  return bytes;
}

/** Undefined for numbers that do not come back as they went in: whole ones are Int32 in the SDK. */
function valueBytes(value: RowValue): number | undefined {
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value === 'boolean') return 1;
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? 8 : undefined;
  if (typeof value !== 'number') return value.byteLength;
  if (!Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && Math.abs(value) > INT32_MAX ? undefined : 8;
}

function checkKey(key: string): void {
  if (key.length > ROW_LIMITS.keyCharacters || FORBIDDEN_IN_KEY.test(key)) {
    throw limit('a key is too long or has a forbidden character', { length: key.length });
  }
}

function limit(message: string, details: Readonly<Record<string, string | number>>): AppError {
  return new AppError({ kind: 'permanent', code: 'storage_row_limit', message, details });
}

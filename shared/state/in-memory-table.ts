import type {
  Row,
  RowValues,
  ScannedRow,
  TableAction,
  TablePort,
  TableScanPort,
  WriteResult,
} from './ports.ts';
import { checkActions } from './row-limits.ts';

interface StoredRow {
  readonly etag: string;
  readonly values: RowValues;
  readonly timestamp: number;
}

/** Rows in memory with the semantics of Table Storage; synchronous, so that a simulator can own the order. */
export interface TableMemory {
  get(partitionKey: string, rowKey: string): Row | undefined;
  range(partitionKey: string, from: string, to: string): Row[];
  /** All or nothing. 409 for a create that exists, 404 for a missing row, 412 for another ETag. */
  apply(partitionKey: string, actions: readonly TableAction[]): WriteResult;
  scan(from: string, to: string): ScannedRow[];
}

/** `now` gives the timestamp of changes, in epoch milliseconds. */
export function createTableMemory(now: () => number): TableMemory {
  const partitions = new Map<string, Map<string, StoredRow>>();
  // Versions outlive their rows: an ETag must never come back after a delete.
  const versions = new Map<string, number>();

  const sortedKeys = (rows: ReadonlyMap<string, StoredRow>): string[] =>
    [...rows.keys()].toSorted(byCodeUnit);

  return {
    get(partitionKey, rowKey) {
      const stored = partitions.get(partitionKey)?.get(rowKey);
      return stored === undefined ? undefined : { rowKey, etag: stored.etag, values: stored.values };
    },

    range(partitionKey, from, to) {
      const rows = partitions.get(partitionKey);
      if (rows === undefined) return [];
      return sortedKeys(rows)
        .filter((key) => key >= from && key < to)
        .map((rowKey) => ({ rowKey, etag: rows.get(rowKey)!.etag, values: rows.get(rowKey)!.values }));
    },

    apply(partitionKey, actions) {
      checkActions(partitionKey, actions);
      const rows = partitions.get(partitionKey) ?? new Map<string, StoredRow>();
      for (const action of actions) {
        const status = refusal(rows.get(action.rowKey), action);
        if (status !== undefined) return { kind: 'unclear', status };
      }
      partitions.set(partitionKey, rows);
      const etags = actions.map((action) => {
        if (action.kind === 'delete') {
          rows.delete(action.rowKey);
          return '';
        }
        const version = (versions.get(`${partitionKey}/${action.rowKey}`) ?? 0) + 1;
        versions.set(`${partitionKey}/${action.rowKey}`, version);
        const etag = `W/"${action.rowKey}.${version}"`;
        const before = action.kind === 'merge' ? rows.get(action.rowKey)?.values : undefined;
        rows.set(action.rowKey, { etag, values: { ...before, ...action.values }, timestamp: now() });
        return etag;
      });
      return { kind: 'done', etags };
    },

    scan(from, to) {
      const found: ScannedRow[] = [];
      for (const partitionKey of [...partitions.keys()].toSorted(byCodeUnit)) {
        if (partitionKey < from || partitionKey >= to) continue;
        const rows = partitions.get(partitionKey)!;
        for (const rowKey of sortedKeys(rows)) found.push({ partitionKey, rowKey, ...rows.get(rowKey)! });
      }
      return found;
    },
  };
}

/** The twin of createTable: the same promises over memory. */
export function createInMemoryTable(now: () => number): TablePort & TableScanPort {
  const memory = createTableMemory(now);
  return {
    get: async (partitionKey, rowKey) => memory.get(partitionKey, rowKey),
    range: async (partitionKey, from, to) => memory.range(partitionKey, from, to),
    transaction: async (partitionKey, actions) => memory.apply(partitionKey, actions),
    async *scan(from, to, columns) {
      for (const row of memory.scan(from, to)) {
        const selected = Object.entries(row.values).filter(([name]) => columns.includes(name));
        yield { ...row, values: Object.fromEntries(selected) };
      }
    },
  };
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The status that refuses `action`; undefined when it may be done. */
function refusal(stored: StoredRow | undefined, action: TableAction): number | undefined {
  if (action.kind === 'upsert') return undefined;
  if (action.kind === 'create') return stored === undefined ? undefined : 409;
  if (stored === undefined) return 404;
  if (action.kind !== 'replace' || action.etag === '*') return undefined;
  return action.etag === stored.etag ? undefined : 412;
}

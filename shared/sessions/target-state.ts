import type { Row, RowValue, TableAction, TablePort } from '../state/ports.ts';

/**
 * True when the rows of `actions` are as those actions leave them. For rows that only the caller writes: then it
 * tells whether a transaction with an unclear answer was carried out. A status never does, since a 404 or 409 may
 * be the answer to a repeated request whose first try succeeded.
 */
export async function areInTarget(
  table: TablePort,
  partitionKey: string,
  actions: readonly TableAction[],
): Promise<boolean> {
  for (const action of actions) {
    const row = await table.get(partitionKey, action.rowKey);
    if (!isInTarget(row, action)) return false;
  }
  return true;
}

function isInTarget(row: Row | undefined, action: TableAction): boolean {
  if (action.kind === 'delete') return row === undefined;
  return (
    row !== undefined &&
    Object.entries(action.values).every(([name, value]) => isSameValue(row.values[name], value))
  );
}

function isSameValue(stored: RowValue | undefined, wanted: RowValue): boolean {
  if (stored instanceof Uint8Array && wanted instanceof Uint8Array) {
    return Buffer.compare(stored, wanted) === 0;
  }
  return stored === wanted;
}

import type { TableAction } from '../../../shared/state/ports.ts';

/** What the labels of later calls depend on. */
export interface Position {
  readonly role: 'ingress' | 'worker' | 'poison' | 'other';
  /** Label of the last transaction of this process. */
  lastTransaction: string;
}

/** Names the step of the protocol that a transaction is, by what it writes. */
export function labelTransaction(actions: readonly TableAction[]): string {
  const keyed = (prefix: string): TableAction[] => actions.filter(({ rowKey }) => rowKey.startsWith(prefix));
  if (keyed('d').length > 0) return 'A2.tx';
  if (keyed('x').length > 0) return actions[0]?.kind === 'create' ? 'dead.create-x' : 'other.tx';
  const [lease] = keyed('l');
  const jobs = keyed('j');
  if (lease !== undefined && lease.kind !== 'delete' && jobs.length === 0 && keyed('s').length === 0) {
    if (lease.values['owner'] === '') return keyed('h').length > 0 ? 'R1.tx' : 'R2.tx';
    return 'lease.tx';
  }
  const deletes = jobs.filter(({ kind }) => kind === 'delete');
  const merged = jobs.flatMap((action) => (action.kind === 'merge' ? Object.keys(action.values) : []));
  if (keyed('s').length > 0) return deletes.length > 0 ? 'settle.tx' : 'give-back.tx';
  if (deletes.length > 0) return 'remove.tx';
  if (merged.includes('kind')) return 'to-failed.tx';
  if (merged.includes('notBefore')) return 'defer.tx';
  if (merged.includes('attempts')) return 'attempt.tx';
  return 'other.tx';
}

/** Names the step that a read of one row is. */
export function labelGet(rowKey: string, position: Position): string {
  if (position.role === 'ingress') {
    return { h: 'A1.get-h', d: 'A2.get-d', x: 'A2.get-x' }[rowKey[0] ?? ''] ?? 'other.get';
  }
  if (rowKey === 'l') {
    const after = position.lastTransaction;
    if (after === 'W3.tx' || after === 'R1.tx') return `${after.slice(0, 2)}.get-l`;
    return 'fenced.get-l';
  }
  return (
    { h: 'renew.get-h', d: 'W0.get-d', x: 'dead.get-x', s: 'W4.get-s', j: 'fenced.get-j' }[rowKey[0] ?? ''] ??
    'other.get'
  );
}

/** Names the step that a sent message is. */
export function labelSend(
  body: Readonly<Record<string, unknown>>,
  position: Position,
  received: unknown,
): string {
  if (position.role === 'ingress') return body['delivery'] === undefined ? 'A3.send' : 'A0.send';
  if (position.role === 'poison') return 'poison.send';
  if (body['delivery'] !== undefined) return 'W0.send';
  if (body['guard'] !== undefined) return body['guard'] === received ? 'W1.send' : 'W2.send';
  return 'R2.send';
}

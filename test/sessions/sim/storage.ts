import type { SessionStore } from '../../../shared/sessions/store.ts';
import type { SessionTimings } from '../../../shared/sessions/timings.ts';
import type { QueueMemory } from '../../../shared/state/in-memory-queue.ts';
import type { TableMemory } from '../../../shared/state/in-memory-table.ts';
import type { Row, TableAction, WriteResult } from '../../../shared/state/ports.ts';
import type { Engine, Process } from './engine.ts';
import { labelGet, labelSend, labelTransaction, type Position } from './labels.ts';
import type { Model } from './model.ts';

/** The storage of the world, and how it is read: a range in one page, or row by row as the worst case. */
export interface SimStorage {
  readonly table: TableMemory;
  readonly queue: QueueMemory;
  readonly rowsPerPage: number;
  readonly timings: SessionTimings;
}

/** The store port of one process: every call waits for the scheduler, then happens at once. */
export function storeOf(
  engine: Engine,
  storage: SimStorage,
  model: Model,
  process: Process,
  position: Position,
  received: unknown,
): SessionStore {
  const { table, queue } = storage;

  const write = (partition: string, actions: readonly TableAction[]): WriteResult => {
    const rows = new Map<string, Row | undefined>();
    for (const key of ['h', 'l', 's', ...actions.map(({ rowKey }) => rowKey)]) {
      rows.set(key, table.get(partition, key));
    }
    const result = table.apply(partition, actions);
    if (result.kind === 'done') model.written(process, partition, actions, (key) => rows.get(key));
    return result;
  };

  return {
    clock: process.clock,
    random: process.random,
    timings: storage.timings,
    table: {
      get: (partition, key) =>
        engine.call(process, labelGet(key, position), 'get', () => table.get(partition, key)),

      async range(partition, from, to) {
        const isQuery = from === 'h';
        const label = isQuery ? (position.lastTransaction === '' ? 'W0.query' : 'W4.query') : 'renew.range-j';
        const rows: Row[] = [];
        for (let start = from; ;) {
          const page = await engine.call(process, label, 'range', () =>
            table.range(partition, start, to).slice(0, storage.rowsPerPage),
          );
          rows.push(...page);
          const last = page.at(-1);
          if (last === undefined || page.length < storage.rowsPerPage) return rows;
          start = `${last.rowKey}\u0000`;
        }
      },

      transaction(partition, actions) {
        let label = labelTransaction(actions);
        if (label === 'lease.tx') {
          const [lease] = actions;
          const fence = lease !== undefined && lease.kind !== 'delete' ? lease.values['fence'] : undefined;
          const isNew = lease?.kind === 'create' || fence !== table.get(partition, 'l')?.values['fence'];
          label = isNew && position.lastTransaction !== 'renew.tx' ? 'W3.tx' : 'renew.tx';
        }
        position.lastTransaction = label;
        return engine.call(process, label, 'transaction', () => write(partition, actions));
      },
    },
    queue: {
      send: (body, delayMs) =>
        engine.call(process, labelSend(body, position, received), 'send', () => queue.send(body, delayMs)),
      reschedule: (receipt, body, delayMs) =>
        engine.call(
          process,
          'A3.reschedule',
          'reschedule',
          () => queue.update(receipt, body, delayMs) !== undefined,
        ),
      delete: (receipt) =>
        engine.call(process, `${position.lastTransaction.slice(0, 2)}.delete-guard`, 'delete', () => {
          queue.delete(receipt);
        }),
    },
  };
}

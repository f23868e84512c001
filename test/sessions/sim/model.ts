import type { Row, RowValues, TableAction } from '../../../shared/state/ports.ts';
import type { TableMemory } from '../../../shared/state/in-memory-table.ts';
import type { QueueMemory } from '../../../shared/state/in-memory-queue.ts';
import type { Process } from './engine.ts';
import type { Invariant, Violation } from './violation.ts';

/** What the model knows of one job besides its row. */
export interface JobRecord {
  readonly ticket: number;
  readonly jobClass: string;
  /** Runs that were started and not given back, by kind: the job itself, then its report. */
  readonly starts: { job: number; report: number };
  /** Ended runs that said so themselves: the process that may settle the job. */
  readonly endedBy: Set<Process>;
  /** Processes whose control decision removes the job. */
  readonly removedBy: Set<Process>;
  settled: 'run' | 'superseded' | 'control' | 'dead' | undefined;
}

/** Watches every change of one simulated storage and says which promise is broken first. */
export interface Model {
  violation(): Violation | undefined;
  fail(invariant: Invariant, detail: string): void;
  /** Called with a transaction that was carried out. `before` reads the rows as they were. */
  written(
    process: Process,
    partition: string,
    actions: readonly TableAction[],
    before: (key: string) => Row | undefined,
  ): void;
  /** Called after every step. */
  check(): void;
  record(partition: string, ticket: number): JobRecord;
  records(): readonly JobRecord[];
}

export function createModel(
  table: TableMemory,
  queues: { readonly wake: QueueMemory; readonly poison: QueueMemory },
  maxMessages: number,
): Model {
  let violation: Violation | undefined;
  const records = new Map<string, JobRecord>();
  /** The process that took the lease last, by partition. */
  const holders = new Map<string, Process>();
  const lastSettled = new Map<string, number>();
  const partitions = new Set<string>();

  const fail = (invariant: Invariant, detail: string): void => {
    violation ??= { invariant, detail };
  };
  const record = (partition: string, ticket: number): JobRecord => {
    const found = records.get(`${partition}/${ticket}`);
    if (found === undefined) throw new Error(`job ${ticket} was never appended`);
    return found;
  };

  const checkAppend = (partition: string, action: TableAction, before: Row | undefined): void => {
    const ticket = Number(action.rowKey.slice(1));
    const known = [...records.keys()].filter((key) => key.startsWith(partition)).length;
    if (before !== undefined || ticket !== known + 1) {
      fail('tickets-gap-free', `ticket ${ticket} appended after ${known} jobs`);
    }
    const values = action.kind === 'delete' ? undefined : action.values;
    records.set(`${partition}/${ticket}`, {
      ticket,
      jobClass: text(values, 'class'),
      starts: { job: 0, report: 0 },
      endedBy: new Set(),
      removedBy: new Set(),
      settled: undefined,
    });
    if (count(table.get(partition, 'h')?.values, 'next') !== ticket + 1) {
      fail('tickets-gap-free', `head does not follow ticket ${ticket}`);
    }
  };

  const checkRemoval = (process: Process, partition: string, key: string): void => {
    const job = records.get(`${partition}/${Number(key.slice(1))}`);
    if (job === undefined) return;
    const newestPush = count(table.get(partition, 'h')?.values, 'newestPush');
    const how = job.endedBy.has(process)
      ? 'run'
      : job.removedBy.has(process)
        ? 'control'
        : table.get(partition, `x${key.slice(1)}`) !== undefined
          ? 'dead'
          : job.jobClass === 'push' && newestPush > job.ticket
            ? 'superseded'
            : undefined;
    if (how === undefined) fail('settles-exactly-once', `job ${job.ticket} removed without a reason`);
    if (job.settled !== undefined) fail('settles-exactly-once', `job ${job.ticket} settled twice`);
    job.settled = how;
    if (how !== 'run') return;
    const order = `${partition}/${job.jobClass}`;
    if ((lastSettled.get(order) ?? 0) > job.ticket) {
      fail('settled-in-order', `${job.jobClass} ${job.ticket} after ${lastSettled.get(order)}`);
    }
    lastSettled.set(order, job.ticket);
  };

  const checkLease = (process: Process, partition: string, before: Row | undefined): void => {
    const after = table.get(partition, 'l');
    if (after === undefined) {
      if (before !== undefined) fail('fence-only-grows', 'the lease was deleted');
      return;
    }
    const oldFence = count(before?.values, 'fence');
    const newFence = count(after.values, 'fence');
    if (newFence < oldFence) fail('fence-only-grows', `fence ${oldFence} became ${newFence}`);
    if (newFence > oldFence) holders.set(partition, process);
  };

  return {
    violation: () => violation,
    fail,
    record,
    records: () => [...records.values()],

    written(process, partition, actions, before) {
      partitions.add(partition);
      const lease = before('l');
      const isHolder = holders.get(partition) === process && text(lease?.values, 'owner') !== '';
      for (const action of actions) {
        const row = before(action.rowKey);
        const kind = action.rowKey[0];
        if (kind === 'l') checkLease(process, partition, lease);
        if (kind === 's' && settledRuns(table.get(partition, 's')) < settledRuns(row)) {
          fail('state-is-kept', `${process.name} wrote an older state`);
        }
        if (kind === 'j' && action.kind === 'create') checkAppend(partition, action, row);
        const isTaking = kind === 'l' && holders.get(partition) === process && !isHolder;
        const isGuarded = (kind === 'j' && action.kind !== 'create') || kind === 's' || kind === 'l';
        if (isGuarded && !isHolder && !isTaking) {
          fail('only-the-holder-writes', `${process.name} wrote ${action.rowKey}`);
        }
        if (kind === 'j' && action.kind === 'delete' && row !== undefined) {
          checkRemoval(process, partition, action.rowKey);
        }
      }
    },

    check() {
      const messages = queues.wake.list().length + queues.poison.list().length;
      if (messages > maxMessages) fail('messages-stay-few', `${messages} messages`);
      for (const partition of partitions) {
        const [job] = table.range(partition, 'j', 'k');
        if (job === undefined) continue;
        const lease = table.get(partition, 'l');
        const fence = count(lease?.values, 'fence');
        const isTaken = text(lease?.values, 'owner') !== '';
        const finds = (body: Readonly<Record<string, unknown>>): boolean => {
          const guard = body['guard'];
          if (guard === undefined) return !isTaken;
          return isTaken ? guard === fence : Number(guard) >= fence;
        };
        if (![...queues.wake.list(), ...queues.poison.list()].some(({ body }) => finds(body))) {
          fail(
            'pending-job-has-a-message',
            `${job.rowKey} with ${isTaken ? 'a holder without guard' : 'no message'}`,
          );
        }
      }
    },
  };
}

function text(values: RowValues | undefined, name: string): string {
  const value = values?.[name];
  return typeof value === 'string' ? value : '';
}

function count(values: RowValues | undefined, name: string): number {
  const value = values?.[name];
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : 0;
}

/** The counter that simulated jobs keep in the state. */
function settledRuns(row: Row | undefined): number {
  const match = /"lastRunId":"(\d+)"/.exec(text(row?.values, 'state'));
  return Number(match?.[1] ?? 0);
}

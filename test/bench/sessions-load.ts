import { QueueClient } from '@azure/storage-queue';
import { startStorage } from '../sessions/azurite-storage.ts';
import { CLEAN_REPORT } from '../sessions/sim/job.ts';
import { seededRandom } from '../sessions/sim/random.ts';
import type { NewJob } from '../../shared/domain/job.ts';
import type { PullRequestRef } from '../../shared/domain/pull-request.ts';
import type { Logger } from '../../shared/observability/ports.ts';
import { systemClock, systemRandom } from '../../shared/observability/system-clock.ts';
import { appendJob } from '../../shared/sessions/append.ts';
import { decideControl } from '../../shared/sessions/control.ts';
import { drainMessage } from '../../shared/sessions/drain.ts';
import type { DrainDeps } from '../../shared/sessions/ports.ts';
import type { SessionStore } from '../../shared/sessions/store.ts';
import { SESSION_TIMINGS } from '../../shared/sessions/timings.ts';
import { createQueue } from '../../shared/state/azure-queue.ts';
import { createTable } from '../../shared/state/azure-table.ts';
import { decodeMessage } from '../../shared/state/message-encoding.ts';
import { QUEUES, TABLES } from '../../shared/state/names.ts';
import type { TablePort } from '../../shared/state/ports.ts';

export interface Load {
  readonly deliveries: number;
  readonly pullRequests: number;
  readonly workers: number;
  /** Deliveries under way at once. */
  readonly senders: number;
  /** What a job takes. Reviews take minutes: the shorter, the less is coalesced and the more a delivery costs. */
  readonly jobMs: number;
  readonly seed: number;
}

export interface LoadResult {
  readonly ackMs: readonly number[];
  readonly ackCalls: number;
  readonly drainCalls: number;
  /** Transactions that were answered with a conflict. */
  readonly conflicts: number;
  readonly runs: number;
  readonly superseded: number;
  readonly controls: number;
  readonly totalMs: number;
}

interface Counter {
  calls: number;
  conflicts: number;
}

/** Delivers `deliveries` while workers drain, on an Azurite of its own, until every job is settled. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { azurite, config } = await startStorage();
  try {
    const ack: Counter = { calls: 0, conflicts: 0 };
    const drain: Counter = { calls: 0, conflicts: 0 };
    const open = (counter: Counter): SessionStore => ({
      table: countedTable(createTable(config, TABLES.sessions), counter),
      queue: counted(createQueue(config, QUEUES.wake), counter),
      clock: systemClock,
      random: systemRandom,
      timings: SESSION_TIMINGS,
    });
    const settled = { runs: 0, superseded: 0, controls: 0 };
    const startedAt = performance.now();
    const ackMs: number[] = [];
    const random = seededRandom(load.seed);
    let next = 0;
    const send = async (store: SessionStore): Promise<void> => {
      for (let n = next++; n < load.deliveries; n = next++) {
        const before = performance.now();
        await appendJob(store, {
          pr: pullRequest(Math.floor(random() * load.pullRequests)),
          deliveryKey: `delivery ${n}`,
          job: someJob(random()),
        });
        ackMs.push(performance.now() - before);
      }
    };
    const isDone = (): boolean => settled.runs + settled.superseded + settled.controls >= load.deliveries;
    const work = async (store: SessionStore): Promise<void> => {
      const receiver = new QueueClient(azurite.connectionString, QUEUES.wake);
      const deps = benchDeps(load.jobMs, settled);
      while (!isDone()) {
        const { receivedMessageItems } = await receiver.receiveMessages({ visibilityTimeout: 600 });
        const [message] = receivedMessageItems;
        if (message === undefined) {
          await systemClock.sleep(5);
          continue;
        }
        await drainMessage(store, decodeMessage(message.messageText), deps);
        await receiver.deleteMessage(message.messageId, message.popReceipt);
      }
    };
    await Promise.all([
      ...Array.from({ length: load.senders }, () => send(open(ack))),
      ...Array.from({ length: load.workers }, () => work(open(drain))),
    ]);
    return {
      ackMs,
      ackCalls: ack.calls,
      drainCalls: drain.calls,
      conflicts: ack.conflicts + drain.conflicts,
      ...settled,
      totalMs: performance.now() - startedAt,
    };
  } finally {
    await azurite.stop();
  }
}

function benchDeps(
  jobMs: number,
  settled: { runs: number; superseded: number; controls: number },
): DrainDeps {
  const see = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const tickets = fields['tickets'] ?? fields['removed'];
    if (event === 'job.settled') settled.runs += 1;
    if (event === 'job.superseded' && Array.isArray(tickets)) settled.superseded += tickets.length;
    if (event === 'control.applied') settled.controls += 1;
  };
  const log: Logger = { debug: see, info: see, warn: see, error: see, child: () => log };
  return {
    log,
    applyControl: async (control, context) => decideControl(control, context),
    runJob: async (_job, { state, signal }) => {
      await systemClock.sleep(jobMs, signal);
      return { kind: 'settled', report: CLEAN_REPORT, state };
    },
  };
}

function pullRequest(n: number): PullRequestRef {
  return { provider: 'github', instance: 'main', repositoryId: '1', number: n + 1, repository: 'octo/hello' };
}

/** Of ten deliveries six are pushes, three are comments, one is a control job that drops nothing. */
function someJob(random: number): NewJob {
  if (random < 0.6)
    return { kind: 'review.incremental', class: 'push', cause: 'pull_request.synchronize', ids: {} };
  if (random < 0.9) return { kind: 'comment', class: 'command', cause: 'issue_comment.created', ids: {} };
  return { kind: 'control', class: 'control', cause: 'issue_comment.created', ids: { action: 'resume' } };
}

function counted<T extends object>(port: T, counter: Counter): T {
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        counter.calls += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

function countedTable(table: TablePort, counter: Counter): TablePort {
  const inner = counted(table, counter);
  return {
    get: (partition, key) => inner.get(partition, key),
    range: (partition, from, to) => inner.range(partition, from, to),
    async transaction(partition, actions) {
      const result = await inner.transaction(partition, actions);
      if (result.kind === 'unclear') counter.conflicts += 1;
      return result;
    },
  };
}

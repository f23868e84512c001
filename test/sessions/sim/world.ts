import type { NewJob } from '../../../shared/domain/job.ts';
import type { PullRequestRef } from '../../../shared/domain/pull-request.ts';
import type { Logger } from '../../../shared/observability/ports.ts';
import { CONTROL_ACTION_ID, type ApplyControl } from '../../../shared/sessions/ports.ts';
import { SESSION_TIMINGS } from '../../../shared/sessions/timings.ts';
import {
  createQueueMemory,
  type QueueMemory,
  type ReceivedMessage,
} from '../../../shared/state/in-memory-queue.ts';
import { createTableMemory, type TableMemory } from '../../../shared/state/in-memory-table.ts';
import { deliveryKey, sessionPartition } from '../../../shared/state/keys.ts';
import { createEngine, type Call, type Engine, type Offer, type Process } from './engine.ts';
import type { Fault } from './faults.ts';
import { BEHAVIOUR_ID, simulatedRunner, type RunRecord } from './job.ts';
import { createModel, type Model } from './model.ts';
import { hashText } from './random.ts';
import type { Protocol } from './protocol.ts';
import type { Scenario, SimEvent } from './scenario.ts';
import { storeOf, type SimStorage } from './storage.ts';

/** 30 November 2026: a plausible epoch, and no round number that a bug could produce. */
export const START_MS = 1_796_000_123_456;
/** The queue's host hides what it received for a fixed time and renews at half of it. */
const HOST_HIDE_MS = 600_000;
const HOST_RETRY_MS = 30_000;
/** As in host.json; scenarios lower it for the wake queue alone, to meet the poison queue sooner. */
const POISON_MAX_DEQUEUE_COUNT = 20;

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => SILENT,
};

export interface World {
  readonly engine: Engine;
  readonly model: Model;
  readonly table: TableMemory;
  readonly wake: QueueMemory;
  readonly poison: QueueMemory;
  readonly runs: RunRecord[];
  /** Result of every ingress request that was answered, by index of the event. */
  readonly acknowledged: Map<number, string>;
  /** What can happen now besides the processes: webhooks, receives. */
  offers(): Offer[];
  /** Lets `during` run as one process of its own with a store. */
  startOther(
    name: string,
    during: (store: ReturnType<typeof storeOf>, process: Process) => Promise<void>,
  ): void;
}

export interface WorldOptions {
  readonly outageMs?: number;
  readonly log?: Logger;
  readonly keepsHistory?: boolean;
  readonly observe?: (call: Call, fault: Fault | undefined) => void;
}

export function pullRequest(n: number): PullRequestRef {
  return { provider: 'github', instance: 'main', repositoryId: '4711', number: n, repository: 'octo/hello' };
}

export function createWorld(protocol: Protocol, scenario: Scenario, options: WorldOptions = {}): World {
  const engine = createEngine({
    startAt: START_MS,
    observe: (call, fault) => options.observe?.(call, fault),
    keepsHistory: options.keepsHistory ?? false,
  });
  const table = createTableMemory(engine.now);
  const wake = createQueueMemory(engine.now);
  const poison = createQueueMemory(engine.now);
  const model = createModel(table, { wake, poison }, maxMessages(scenario));
  const storage: SimStorage = {
    table,
    queue: wake,
    rowsPerPage: scenario.rowsPerPage,
    timings: SESSION_TIMINGS,
  };
  const runs: RunRecord[] = [];
  const acknowledged = new Map<number, string>();
  const started = new Set<number>();
  const slots = scenario.workerSkewsMs.map((skewMs, index) => ({ index, skewMs, handled: 0, busy: false }));
  let isPoisonBusy = false;
  let receives = 0;
  let others = 0;
  const log = options.log ?? SILENT;

  const startIngress = (index: number, event: SimEvent): void => {
    started.add(index);
    const process = engine.startProcess(`i${index}`, scenario.ingressSkewMs);
    const store = storeOf(
      engine,
      storage,
      model,
      process,
      { role: 'ingress', lastTransaction: '' },
      undefined,
    );
    const pr = pullRequest(event.pr ?? 1);
    protocol.appendJob(store, { pr, deliveryKey: event.delivery, job: newJob(event) }).then(
      (result) => {
        if (!process.isAlive) return;
        acknowledged.set(index, result);
        if (table.get(sessionPartition(pr), deliveryKey(event.delivery)) === undefined) {
          model.fail('acknowledged-is-durable', `delivery ${event.delivery} was answered 202`);
        }
      },
      () => undefined,
    );
  };

  /** One invocation of a queue-triggered function, with the host's receive, renewals, delete and retry. */
  const handle = (
    process: Process,
    queue: QueueMemory,
    message: ReceivedMessage,
    run: () => Promise<unknown>,
    done: () => void,
  ): void => {
    let receipt: { messageId: string; popReceipt: string } = message;
    let cancel: (() => void) | undefined;
    const renewAt = (time: number): void => {
      cancel = engine.at(time, () => {
        if (process.frozenUntil > engine.now()) return renewAt(process.frozenUntil);
        receipt = queue.update(receipt, message.body, HOST_HIDE_MS) ?? receipt;
        renewAt(engine.now() + HOST_HIDE_MS / 2);
      });
    };
    renewAt(engine.now() + HOST_HIDE_MS / 2);
    const end = (): void => {
      cancel?.();
      done();
    };
    process.onKill.push(end);
    const finish = (label: string, step: () => void): Promise<void> =>
      engine.call(process, label, 'other', step).then(end, end);
    // A poison queue has no poison queue: what fails there too often stays, and only the sweep helps its job.
    const maxDequeueCount = queue === wake ? scenario.maxDequeueCount : POISON_MAX_DEQUEUE_COUNT;
    const isTooOften = message.dequeueCount > maxDequeueCount;
    const toPoison = (): void => {
      if (queue === wake) poison.send(message.body, 0);
      if (queue === wake) queue.delete(receipt);
    };
    if (isTooOften) {
      void finish('host.poison', toPoison);
      return;
    }
    run().then(
      () => finish('host.delete', () => queue.delete(receipt)),
      (error: unknown) => {
        log.warn('host.retried', { error });
        return finish('host.retry', () => {
          if (message.dequeueCount >= maxDequeueCount) toPoison();
          else queue.update(receipt, message.body, HOST_RETRY_MS);
        });
      },
    );
  };

  const receiveWake = (slot: (typeof slots)[number], messageId: string): void => {
    const message = wake.receive(HOST_HIDE_MS, messageId);
    if (message === undefined) return;
    receives += 1;
    // At least once: the service may show a message to a second receiver.
    if (scenario.doubledReceives.includes(receives)) wake.update(message, message.body, 0);
    slot.handled += 1;
    slot.busy = true;
    const process = engine.startProcess(`w${slot.index}.${slot.handled}`, slot.skewMs);
    process.history = hashText(JSON.stringify(message.body));
    const position = { role: 'worker' as const, lastTransaction: '' };
    const store = storeOf(engine, storage, model, process, position, message.body['guard']);
    const applyControl: ApplyControl = async (control, context) => {
      const decision = protocol.decideControl(control, context);
      if (context.running === undefined) {
        model.record(context.partitionKey, control.ticket).removedBy.add(process);
        const removed = decision.kind === 'applied' ? decision.removed : [];
        for (const ticket of removed) model.record(context.partitionKey, ticket).removedBy.add(process);
      }
      return decision;
    };
    const outageUntil = START_MS + (options.outageMs ?? 0);
    const runJob = simulatedRunner({ engine, model, runs, outageUntil }, process);
    handle(
      process,
      wake,
      message,
      () => protocol.drainMessage(store, message.body, { runJob, applyControl, log }),
      () => {
        slot.busy = false;
      },
    );
  };

  const receivePoison = (): void => {
    const message = poison.receive(HOST_HIDE_MS);
    if (message === undefined) return;
    isPoisonBusy = true;
    others += 1;
    const process = engine.startProcess(`p${others}`, 0);
    const store = storeOf(
      engine,
      storage,
      model,
      process,
      { role: 'poison', lastTransaction: '' },
      undefined,
    );
    handle(
      process,
      poison,
      message,
      () => protocol.handlePoison(store, message.body, log),
      () => {
        isPoisonBusy = false;
      },
    );
  };

  return {
    engine,
    model,
    table,
    wake,
    poison,
    runs,
    acknowledged,
    offers() {
      const offers: Offer[] = [];
      const now = engine.now();
      const free = slots.find(({ busy }) => !busy);
      if (free !== undefined) {
        for (const { messageId, visibleAt } of wake.list()) {
          if (visibleAt > now) break;
          offers.push({ name: `receive ${messageId}`, take: () => receiveWake(free, messageId) });
        }
      }
      if (!isPoisonBusy && poison.list().some(({ visibleAt }) => visibleAt <= now)) {
        offers.push({ name: 'receive poison', take: receivePoison });
      }
      for (const [index, event] of scenario.events.entries()) {
        if (started.has(index) || START_MS + event.at > now) continue;
        offers.push({ name: `webhook ${index}`, take: () => startIngress(index, event) });
      }
      return offers;
    },
    startOther(name, during) {
      const process = engine.startProcess(name, 0);
      const position = { role: 'other' as const, lastTransaction: '' };
      void during(storeOf(engine, storage, model, process, position, undefined), process);
    },
  };
}

/** A wake and a guard for every webhook, one more for whatever goes wrong, and a few that are left over. */
function maxMessages({ events, faults, doubledReceives }: Scenario): number {
  const lasting = faults.filter(({ occurrence }) => occurrence <= 3).length;
  return 8 + 3 * events.length + 2 * lasting + doubledReceives.length;
}

/** World time of the next thing that no process waits for: a webhook, a hidden message. */
export function nextOutside(world: World, scenario: Scenario): number {
  const now = world.engine.now();
  const times = [
    ...scenario.events.map(({ at }) => START_MS + at),
    ...world.wake.list().map(({ visibleAt }) => visibleAt),
    ...world.poison.list().map(({ visibleAt }) => visibleAt),
  ];
  return Math.min(...times.filter((time) => time > now));
}

function newJob(event: SimEvent): NewJob {
  const kinds = { push: 'review.full', command: 'comment', control: 'control' } as const;
  return {
    kind: kinds[event.jobClass],
    class: event.jobClass,
    cause: 'simulated',
    ids: {
      [BEHAVIOUR_ID]: event.behaviour,
      ...(event.action === undefined ? {} : { [CONTROL_ACTION_ID]: event.action }),
    },
  };
}

import { AppError } from '../domain/app-error.ts';
import type { NewJob } from '../domain/job.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import { deadLetterKey, deliveryKey, HEAD_KEY, jobKey, sessionPartition } from '../state/keys.ts';
import type { Row, TableAction } from '../state/ports.ts';
import { deliveryRow, headRow, jobRow } from '../state/row-types.ts';
import { deliveryWake, plainWake } from './message.ts';
import type { SessionStore } from './store.ts';

/** What ingress accepted. */
export interface AcceptedJob {
  readonly pr: PullRequestRef;
  /** Names the delivery: the same event sent again has the same key. */
  readonly deliveryKey: string;
  readonly job: NewJob;
}

/**
 * Makes one accepted event durable; steps A0 to A3 of the session protocol. 4 storage calls when nothing is in
 * the way. `duplicate` when the delivery was appended before (it causes one more wake, which heals a lost one).
 * A delivery whose job ended as a dead letter is appended again.
 * @throws AppError `transient` after 60 s of conflicts, or when storage is down: answer 503, never 2xx.
 */
export async function appendJob(
  store: SessionStore,
  accepted: AcceptedJob,
): Promise<'appended' | 'duplicate'> {
  const partitionKey = sessionPartition(accepted.pr);
  for (let delivery = accepted.deliveryKey; ;) {
    const { ticket, isOurs, wake } = await appendOnce(store, partitionKey, accepted, delivery);
    if (!isOurs && (await store.table.get(partitionKey, deadLetterKey(ticket))) !== undefined) {
      delivery = `${delivery}/${ticket}`;
      continue;
    }
    await wake();
    return isOurs ? 'appended' : 'duplicate';
  }
}

interface Appended {
  readonly ticket: number;
  /** False when the delivery row was there before this request. */
  readonly isOurs: boolean;
  /** A3. */
  readonly wake: () => Promise<void>;
}

async function appendOnce(
  store: SessionStore,
  partitionKey: string,
  { pr, job }: AcceptedJob,
  delivery: string,
): Promise<Appended> {
  const { table, queue, clock, random, timings } = store;
  const request = random.hex(8);

  // A0: before the append, so that a crash right after it finds a message on its way.
  const startedAt = clock.now();
  const message = deliveryWake(pr, delivery, startedAt + timings.deliveryExpiryMs);
  const receipt = await queue.send(message, timings.wakeMs);

  const wake = async (): Promise<void> => {
    // A3: the append is known to be there, so the message needs to name no delivery any more.
    const isVisible = await queue.reschedule(receipt, plainWake(pr), 0).catch(() => false);
    if (!isVisible) await queue.send(plainWake(pr), 0);
  };

  for (;;) {
    // A1
    const head = await table.get(partitionKey, HEAD_KEY);
    // Also before the first try: a request that was frozen here must not append after its message expired.
    if (clock.now() - startedAt > timings.appendMs) throw gaveUp(timings.appendMs);
    // A2
    const append = planAppend(head, pr, job, delivery, request);
    const result = await table.transaction(partitionKey, append.actions);
    if (result.kind === 'done') return { ticket: append.ticket, isOurs: true, wake };
    const stored = await table.get(partitionKey, deliveryKey(delivery));
    if (stored !== undefined) {
      const known = deliveryRow.decode(stored);
      return { ticket: known.ticket, isOurs: known.request === request, wake };
    }
    await clock.sleep(Math.ceil(random.number() * timings.pauseMs));
  }
}

function gaveUp(retryAfterMs: number): AppError {
  return new AppError({
    kind: 'transient',
    code: 'append_conflict',
    message: 'The event could not be stored; deliver it again.',
    retryAfterMs,
  });
}

function planAppend(
  stored: Row | undefined,
  pr: PullRequestRef,
  job: NewJob,
  delivery: string,
  request: string,
): { readonly ticket: number; readonly actions: readonly TableAction[] } {
  const head = stored === undefined ? { next: 1, newestPush: 0, newestControl: 0 } : headRow.decode(stored);
  const ticket = head.next;
  const values = headRow.encode({
    next: ticket + 1,
    newestPush: job.class === 'push' ? ticket : head.newestPush,
    newestControl: job.class === 'control' ? ticket : head.newestControl,
    pr,
  });
  const newJob = { ...job, attempts: 0, delays: 0, notBefore: 0, firstFailedAt: 0 };
  return {
    ticket,
    actions: [
      { kind: 'create', rowKey: deliveryKey(delivery), values: deliveryRow.encode({ ticket, request }) },
      stored === undefined
        ? { kind: 'create', rowKey: HEAD_KEY, values }
        : { kind: 'replace', rowKey: HEAD_KEY, values, etag: stored.etag },
      { kind: 'create', rowKey: jobKey(ticket), values: jobRow.encode(newJob) },
    ],
  };
}

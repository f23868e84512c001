import type { QueueMemory } from '../../../shared/state/in-memory-queue.ts';
import type { World } from './world.ts';

const texts = new WeakMap<object, string>();

/**
 * Names the state of a world: two worlds with the same key go on in the same way. Stored rows with their versions,
 * messages, what every process was answered and when, what it waits for, and the time.
 */
export function stateKey(world: World): string {
  const { engine, table, wake, poison } = world;
  const rows = table
    .scan('0', 'g')
    .map(({ partitionKey, rowKey, etag, values }) => `${partitionKey[0]}${rowKey}${etag}${text(values)}`);
  const calls = engine
    .pending()
    .map(
      ({ process, label }) =>
        `${process.name}.${process.calls}.${process.history}.${process.frozenUntil}:${label}`,
    );
  const timers = engine
    .timers()
    .map(
      ({ at, process }) =>
        `${at}${process?.name ?? ''}.${process?.history ?? ''}.${process?.frozenUntil ?? ''}`,
    );
  return [
    engine.now(),
    rows.join('|'),
    messages(wake),
    messages(poison),
    calls.toSorted().join('|'),
    timers.toSorted().join('|'),
    world.acknowledged.size,
    world.model.records().map(({ settled, starts }) => `${settled}${starts.job}${starts.report}`),
  ].join('\n');
}

function messages(queue: QueueMemory): string {
  return queue
    .list()
    .map(({ body, visibleAt, dequeueCount }) => `${text(body)}${visibleAt}.${dequeueCount}`)
    .join('|');
}

function text(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const made = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  texts.set(value, made);
  return made;
}

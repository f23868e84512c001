import { describe, expect, it } from 'vitest';
import { createQueueMemory } from '../../../shared/state/in-memory-queue.ts';
import { createInMemoryQueue } from '../../../shared/state/in-memory-queue.ts';
import { deliveryWake, guardFor, parseMessage, plainWake } from '../../../shared/sessions/message.ts';
import { handlePoison } from '../../../shared/sessions/poison.ts';
import { SESSION_TIMINGS } from '../../../shared/sessions/timings.ts';
import { recorder, type LogLine } from '../../sessions/simulate.ts';

const pr = { provider: 'gitlab', instance: 'main', repositoryId: '9', number: 3, repository: 'g/p' } as const;

describe('messages', () => {
  it.each([
    { body: plainWake(pr), expected: { v: 1, pr } },
    { body: deliveryWake(pr, 'key', 99), expected: { v: 1, pr, delivery: 'key', expires: 99 } },
    { body: guardFor(pr, 7), expected: { v: 1, pr, guard: 7 } },
    { body: { ...guardFor(pr, 7), poisoned: 2 }, expected: { v: 1, pr, guard: 7, poisoned: 2 } },
  ])('are read as they were sent: $expected', ({ body, expected }) => {
    expect(parseMessage(structuredClone(body))).toEqual({ kind: 'message', message: expected });
  });

  it('of a newer build are kept whole', () => {
    const body = { v: 2, pr, mood: 'new' };
    expect(parseMessage(body)).toEqual({ kind: 'newer', body });
  });

  it.each([
    undefined,
    null,
    'text',
    5,
    [],
    {},
    { v: 1 },
    { v: 0, pr },
    { v: 1, pr: { ...pr, provider: 'svn' } },
  ])('are unreadable: %j', (body) => {
    expect(parseMessage(body)).toEqual({ kind: 'unreadable' });
  });
});

describe('a poisoned message', () => {
  const now = 1_796_000_000_000;

  it('is recorded and sent again as it was, later each time', async () => {
    const memory = createQueueMemory(() => now);
    const lines: LogLine[] = [];
    const store = { queue: createInMemoryQueue(memory), timings: SESSION_TIMINGS };
    expect(await handlePoison(store, guardFor(pr, 4), recorder(lines))).toBe('sent_again');
    expect(await handlePoison(store, { ...guardFor(pr, 4), poisoned: 3 }, recorder(lines))).toBe(
      'sent_again',
    );
    expect(memory.list().map(({ body, visibleAt }) => ({ body, inMs: visibleAt - now }))).toEqual([
      { body: { ...guardFor(pr, 4), poisoned: 1 }, inMs: 5 * 60_000 },
      { body: { ...guardFor(pr, 4), poisoned: 4 }, inMs: 40 * 60_000 },
    ]);
    expect(lines.map(({ event, fields }) => [event, fields['times']])).toEqual([
      ['message.poisoned', 1],
      ['message.poisoned', 4],
    ]);
  });

  it('is dropped when it never was one of ours', async () => {
    const memory = createQueueMemory(() => now);
    const store = { queue: createInMemoryQueue(memory), timings: SESSION_TIMINGS };
    expect(await handlePoison(store, 'gibberish', recorder([]))).toBe('dropped');
    expect(memory.list()).toEqual([]);
  });
});

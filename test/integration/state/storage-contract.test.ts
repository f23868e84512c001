import { QueueClient } from '@azure/storage-queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueue } from '../../../shared/state/azure-queue.ts';
import { createTable } from '../../../shared/state/azure-table.ts';
import { createInMemoryQueue, createQueueMemory } from '../../../shared/state/in-memory-queue.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { decodeMessage } from '../../../shared/state/message-encoding.ts';
import { QUEUES, TABLES } from '../../../shared/state/names.ts';
import type { QueuePort, ScannedRow, TablePort, TableScanPort } from '../../../shared/state/ports.ts';
import { startStorage, type AzuriteStorage } from '../../sessions/azurite-storage.ts';

interface Delivered {
  readonly body: unknown;
  readonly dequeueCount: number;
}

/** One implementation of the ports, with what the tests need to look at it from the other side. */
interface Subject {
  readonly table: TablePort & TableScanPort;
  readonly queue: QueuePort;
  /** The next visible message, received and deleted; undefined when none is visible. */
  take(): Promise<Delivered | undefined>;
  stop(): Promise<void>;
}

async function inMemory(): Promise<Subject> {
  const memory = createQueueMemory(() => Date.now());
  return {
    table: createInMemoryTable(() => Date.now()),
    queue: createInMemoryQueue(memory),
    async take() {
      const message = memory.receive(30_000);
      if (message !== undefined) memory.delete(message);
      return message;
    },
    stop: async () => undefined,
  };
}

async function onAzurite(): Promise<Subject> {
  const storage: AzuriteStorage = await startStorage();
  const receiver = new QueueClient(storage.azurite.connectionString, QUEUES.wake);
  return {
    table: createTable(storage.config, TABLES.sessions),
    queue: createQueue(storage.config, QUEUES.wake),
    async take() {
      const { receivedMessageItems } = await receiver.receiveMessages({ visibilityTimeout: 30 });
      const [message] = receivedMessageItems;
      if (message === undefined) return undefined;
      await receiver.deleteMessage(message.messageId, message.popReceipt);
      return { body: decodeMessage(message.messageText), dequeueCount: message.dequeueCount };
    },
    stop: () => storage.azurite.stop(),
  };
}

describe.each([
  { name: 'the in-memory twins', start: inMemory },
  { name: 'Azurite', start: onAzurite },
])('storage ports on $name', ({ start }) => {
  let subject: Subject;
  let pk = 0;
  let partition = '';

  beforeAll(async () => {
    subject = await start();
  });
  afterAll(() => subject.stop());
  beforeEach(() => {
    pk += 1;
    partition = pk.toString(16).padStart(32, '0');
  });

  const etagOf = async (rowKey: string): Promise<string> =>
    (await subject.table.get(partition, rowKey))?.etag ?? 'none';

  describe('table', () => {
    it('answers undefined for a row that is not there', async () => {
      expect(await subject.table.get(partition, 'h')).toBeUndefined();
    });

    it('gives every type back as it went in', async () => {
      const values = {
        text: "it's 100 % | ü 🚪",
        empty: '',
        flag: false,
        small: -7,
        fraction: 0.25,
        big: 1_795_999_999_123n,
        bytes: Uint8Array.of(0, 255, 16),
      };
      await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'a', values }]);
      const row = await subject.table.get(partition, 'a');
      expect({ ...row?.values, bytes: [...(row?.values['bytes'] as Uint8Array)] }).toEqual({
        text: "it's 100 % | ü 🚪",
        empty: '',
        flag: false,
        small: -7,
        fraction: 0.25,
        big: 1_795_999_999_123n,
        bytes: [0, 255, 16],
      });
    });

    it('returns the ETag that the next replace needs, in action order', async () => {
      const first = await subject.table.transaction(partition, [
        { kind: 'create', rowKey: 'a', values: { n: 1 } },
        { kind: 'create', rowKey: 'b', values: { n: 1 } },
      ]);
      expect(first.kind === 'done' && first.etags).toEqual([await etagOf('a'), await etagOf('b')]);
      const second = await subject.table.transaction(partition, [
        { kind: 'delete', rowKey: 'b' },
        { kind: 'replace', rowKey: 'a', values: { n: 2 }, etag: await etagOf('a') },
      ]);
      expect(second.kind === 'done' && second.etags).toEqual(['', await etagOf('a')]);
      const single = await subject.table.transaction(partition, [
        { kind: 'replace', rowKey: 'a', values: { n: 3 }, etag: await etagOf('a') },
      ]);
      expect(single.kind === 'done' && single.etags).toEqual([await etagOf('a')]);
    });

    it.each([
      { action: 'create', status: 409, single: true },
      { action: 'create', status: 409, single: false },
      { action: 'replace', status: 412, single: true },
      { action: 'replace', status: 412, single: false },
      { action: 'replace-missing', status: 404, single: true },
      { action: 'replace-missing', status: 404, single: false },
      { action: 'merge-missing', status: 404, single: true },
      { action: 'merge-missing', status: 404, single: false },
      { action: 'delete-missing', status: 404, single: true },
      { action: 'delete-missing', status: 404, single: false },
    ] as const)('is unclear with $status for $action (alone: $single)', async ({ action, status, single }) => {
      await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'a', values: { n: 1 } }]);
      const old = await etagOf('a');
      await subject.table.transaction(partition, [{ kind: 'merge', rowKey: 'a', values: { n: 2 } }]);
      const refused = {
        create: { kind: 'create', rowKey: 'a', values: {} },
        replace: { kind: 'replace', rowKey: 'a', values: {}, etag: old },
        'replace-missing': { kind: 'replace', rowKey: 'm', values: {}, etag: old },
        'merge-missing': { kind: 'merge', rowKey: 'm', values: {} },
        'delete-missing': { kind: 'delete', rowKey: 'm' },
      } as const;
      const result = await subject.table.transaction(partition, [
        ...(single ? [] : [{ kind: 'upsert', rowKey: 'z', values: { n: 9 } } as const]),
        refused[action],
      ]);
      expect(result).toEqual({ kind: 'unclear', status });
      expect((await subject.table.get(partition, 'a'))?.values).toEqual({ n: 2 });
      // Nothing of a refused transaction is written.
      expect(await subject.table.get(partition, 'z')).toBeUndefined();
    });

    it('merges into a row, replaces it whole on upsert', async () => {
      const write = (kind: 'upsert' | 'merge', values: Record<string, number>) =>
        subject.table.transaction(partition, [{ kind, rowKey: 'a', values }]);
      await write('upsert', { x: 1, y: 1 });
      await write('merge', { y: 2 });
      expect((await subject.table.get(partition, 'a'))?.values).toEqual({ x: 1, y: 2 });
      await write('upsert', { y: 3 });
      expect((await subject.table.get(partition, 'a'))?.values).toEqual({ y: 3 });
    });

    it('lets one of 20 writers with the same ETag win', async () => {
      await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'l', values: { n: 0 } }]);
      const etag = await etagOf('l');
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          subject.table.transaction(partition, [
            { kind: 'replace', rowKey: 'l', values: { n }, etag },
            { kind: 'create', rowKey: `j${n}`, values: { n } },
          ]),
        ),
      );
      const winners = results.flatMap((result, n) => (result.kind === 'done' ? [n] : []));
      expect(winners).toHaveLength(1);
      const rows = await subject.table.range(partition, 'j', 'k');
      expect(rows.map(({ rowKey }) => rowKey)).toEqual([`j${winners[0]}`]);
    });

    it('lists a range in the order of row keys, its end excluded, over more than one page', async () => {
      const keys = Array.from({ length: 1050 }, (_, n) => `j${String(n + 1).padStart(12, '0')}`);
      const shuffled = keys.toReversed();
      for (let start = 0; start < shuffled.length; start += 100) {
        await subject.table.transaction(
          partition,
          shuffled.slice(start, start + 100).map((rowKey) => ({ kind: 'create', rowKey, values: {} })),
        );
      }
      for (const rowKey of ['h', 'l', 'm', 'f0']) {
        await subject.table.transaction(partition, [{ kind: 'create', rowKey, values: {} }]);
      }
      const rows = await subject.table.range(partition, 'h', 'l~');
      expect(rows.map(({ rowKey }) => rowKey)).toEqual(['h', ...keys, 'l']);
      expect((await subject.table.range(partition, 'h', 'l')).at(-1)?.rowKey).toBe('j000000001050');
      expect(await subject.table.range('0'.repeat(32), 'a', 'z')).toEqual([]);
    });

    it('scans partitions with only the columns asked for', async () => {
      const other = `f${partition.slice(1)}`;
      const values = { keep: 1, drop: 2 };
      await subject.table.transaction(other, [{ kind: 'create', rowKey: 'l', values }]);
      await subject.table.transaction(other, [{ kind: 'create', rowKey: 'h', values }]);
      const found: ScannedRow[] = [];
      for await (const row of subject.table.scan('f', 'g', ['keep'])) found.push(row);
      expect(found.map(({ partitionKey, rowKey, values: v }) => [partitionKey, rowKey, v])).toEqual([
        [other, 'h', { keep: 1 }],
        [other, 'l', { keep: 1 }],
      ]);
      expect(Math.abs((found[0]?.timestamp ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    it.each([
      { what: 'no action', actions: [] },
      {
        what: '101 actions',
        actions: Array.from({ length: 101 }, (_, n) => ({ kind: 'upsert', rowKey: `r${n}`, values: {} }) as const),
      },
      {
        what: 'a row twice',
        actions: [
          { kind: 'upsert', rowKey: 'a', values: {} },
          { kind: 'delete', rowKey: 'a' },
        ] as const,
      },
      {
        what: '253 properties',
        actions: [
          {
            kind: 'upsert',
            rowKey: 'a',
            values: Object.fromEntries(Array.from({ length: 253 }, (_, n) => [`p${n}`, 1])),
          } as const,
        ],
      },
      {
        what: 'a string of 32,769 characters',
        actions: [{ kind: 'upsert', rowKey: 'a', values: { s: 'x'.repeat(32_769) } } as const],
      },
      {
        what: 'a row of more than 1 MiB',
        actions: [
          {
            kind: 'upsert',
            rowKey: 'a',
            values: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`p${n}`, 'x'.repeat(32_000)])),
          } as const,
        ],
      },
      {
        what: 'a whole number above Int32',
        actions: [{ kind: 'upsert', rowKey: 'a', values: { n: 2 ** 31 } } as const],
      },
      { what: 'a slash in a key', actions: [{ kind: 'upsert', rowKey: 'a/b', values: {} } as const] },
      { what: 'a system property', actions: [{ kind: 'upsert', rowKey: 'a', values: { RowKey: 1 } } as const] },
    ])('refuses $what before it is sent', async ({ actions }) => {
      await expect(subject.table.transaction(partition, actions)).rejects.toMatchObject({
        kind: 'permanent',
        code: 'storage_row_limit',
      });
      expect(await subject.table.range(partition, '!', '~')).toEqual([]);
    });

    it('stores what is just within the limits', async () => {
      const values = {
        s: 'x'.repeat(32_768),
        ...Object.fromEntries(Array.from({ length: 251 }, (_, n) => [`p${n}`, 2 ** 31 - 1])),
      };
      const result = await subject.table.transaction(partition, [{ kind: 'create', rowKey: 'a', values }]);
      expect(result.kind).toBe('done');
      expect((await subject.table.get(partition, 'a'))?.values['p250']).toBe(2_147_483_647);
    });
  });

  describe('queue', () => {
    beforeEach(async () => {
      while ((await subject.take()) !== undefined);
    });

    it('delivers the body as it was sent', async () => {
      await subject.queue.send({ v: 1, text: 'ü <&> 🚪', list: [1, null] }, 0);
      expect(await subject.take()).toMatchObject({
        body: { v: 1, text: 'ü <&> 🚪', list: [1, null] },
        dequeueCount: 1,
      });
    });

    it('hides a message, rounded up to whole seconds', async () => {
      const sentAt = Date.now();
      await subject.queue.send({ late: true }, 1_001);
      expect(await subject.take()).toBeUndefined();
      const body = await eventually(() => subject.take(), 5_000);
      expect(body).toMatchObject({ body: { late: true } });
      expect(Date.now() - sentAt).toBeGreaterThanOrEqual(1_900);
    });

    it('makes a hidden message visible through the receipt of its send, with a new body', async () => {
      const receipt = await subject.queue.send({ n: 1 }, 60_000);
      expect(await subject.queue.reschedule(receipt, { n: 2 }, 0)).toBe(true);
      expect(await subject.take()).toMatchObject({ body: { n: 2 } });
      expect(await subject.queue.reschedule(receipt, { n: 3 }, 0)).toBe(false);
      expect(await subject.take()).toBeUndefined();
    });

    it('deletes a message through the receipt of its send, and ignores one that is gone', async () => {
      const receipt = await subject.queue.send({ n: 1 }, 0);
      await subject.queue.delete(receipt);
      expect(await subject.take()).toBeUndefined();
      await subject.queue.delete(receipt);
    });

    it('does not let a sender change a message that was received', async () => {
      const receipt = await subject.queue.send({ n: 1 }, 0);
      expect(await subject.take()).toMatchObject({ body: { n: 1 } });
      expect(await subject.queue.reschedule(receipt, { n: 2 }, 0)).toBe(false);
    });

    it('refuses a body above 64 KiB of base64', async () => {
      await subject.queue.send({ s: 'x'.repeat(49_000) }, 0);
      await expect(subject.queue.send({ s: 'x'.repeat(49_152) }, 0)).rejects.toMatchObject({
        code: 'storage_message_limit',
      });
      expect(await subject.take()).toMatchObject({ dequeueCount: 1 });
    });
  });
});

async function eventually<T>(look: () => Promise<T | undefined>, withinMs: number): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`nothing within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

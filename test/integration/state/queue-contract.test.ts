import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SUBJECTS, type Subject } from '../../sessions/storage-subjects.ts';

describe.each(SUBJECTS)('queues on $name', ({ startSubject }) => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await startSubject();
  });
  afterAll(() => subject.stop());

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

async function eventually<T>(look: () => Promise<T | undefined>, withinMs: number): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`nothing within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { AnonymousCredential, QueueClient } from '@azure/storage-queue';
import { afterEach, expect, it } from 'vitest';
import type { Clock } from '../../../shared/domain/clock.ts';
import { keepMessage, type KeptMessage } from '../../../infra/local/host/keep-message.ts';
import { listeningPort } from '../../../infra/local/host/listening-port.ts';
import { waitUntil } from './wait-until.ts';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A queue service that answers renewals with the given statuses, and notes the receipts it was shown. */
async function startService(statuses: readonly number[]) {
  const shown: (string | null)[] = [];
  const server = createServer((request, response) => {
    const status = statuses[shown.length] ?? 204;
    shown.push(new URL(request.url ?? '', 'http://x').searchParams.get('popreceipt'));
    const headers =
      status === 204
        ? {
            'x-ms-popreceipt': `receipt-${shown.length}`,
            'x-ms-time-next-visible': 'Tue, 01 Dec 2026 00:00:00 GMT',
          }
        : { 'x-ms-error-code': status === 400 ? 'PopReceiptMismatch' : 'InternalError' };
    response.writeHead(status, { ...headers, 'content-length': 0 }).end();
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${listeningPort(server)}/account/queue`;
  return { shown, queue: new QueueClient(url, new AnonymousCredential(), { retryOptions: { maxTries: 1 } }) };
}

/** Sleeps take no time, up to the given number; then the clock stands still. */
function createEagerClock(limit: number) {
  const slept: number[] = [];
  const clock: Clock = {
    now: () => 0,
    sleep: (ms, signal) => {
      slept.push(ms);
      if (slept.length <= limit) return Promise.resolve();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
  return { clock, slept };
}

it('renews at half time with the latest receipt, twice as fast after each failure down to the minimum', async () => {
  const { queue, shown } = await startService([204, 500, 500, 500, 204]);
  const { clock, slept } = createEagerClock(5);
  const message: KeptMessage = { messageId: 'm', popReceipt: 'received' };
  const release = keepMessage({
    queue,
    message,
    visibilityMs: 600_000,
    minRenewalMs: 60_000,
    clock,
    log: () => undefined,
  });
  await waitUntil('five renewals', () => slept.length === 6);
  await release();
  expect(slept).toEqual([300_000, 300_000, 150_000, 75_000, 60_000, 300_000]);
  expect(shown).toEqual(['received', 'receipt-1', 'receipt-1', 'receipt-1', 'receipt-1']);
  expect(message.popReceipt).toBe('receipt-5');
});

it('stops renewing a message that someone else has taken', async () => {
  const { queue, shown } = await startService([400]);
  const { clock, slept } = createEagerClock(9);
  const message: KeptMessage = { messageId: 'm', popReceipt: 'received' };
  const release = keepMessage({
    queue,
    message,
    visibilityMs: 600_000,
    minRenewalMs: 60_000,
    clock,
    log: () => undefined,
  });
  await waitUntil('one renewal', () => shown.length === 1);
  await release();
  expect(slept).toEqual([300_000]);
});

import { describe, expect, it } from 'vitest';
import { createPollBackoff } from '../../../infra/local/host/poll-backoff.ts';
import { decodeMessage } from '../../../infra/local/host/process-message.ts';
import { poisonQueueName } from '../../../infra/local/host/queue-listeners.ts';
import { isMessageGone, statusOf } from '../../../infra/local/host/storage-status.ts';

const storageError = (statusCode: number, code: string) =>
  Object.assign(new Error('storage'), { statusCode, code });

describe('createPollBackoff', () => {
  it('starts at 100 ms, doubles what it adds, ends at the maximum and starts again after a message', () => {
    const backoff = createPollBackoff(1_000, () => 0.5);
    const pauses = [false, false, false, false, false, false, true, false].map((found) =>
      backoff.next(found),
    );
    expect(pauses).toEqual([100, 200, 300, 500, 900, 1_000, 100, 200]);
  });

  it('spreads what it adds by a fifth to both sides', () => {
    const low = createPollBackoff(60_000, () => 0);
    const high = createPollBackoff(60_000, () => 1);
    expect([low.next(true), low.next(false)]).toEqual([100, 180]);
    expect([high.next(true), high.next(false)]).toEqual([100, 220]);
  });
});

describe('decodeMessage', () => {
  it.each([
    ['eyJhIjoxfQ==', '{"a":1}'],
    ['w6k=', 'é'],
    ['eyJh\nIjoxfQ==', '{"a":1}'],
    ['', ''],
    ['{"a":1}', undefined],
    ['eyJhIjoxfQ=', undefined],
    ['eyJhIjoxfQ', undefined],
    ['====', undefined],
  ])('base64 %j', (body, text) => {
    expect(decodeMessage(body, 'base64')).toBe(text);
  });

  it('leaves a body alone without encoding', () => {
    expect(decodeMessage('eyJhIjoxfQ==', 'none')).toBe('eyJhIjoxfQ==');
  });
});

describe('poisonQueueName', () => {
  it.each([
    ['gatehouse-wake', 'gatehouse-wake-poison'],
    ['gatehouse-wake-poison', undefined],
    ['q'.repeat(56), `${'q'.repeat(56)}-poison`],
    ['q'.repeat(57), undefined],
  ])('%s', (queue, poison) => {
    expect(poisonQueueName(queue)).toBe(poison);
  });
});

describe('isMessageGone', () => {
  it.each([
    [storageError(400, 'PopReceiptMismatch'), true],
    [storageError(404, 'MessageNotFound'), true],
    [storageError(404, 'QueueNotFound'), true],
    [storageError(409, 'QueueBeingDeleted'), true],
    [storageError(400, 'InvalidHeaderValue'), false],
    [storageError(403, 'AuthorizationFailure'), false],
    [storageError(500, 'InternalError'), false],
    [new Error('connect ECONNREFUSED'), false],
    [undefined, false],
  ])('%o', (error, gone) => {
    expect(isMessageGone(error)).toBe(gone);
  });

  it('knows no status where there was no answer', () => {
    expect(statusOf(new Error('connect ECONNREFUSED'))).toBeUndefined();
    expect(statusOf(storageError(503, 'ServerBusy'))).toBe(503);
  });
});

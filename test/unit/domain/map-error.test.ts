import { describe, expect, it } from 'vitest';
import { APP_ERROR_KINDS, AppError, type AppErrorInit } from '../../../shared/domain/app-error.ts';
import { mapErrorToHttpAnswer, mapErrorToWebhookAnswer } from '../../../shared/domain/map-error-to-http.ts';
import { mapErrorToQueue } from '../../../shared/domain/map-error-to-queue.ts';
import { mapErrorToTool } from '../../../shared/domain/map-error-to-tool.ts';

const failed = (kind: AppErrorInit['kind'], more: Partial<AppErrorInit> = {}): AppError =>
  new AppError({ kind, code: 'some_code', message: 'Inner words.', ...more });

const NOT_OURS: readonly unknown[] = [
  new Error('secret stack'),
  'thrown text',
  undefined,
  null,
  { kind: 'denied' },
];
const RETRY_30 = { 'retry-after': '30' };

describe('an error at a webhook route', () => {
  it.each([
    ['rejected', 400, {}, 'bad_request'],
    ['denied', 403, {}, 'forbidden'],
    ['stale', 202, {}, 'ignored'],
    ['transient', 503, RETRY_30, 'unavailable'],
    ['permanent', 503, RETRY_30, 'unavailable'],
  ] as const)('that is %s answers %i', (kind, status, headers, error) => {
    expect(mapErrorToWebhookAnswer(failed(kind))).toEqual({ status, headers, body: { error } });
  });

  it.each(NOT_OURS)('that is a bug answers 503, never 500: %s', (error) => {
    expect(mapErrorToWebhookAnswer(error)).toEqual({
      status: 503,
      headers: RETRY_30,
      body: { error: 'unavailable' },
    });
  });

  it('never answers 500, whatever the kind and code', () => {
    const statuses = APP_ERROR_KINDS.map((kind) => mapErrorToWebhookAnswer(failed(kind)).status);
    expect(statuses).not.toContain(500);
    expect(statuses).toHaveLength(5);
  });
});

describe('an error at another route', () => {
  it.each([
    ['rejected', 400, {}, 'bad_request'],
    ['denied', 403, {}, 'forbidden'],
    ['stale', 202, {}, 'ignored'],
    ['transient', 503, RETRY_30, 'unavailable'],
    ['permanent', 500, {}, 'internal_error'],
  ] as const)('that is %s answers %i', (kind, status, headers, error) => {
    expect(mapErrorToHttpAnswer(failed(kind))).toEqual({ status, headers, body: { error } });
  });

  it.each(NOT_OURS)('that is a bug answers a generic 500: %s', (error) => {
    expect(mapErrorToHttpAnswer(error)).toEqual({
      status: 500,
      headers: {},
      body: { error: 'internal_error' },
    });
  });
});

describe('both kinds of route', () => {
  it.each([
    ['unauthenticated', 401, 'unauthenticated'],
    ['not_found', 404, 'not_found'],
    ['method_not_allowed', 405, 'method_not_allowed'],
    ['payload_too_large', 413, 'payload_too_large'],
    ['unsupported_media_type', 415, 'unsupported_media_type'],
    ['constructor', 400, 'bad_request'],
  ])('answer a rejection with code %s by %i', (code, status, error) => {
    const expected = { status, headers: {}, body: { error } };
    expect(mapErrorToWebhookAnswer(failed('rejected', { code }))).toEqual(expected);
    expect(mapErrorToHttpAnswer(failed('rejected', { code }))).toEqual(expected);
  });

  it.each([
    [1, '1'],
    [0, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [90_000, '90'],
  ])('round %i ms of waiting up to %s s', (retryAfterMs, seconds) => {
    const headers = { 'retry-after': seconds };
    expect(mapErrorToWebhookAnswer(failed('transient', { retryAfterMs })).headers).toEqual(headers);
    expect(mapErrorToHttpAnswer(failed('transient', { retryAfterMs })).headers).toEqual(headers);
  });

  it('never repeat the words of an error', () => {
    for (const kind of APP_ERROR_KINDS) {
      const answers = [mapErrorToWebhookAnswer(failed(kind)), mapErrorToHttpAnswer(failed(kind))];
      expect(JSON.stringify(answers)).not.toContain('Inner words');
    }
  });
});

describe('an error at the queue', () => {
  it.each([
    ['rejected', { kind: 'fail', code: 'some_code' }],
    ['denied', { kind: 'fail', code: 'some_code' }],
    ['stale', { kind: 'finish', code: 'some_code' }],
    ['transient', { kind: 'retry', code: 'some_code', retryAfterMs: undefined }],
    ['permanent', { kind: 'fail', code: 'some_code' }],
  ] as const)('that is %s', (kind, expected) => {
    expect(mapErrorToQueue(failed(kind))).toEqual(expected);
  });

  it('carries how long to wait', () => {
    expect(mapErrorToQueue(failed('transient', { retryAfterMs: 5_000 }))).toEqual({
      kind: 'retry',
      code: 'some_code',
      retryAfterMs: 5_000,
    });
  });

  it.each(NOT_OURS)('that is a bug costs an attempt: %s', (error) => {
    expect(mapErrorToQueue(error)).toEqual({ kind: 'attempt' });
  });
});

describe('an error in a tool', () => {
  it.each([
    ['rejected', 'Inner words.'],
    ['denied', 'Inner words.'],
    ['stale', 'Inner words. Read the pull request again.'],
    ['transient', 'Inner words. Try again in 30 s.'],
    ['permanent', 'Gatehouse cannot do this with its present configuration; the operator must look.'],
  ] as const)('that is %s', (kind, message) => {
    expect(mapErrorToTool(failed(kind))).toEqual({ code: 'some_code', message });
  });

  it('says how many seconds to wait', () => {
    expect(mapErrorToTool(failed('transient', { retryAfterMs: 61_001 }))).toEqual({
      code: 'some_code',
      message: 'Inner words. Try again in 62 s.',
      retryAfterMs: 61_001,
    });
  });

  it.each(NOT_OURS)('that is a bug says nothing of itself: %s', (error) => {
    expect(mapErrorToTool(error)).toEqual({
      code: 'internal_error',
      message: 'The call failed inside Gatehouse.',
    });
  });
});

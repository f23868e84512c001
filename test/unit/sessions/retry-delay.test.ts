import { describe, expect, it } from 'vitest';
import { poisonDelay, retryDelay } from '../../../shared/sessions/retry-delay.ts';
import { SESSION_TIMINGS } from '../../../shared/sessions/timings.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('the delay after a transient failure', () => {
  it.each([
    { failures: 1, delay: 30 * SECOND },
    { failures: 2, delay: 60 * SECOND },
    { failures: 5, delay: 8 * MINUTE },
    { failures: 6, delay: 15 * MINUTE },
    { failures: 500, delay: 15 * MINUTE },
  ])('doubles from 30 s up to 15 min: $failures', ({ failures, delay }) => {
    expect(retryDelay(SESSION_TIMINGS, failures, undefined, 0)).toBe(delay);
  });

  it('is spread over a quarter more, never less', () => {
    expect(retryDelay(SESSION_TIMINGS, 1, undefined, 0.999_999)).toBe(37_500);
  });

  it.each([
    { retryAfterMs: 0, delay: 0 },
    { retryAfterMs: -5, delay: 0 },
    { retryAfterMs: 1_234, delay: 1_234 },
    { retryAfterMs: 24 * 60 * MINUTE, delay: 60 * MINUTE },
  ])('is what the other side asked for, at most an hour: $retryAfterMs ms', ({ retryAfterMs, delay }) => {
    expect(retryDelay(SESSION_TIMINGS, 9, retryAfterMs, 0)).toBe(delay);
  });
});

it('a poisoned message waits 5 min, doubling up to an hour', () => {
  expect([0, 1, 2, 3, 4, 99].map((times) => poisonDelay(SESSION_TIMINGS, times) / MINUTE)).toEqual([
    5, 10, 20, 40, 60, 60,
  ]);
});

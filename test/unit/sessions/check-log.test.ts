import { describe, expect, it } from 'vitest';
import { checkLog, type AcceptedDelivery } from '../../chaos/check-log.ts';
import type { LoggedComment } from '../../chaos/provider-log.ts';

const comment = (delivery: string, kind = 'comment'): LoggedComment => ({
  delivery,
  pr: 1,
  kind,
  marker: 'm',
  at: 0,
});
const accepted = (delivery: string, jobClass: 'push' | 'command'): AcceptedDelivery => ({
  delivery,
  pr: 1,
  jobClass,
});

describe('the checker of the kill test', () => {
  const deliveries = [accepted('c1', 'command'), accepted('p1', 'push'), accepted('p2', 'push')];
  const last = new Map([[1, 'p2']]);

  it('is content when commands and the newest push have one comment', () => {
    expect(checkLog(deliveries, [comment('c1'), comment('p2')], last)).toEqual({
      settled: 3,
      duplicates: [],
      lost: [],
    });
  });

  it('takes a reported failure for an end', () => {
    expect(checkLog(deliveries, [comment('c1', 'failure'), comment('p2')], last).lost).toEqual([]);
  });

  it('finds a lost command and a lost newest push', () => {
    expect(checkLog(deliveries, [comment('p1')], last)).toEqual({
      settled: 1,
      duplicates: [],
      lost: ['c1', 'p2'],
    });
  });

  it('finds a comment that was made twice', () => {
    const comments = [comment('c1'), comment('c1'), comment('p2')];
    expect(checkLog(deliveries, comments, last).duplicates).toEqual(['comment/c1']);
  });
});

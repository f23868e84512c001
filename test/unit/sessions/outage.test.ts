import { describe, expect, it } from 'vitest';
import { command, push, simulate } from '../../sessions/simulate.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('an outage loses nothing', () => {
  it.each([
    { what: 'of the provider for 2 hours', outageMs: 2 * HOUR },
    { what: 'of the model for 3 hours', outageMs: 3 * HOUR },
  ])('$what', async ({ outageMs }) => {
    const events = [
      push(0, 'a'),
      command(10 * SECOND, 'b'),
      push(40 * MINUTE, 'c'),
      command(100 * MINUTE, 'd'),
      push(119 * MINUTE, 'e'),
    ];
    const { violation, runs, world } = await simulate(events, { outageMs });
    expect(violation).toBeUndefined();
    expect([...world.acknowledged.values()]).toEqual(Array.from({ length: 5 }, () => 'appended'));
    const settled = runs.filter(({ end }) => end === 'settled');
    // Both commands and the newest push; the pushes before it were superseded while they waited.
    expect(settled.map(({ ticket, kind }) => [ticket, kind])).toEqual([
      [2, 'comment'],
      [4, 'comment'],
      [5, 'review.full'],
    ]);
    // The longest wait is 15 min and a quarter of it; an outage costs no attempt and no more calls than that.
    for (const { startedAt } of settled) expect(startedAt).toBeLessThan(outageMs + 20 * MINUTE);
    const tries = runs.filter(({ end }) => end === 'threw').length;
    expect(tries).toBeLessThan(40);
  });

  it('of 7 hours ends the run after 6 with what it waited for', async () => {
    const { violation, runs, lines } = await simulate([push(0, 'a')], { outageMs: 7 * HOUR });
    expect(violation).toBeUndefined();
    expect(lines.filter(({ event }) => event === 'job.failed').map(({ fields }) => fields)).toEqual([
      { ticket: 1, jobKind: 'review.full', code: 'waited_for_provider_down' },
    ]);
    expect(runs.at(-1)).toMatchObject({ ticket: 1, kind: 'run.failed', end: 'settled' });
    expect(runs.at(-1)?.startedAt).toBeGreaterThan(7 * HOUR);
    expect(runs.at(-1)?.startedAt).toBeLessThan(7 * HOUR + 20 * MINUTE);
  });
});

describe('a job that cannot work', () => {
  it('is tried three times, then reported once', async () => {
    const { runs } = await simulate([push(0, 'a', 'bug')]);
    expect(runs.map(({ kind, end }) => [kind, end])).toEqual([
      ['review.full', 'threw'],
      ['review.full', 'threw'],
      ['review.full', 'threw'],
      ['run.failed', 'settled'],
    ]);
  });

  it('is reported at once when trying again cannot help', async () => {
    const { runs, lines } = await simulate([push(0, 'a', 'denied')]);
    expect(runs.map(({ kind }) => kind)).toEqual(['review.full', 'run.failed']);
    expect(lines.find(({ event }) => event === 'job.failed')?.fields['code']).toBe('no_access');
  });

  it('ends after its time limit, three times, also when it does not listen', async () => {
    for (const behaviour of ['endless', 'deaf'] as const) {
      const { runs } = await simulate([push(0, 'a', behaviour)]);
      expect(runs.map(({ kind }) => kind)).toEqual([
        'review.full',
        'review.full',
        'review.full',
        'run.failed',
      ]);
      const [first, second] = runs;
      expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(20 * MINUTE);
    }
  });

  it('ends as a dead letter when even the report fails, and runs when it is delivered again', async () => {
    const { violation, runs, world } = await simulate([
      push(0, 'a', 'hopeless'),
      push(40 * HOUR, 'a', 'quick'),
    ]);
    expect(violation).toBeUndefined();
    expect([...world.acknowledged.values()]).toEqual(['appended', 'appended']);
    expect(runs.map(({ ticket, kind, end }) => [ticket, kind, end])).toEqual([
      [1, 'review.full', 'threw'],
      [1, 'review.full', 'threw'],
      [1, 'review.full', 'threw'],
      [1, 'run.failed', 'threw'],
      [1, 'run.failed', 'threw'],
      [1, 'run.failed', 'threw'],
      [2, 'review.full', 'settled'],
    ]);
    const [dead] = world.table.scan('0', 'g').filter(({ rowKey }) => rowKey.startsWith('x'));
    expect(dead).toMatchObject({ rowKey: 'x000000000001', values: { reported: true } });
  });

  it('is not run again by a redelivery when it ended well', async () => {
    const { runs, world } = await simulate([push(0, 'a'), push(10 * SECOND, 'a')]);
    expect([...world.acknowledged.values()]).toEqual(['appended', 'duplicate']);
    expect(runs).toHaveLength(1);
  });
});

describe('fairness', () => {
  it('a hot pull request gives way to 20 quiet ones, with one worker alone', async () => {
    const hot = Array.from({ length: 60 }, (_, n) => ({ ...command(n * MINUTE, `hot${n}`, 'long'), pr: 1 }));
    const quiet = Array.from({ length: 20 }, (_, n) => ({
      ...push(5 * MINUTE + n * 2 * MINUTE, `quiet${n}`, 'quick'),
      pr: 100 + n,
    }));
    const { violation, runs } = await simulate([...hot, ...quiet], { workers: 1 });
    expect(violation).toBeUndefined();
    const waits = quiet.map(({ at, pr }) => (runs.find((run) => run.pr === pr)?.startedAt ?? Infinity) - at);
    // 15 min until the hot one gives way between two jobs, and the job it is at.
    expect(Math.max(...waits)).toBeLessThan(18 * MINUTE);
    expect(runs.filter(({ pr, end }) => pr === 1 && end === 'settled')).toHaveLength(60);
  });

  it('a hot pull request leaves the second worker to the quiet ones', async () => {
    const hot = Array.from({ length: 30 }, (_, n) => ({
      ...command(n * 10 * SECOND, `hot${n}`, 'long'),
      pr: 1,
    }));
    const quiet = Array.from({ length: 20 }, (_, n) => ({
      ...push(n * 10 * SECOND, `q${n}`, 'quick'),
      pr: 100 + n,
    }));
    const { violation, runs } = await simulate([...hot, ...quiet], { workers: 2 });
    expect(violation).toBeUndefined();
    const waits = quiet.map(({ at, pr }) => (runs.find((run) => run.pr === pr)?.startedAt ?? Infinity) - at);
    expect(Math.max(...waits)).toBeLessThan(1 * SECOND);
  });
});

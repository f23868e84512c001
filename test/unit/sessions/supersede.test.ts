import { describe, expect, it } from 'vitest';
import { control, command, push, simulate } from '../../sessions/simulate.ts';

const SECOND = 1_000;

describe('a newer push', () => {
  it('of a burst of ten gives one review, of the newest head', async () => {
    const burst = Array.from({ length: 10 }, (_, n) => push(n * 100, `d${n}`, 'long'));
    const { violation, runs } = await simulate(burst);
    expect(violation).toBeUndefined();
    expect(runs.filter(({ writes }) => writes > 0)).toMatchObject([
      { ticket: 10, writes: 1, end: 'settled' },
    ]);
    // The first one had begun before the others came; it ended at its first renewal and posted nothing.
    expect(runs.filter(({ ticket }) => ticket !== 10)).toMatchObject([
      { ticket: 1, writes: 0, end: 'aborted', endedAt: 20 * SECOND },
    ]);
  });

  it('while nobody works removes all but the newest without running them', async () => {
    const { runs, lines } = await simulate([
      push(0, 'first', 'long'),
      push(1 * SECOND, 'b'),
      push(2 * SECOND, 'c'),
      push(3 * SECOND, 'd'),
    ]);
    expect(lines.filter(({ event }) => event === 'job.superseded').map(({ fields }) => fields)).toEqual([
      { tickets: [1, 2, 3], by: 4 },
    ]);
    expect(runs.map(({ ticket, end }) => [ticket, end])).toEqual([
      [1, 'aborted'],
      [4, 'settled'],
    ]);
  });

  it('leaves commands alone: each is answered', async () => {
    const { violation, runs } = await simulate([
      command(0, 'a', 'long'),
      command(1 * SECOND, 'b'),
      push(2 * SECOND, 'c'),
      push(3 * SECOND, 'd'),
    ]);
    expect(violation).toBeUndefined();
    expect(runs.filter(({ end }) => end === 'settled').map(({ ticket }) => ticket)).toEqual([1, 2, 4]);
  });

  it('does not starve a review: after two supersedes in a row the next one finishes', async () => {
    // A review takes 70 s, and somebody pushes every 35 s for ten minutes.
    const pushes = Array.from({ length: 20 }, (_, n) => push(n * 35 * SECOND, `d${n}`, 'long'));
    const { violation, runs } = await simulate(pushes);
    expect(violation).toBeUndefined();
    const shape = runs.map(({ ticket, isProtected, end }) => ({ ticket, isProtected, end }));
    expect(shape.slice(0, 4)).toEqual([
      { ticket: 1, isProtected: false, end: 'aborted' },
      { ticket: 2, isProtected: false, end: 'aborted' },
      { ticket: 3, isProtected: true, end: 'settled' },
      { ticket: 5, isProtected: false, end: 'aborted' },
    ]);
    expect(
      runs.filter(({ end, startedAt }) => end === 'settled' && startedAt < 665 * SECOND).length,
    ).toBeGreaterThan(2);
    expect(runs.at(-1)).toMatchObject({ ticket: 20, end: 'settled' });
  });

  it('takes over how long a waiting one had to wait', async () => {
    const { runs, lines } = await simulate([
      push(0, 'a', 'limited'),
      push(10 * SECOND, 'b'),
      push(15 * SECOND, 'c'),
    ]);
    expect(runs.map(({ ticket, end }) => [ticket, end])).toEqual([
      [1, 'threw'],
      [3, 'settled'],
    ]);
    expect(runs[1]?.startedAt).toBeGreaterThanOrEqual(45 * SECOND);
    expect(lines.map(({ event }) => event)).toContain('job.superseded');
  });
});

describe('a control job takes effect at the next renewal, not behind the run', () => {
  it('stop ends the run and drops what was asked for before it', async () => {
    const { violation, runs, lines } = await simulate([
      push(0, 'a', 'long'),
      command(1 * SECOND, 'b'),
      control(5 * SECOND, 'c', 'stop'),
      command(6 * SECOND, 'd'),
    ]);
    expect(violation).toBeUndefined();
    expect(runs.map(({ ticket, writes, end, endedAt }) => ({ ticket, writes, end, endedAt }))).toEqual([
      { ticket: 1, writes: 0, end: 'aborted', endedAt: 20 * SECOND },
      { ticket: 4, writes: 1, end: 'settled', endedAt: 20 * SECOND },
    ]);
    expect(lines.find(({ event }) => event === 'control.applied')?.fields).toMatchObject({
      ticket: 3,
      removed: [1, 2],
    });
  });

  it('closed ends the run; the job finds out by itself when it runs again', async () => {
    const { violation, runs, world } = await simulate([
      push(0, 'a', 'long'),
      control(5 * SECOND, 'b', 'closed'),
    ]);
    expect(violation).toBeUndefined();
    expect(runs.map(({ ticket, end }) => [ticket, end])).toEqual([
      [1, 'aborted'],
      [1, 'settled'],
    ]);
    const [state] = world.table.scan('0', 'g').filter(({ rowKey }) => rowKey === 's');
    expect(JSON.parse(String(state?.values['state']))).toMatchObject({ closedTicket: 2 });
  });

  it('pause drops the waiting review and is remembered, resume takes it back', async () => {
    const paused = await simulate([push(0, 'a', 'long'), control(5 * SECOND, 'b', 'pause')]);
    expect(paused.runs.map(({ end }) => end)).toEqual(['aborted']);
    const [state] = paused.world.table.scan('0', 'g').filter(({ rowKey }) => rowKey === 's');
    expect(JSON.parse(String(state?.values['state']))).toEqual({ paused: true });

    const resumed = await simulate([
      control(0, 'a', 'pause'),
      control(200 * SECOND, 'b', 'resume'),
      push(300 * SECOND, 'c'),
    ]);
    const [after] = resumed.world.table.scan('0', 'g').filter(({ rowKey }) => rowKey === 's');
    expect(JSON.parse(String(after?.values['state']))).toMatchObject({ paused: false });
  });

  it('resume does not disturb a run', async () => {
    const { runs } = await simulate([push(0, 'a', 'long'), control(5 * SECOND, 'b', 'resume')]);
    expect(runs.map(({ end }) => end)).toEqual(['settled']);
  });
});

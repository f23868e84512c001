import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNcrontab } from '../../../infra/local/host/ncrontab.ts';

const next = (expression: string, after: string) =>
  new Date(parseNcrontab(expression).next(Date.parse(after))).toISOString().replace('.000Z', 'Z');

describe('next occurrence', () => {
  it.each([
    ['* * * * * *', '2026-12-01T10:00:00Z', '2026-12-01T10:00:01Z'],
    ['* * * * * *', '2026-12-01T10:00:00.999Z', '2026-12-01T10:00:01Z'],
    ['0 0 * * * *', '2026-12-01T10:00:00Z', '2026-12-01T11:00:00Z'],
    ['0 */5 * * * *', '2026-12-01T10:04:59Z', '2026-12-01T10:05:00Z'],
    ['0 7/20 * * * *', '2026-12-01T10:27:00Z', '2026-12-01T10:47:00Z'],
    ['0 7/20 * * * *', '2026-12-01T10:47:00Z', '2026-12-01T11:07:00Z'],
    ['30 15,45 9-17 * * *', '2026-12-01T17:45:30Z', '2026-12-02T09:15:30Z'],
    ['0 0 17-9/4 * * *', '2026-12-01T10:00:00Z', '2026-12-01T13:00:00Z'],
    ['0 30 9 * Jan Mon', '2026-12-01T00:00:00Z', '2027-01-04T09:30:00Z'],
    // A range written backwards is turned round: 6-0 is every day, not the weekend.
    ['0 0 0 * * sat-sun', '2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'],
    ['0 0 0 31 * *', '2026-11-30T00:00:00Z', '2026-12-31T00:00:00Z'],
    ['0 0 0 31 * *', '2027-01-31T00:00:00Z', '2027-03-31T00:00:00Z'],
    ['0 0 0 29 2 *', '2026-12-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['59 59 23 31 12 *', '2026-12-31T23:59:59Z', '2027-12-31T23:59:59Z'],
    // Both day fields must fit: a Friday the 13th.
    ['0 0 0 13 * 5', '2026-12-01T00:00:00Z', '2027-08-13T00:00:00Z'],
  ])('%s after %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected);
  });
});

describe('schedules that are refused', () => {
  it.each([
    ['0 */5 * * *', 'needs six fields'],
    ['', 'needs six fields'],
    ['00:05:00', 'needs six fields'],
    ['60 * * * * *', '"60" is no second (0 to 59)'],
    ['* * 24 * * *', '"24" is no hour'],
    ['* * * 0 * *', '"0" is no day of month'],
    ['* * * * 13 *', '"13" is no month'],
    ['* * * * * 7', '"7" is no day of week'],
    ['* * * * * Foo', '"Foo" is no day of week'],
    ['Mon * * * * *', '"Mon" is no second'],
    ['1-2-3 * * * * *', '"1-2-3" is no second'],
    ['*/x * * * * *', '"*/x" is no second'],
    ['1//2 * * * * *', '"1//2" is no second'],
    ['1, * * * * *', '"" is no second'],
    ['-1 * * * * *', '"" is no second'],
    ['? * * * * *', '"?" is no second'],
    ['0 0 0 31 2 *', 'never occurs'],
    ['0 0 0 30 Feb *', 'never occurs'],
  ])('%s', (expression, reason) => {
    expect(() => parseNcrontab(expression)).toThrow(reason);
  });
});

const set = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 });

describe('properties', () => {
  const schedule = fc.record({
    seconds: set(0, 59),
    minutes: set(0, 59),
    hours: set(0, 23),
    weekdays: set(0, 6),
  });
  const instant = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 0, 1) });

  it('the next occurrence fits every field and nothing between fits them all', () => {
    fc.assert(
      fc.property(schedule, instant, fc.double({ min: 0, max: 1, noNaN: true }), (fields, after, where) => {
        const { seconds, minutes, hours, weekdays } = fields;
        const fits = (ms: number) => {
          const date = new Date(ms);
          return (
            seconds.includes(date.getUTCSeconds()) &&
            minutes.includes(date.getUTCMinutes()) &&
            hours.includes(date.getUTCHours()) &&
            weekdays.includes(date.getUTCDay())
          );
        };
        const expression = `${seconds.join()} ${minutes.join()} ${hours.join()} * * ${weekdays.join()}`;
        const found = parseNcrontab(expression).next(after);
        expect(found).toBeGreaterThan(after);
        expect(found % 1000).toBe(0);
        expect(fits(found)).toBe(true);
        const between = Math.floor((after + where * (found - after)) / 1000) * 1000;
        expect(between > after && between < found && fits(between)).toBe(false);
      }),
    );
  });

  it('a later start never gives an earlier occurrence', () => {
    fc.assert(
      fc.property(schedule, instant, fc.nat(10 * 86_400_000), (fields, after, later) => {
        const expression = `${fields.seconds.join()} ${fields.minutes.join()} ${fields.hours.join()} * * *`;
        const parsed = parseNcrontab(expression);
        const occurs = (from: number) => parsed.next(from);
        expect(occurs(after + later)).toBeGreaterThanOrEqual(occurs(after));
        expect(occurs(occurs(after) - 1)).toBe(occurs(after));
      }),
    );
  });
});

import { HostRefusal } from './host-refusal.ts';

/** A schedule of six fields: second, minute, hour, day of month, month, day of week (0 = Sunday). */
export interface Ncrontab {
  /** First time strictly after `afterMs`, whole seconds, UTC, in milliseconds since the epoch. */
  next(afterMs: number): number;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const FIELDS: readonly Field[] = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 6, names: DAYS },
];
const DAY_MS = 86_400_000;
/** 29 February on a given weekday recurs within 40 years; what does not occur in this time never does. */
const SEARCH_DAYS = 41 * 366;

/**
 * Parses a schedule as NCrontab 3 does with seconds (https://github.com/atifaziz/NCrontab): `*`, numbers, ranges
 * (also written backwards), lists, steps, English names and their beginnings. Day of month AND day of week must
 * both fit, unlike in Unix cron. Time spans, which only dedicated plans accept, are refused.
 * Own code of this size rather than a library: those on npm follow Unix cron in just these points.
 * @throws HostRefusal naming the field, or when the schedule never occurs.
 */
export function parseNcrontab(expression: string): Ncrontab {
  const words = expression.trim().split(/\s+/);
  if (words.length !== FIELDS.length) {
    throw new HostRefusal(
      `schedule "${expression}" needs six fields: ${FIELDS.map(({ name }) => name).join(', ')}`,
    );
  }
  const sets = FIELDS.map((field, index) => parseField(field, words[index] ?? '', expression));
  const [seconds = [], minutes = [], hours = []] = sets.map((set) => [...set].toSorted((a, b) => a - b));
  const [days, months, weekdays] = sets.slice(3);

  const dayFits = (date: Date): boolean =>
    days?.has(date.getUTCDate()) === true &&
    months?.has(date.getUTCMonth() + 1) === true &&
    weekdays?.has(date.getUTCDay()) === true;

  const find = (afterMs: number): number | undefined => {
    const from = Math.floor(afterMs / 1000) * 1000 + 1000;
    const today = Math.floor(from / DAY_MS) * DAY_MS;
    for (let day = 0; day < SEARCH_DAYS; day += 1) {
      const midnight = today + day * DAY_MS;
      if (!dayFits(new Date(midnight))) continue;
      const second = firstSecondOfDay({ hours, minutes, seconds }, Math.max(0, (from - midnight) / 1000));
      if (second !== undefined) return midnight + second * 1000;
    }
    return undefined;
  };
  if (find(0) === undefined) throw new HostRefusal(`schedule "${expression}" never occurs`);
  return {
    next: (afterMs) => {
      const found = find(afterMs);
      if (found === undefined) throw new Error(`schedule "${expression}" does not occur again`);
      return found;
    },
  };
}

interface TimesOfDay {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

/** Second of the day, at or after `from` (seconds since midnight). */
function firstSecondOfDay({ hours, minutes, seconds }: TimesOfDay, from: number): number | undefined {
  for (const hour of hours) {
    if (hour * 3600 + 3599 < from) continue;
    for (const minute of minutes) {
      const start = hour * 3600 + minute * 60;
      if (start + 59 < from) continue;
      const second = seconds.find((candidate) => start + candidate >= from);
      if (second !== undefined) return start + second;
    }
  }
  return undefined;
}

function parseField(field: Field, text: string, expression: string): ReadonlySet<number> {
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const [range = '', step, ...more] = item.split('/');
    const [first = '', last, ...extra] = range.split('-');
    if (more.length > 0 || extra.length > 0 || (step !== undefined && !/^\d{1,4}$/.test(step))) {
      throw invalid(field, item, expression);
    }
    const low = range === '*' ? field.min : parseValue(field, first, expression);
    const high =
      range === '*' || (last === undefined && step !== undefined)
        ? field.max
        : parseValue(field, last ?? first, expression);
    for (
      let value = Math.min(low, high);
      value <= Math.max(low, high);
      value += Math.max(1, Number(step ?? 1))
    ) {
      values.add(value);
    }
  }
  return values;
}

function parseValue(field: Field, text: string, expression: string): number {
  if (/^\d{1,4}$/.test(text)) {
    const value = Number(text);
    if (value >= field.min && value <= field.max) return value;
  } else if (/^[a-z]+$/i.test(text)) {
    const index = field.names?.findIndex((name) => name.toLowerCase().startsWith(text.toLowerCase())) ?? -1;
    if (index >= 0) return field.min + index;
  }
  throw invalid(field, text, expression);
}

function invalid({ name, min, max }: Field, text: string, expression: string): HostRefusal {
  return new HostRefusal(`schedule "${expression}": "${text}" is no ${name} (${min} to ${max})`);
}

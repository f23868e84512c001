import type { ConfigReader } from './config-reader.ts';
import { settingNamed } from './settings-table.ts';

/** A text that is neither true nor false counts as `whenUnclear`. */
export function readFlag(reader: ConfigReader, name: string, whenUnclear: boolean): boolean {
  const text = reader.textOrDefault(name).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  report(reader, name, `Write true or false; it counts as ${String(whenUnclear)} until then.`);
  return whenUnclear;
}

/** A plain decimal number within bounds; the table's default stands in for anything else. */
export function readNumber(reader: ConfigReader, name: string, least: number, most: number): number {
  const text = reader.textOrDefault(name);
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const fallback = Number(settingNamed(name)?.default);
  report(reader, name, `Write a number from ${least} to ${most}; ${fallback} is used until then.`);
  return fallback;
}

/** One of a few words, in any case; the table's default stands in for anything else. */
export function readChoice<T extends string>(
  reader: ConfigReader,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const text = reader.textOrDefault(name).toLowerCase();
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) {
    report(reader, name, `Write one of ${choices.join(', ')}; ${fallback} is used until then.`);
  }
  return choice ?? fallback;
}

function report(reader: ConfigReader, name: string, advice: string): void {
  reader.report(name, settingNamed(name)?.governs ?? 'all', advice);
}

import type { Config, LogLevel } from './config.ts';
import { createConfigReader, type ConfigReader, type Environment } from './config-reader.ts';
import { readInstances } from './parse-instances.ts';
import { readModel } from './parse-model.ts';
import { readSecrets } from './parse-secrets.ts';
import { readStorage } from './parse-storage.ts';
import { parseServiceUrl, URL_ADVICE } from './parse-url.ts';
import type { Secret } from './secret.ts';
import { OWN_PREFIX, SETTINGS } from './settings-table.ts';

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
/** Shorter keys could be guessed from posted markers. */
const MIN_MARKER_KEY_LENGTH = 16;
const MINUTE_MS = 60_000;

/**
 * Reads all settings. Never throws: what is missing or wrong is named in `problems` and stays closed, the rest
 * works. Called on first use and never at import, because one throwing module empties a whole Functions app.
 */
export function loadConfig(env: Environment = process.env): Config {
  const reader = createConfigReader(env);
  const hasUnknown = reportUnknown(reader, env);
  return Object.freeze({
    instances: readInstances(reader),
    storage: readStorage(reader),
    model: readModel(reader),
    publicUrl: readPublicUrl(reader),
    name: readName(reader),
    markerKeys: readMarkerKeys(reader),
    // A mistyped stop switch or limit must not leave writing open.
    stop: hasUnknown || readFlag(reader, 'GATEHOUSE_STOP', true),
    retentionDays: readNumber(reader, 'RETENTION_DAYS', 1, 3650),
    runDeadlineMs: readNumber(reader, 'RUN_DEADLINE_MINUTES', 1, 30) * MINUTE_MS,
    logLevel: readLogLevel(reader),
    problems: reader.problems,
    secrets: reader.secrets,
  });
}

function reportUnknown(reader: ConfigReader, env: Environment): boolean {
  const known = new Set(SETTINGS.map((setting) => setting.name));
  // The Functions host reads further properties of the connection, e.g. GATEHOUSE_STORAGE__blobServiceUri.
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(OWN_PREFIX) && !known.has(name) && !name.startsWith('GATEHOUSE_STORAGE__'),
  );
  for (const name of unknown) {
    reader.report(
      name,
      'writes',
      'It is no setting of Gatehouse. Correct the name or remove it; writes stay stopped until then.',
    );
  }
  return unknown.length > 0;
}

function readPublicUrl(reader: ConfigReader): URL | undefined {
  const text = reader.text('GATEHOUSE_PUBLIC_URL');
  if (text === undefined) return undefined;
  const url = parseServiceUrl(text, reader.isInAzure);
  if (url instanceof URL) return url;
  reader.report('GATEHOUSE_PUBLIC_URL', 'mcp', URL_ADVICE[url]);
  return undefined;
}

function readName(reader: ConfigReader): string {
  const name = reader.textOrDefault('GATEHOUSE_NAME').replace(/^@/, '');
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,38}$/.test(name)) return name;
  reader.report('GATEHOUSE_NAME', 'review', 'Use letters, digits, dots, dashes and underscores, at most 39.');
  return 'gatehouse';
}

function readMarkerKeys(reader: ConfigReader): readonly Secret[] {
  const name = 'GATEHOUSE_MARKER_KEYS';
  const keys = readSecrets(reader, name, 'writes').map((entry) => entry.value);
  const isReported = reader.problems.some((problem) => problem.setting === name);
  if (keys.length === 0 && !isReported) {
    reader.report(
      name,
      'writes',
      'Set it to a list of random texts of at least 16 characters; there is no default.',
    );
  }
  if (keys.every((key) => key.reveal().length >= MIN_MARKER_KEY_LENGTH)) return keys;
  reader.report(name, 'writes', `Every key needs at least ${MIN_MARKER_KEY_LENGTH} characters.`);
  return [];
}

/** A text that is neither true nor false counts as `whenUnclear`. */
function readFlag(reader: ConfigReader, name: string, whenUnclear: boolean): boolean {
  const text = reader.textOrDefault(name).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  reader.report(name, 'writes', `Write true or false; it counts as ${String(whenUnclear)} until then.`);
  return whenUnclear;
}

function readNumber(reader: ConfigReader, name: string, least: number, most: number): number {
  const fallback = Number(SETTINGS.find((setting) => setting.name === name)?.default);
  const value = Number(reader.textOrDefault(name));
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  reader.report(name, 'review', `Write a number from ${least} to ${most}; ${fallback} is used until then.`);
  return fallback;
}

function readLogLevel(reader: ConfigReader): LogLevel {
  const text = reader.textOrDefault('LOG_LEVEL').toLowerCase();
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level !== undefined) return level;
  reader.report('LOG_LEVEL', 'all', `Write one of ${LOG_LEVELS.join(', ')}; info is used until then.`);
  return 'info';
}

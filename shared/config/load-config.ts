import type { Config, LogLevel } from './config.ts';
import { createConfigReader, type Environment } from './config-reader.ts';
import { readInstances } from './parse-instances.ts';
import { readModel } from './parse-model.ts';
import {
  checkSchedule,
  readGrants,
  readMarkerKeys,
  readMcp,
  readName,
  readPrices,
  readPublicUrl,
  reportUnknown,
} from './parse-product.ts';
import { readSecrets } from './parse-secrets.ts';
import { readStorage } from './parse-storage.ts';
import { readChoice, readFlag, readNumber } from './parse-values.ts';

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const MINUTE_MS = 60_000;

/**
 * Reads all settings. Never throws: what is missing or wrong is named in `problems` and stays closed, the rest
 * works. Called on first use and never at import, because one throwing module empties a whole Functions app.
 */
export function loadConfig(env: Environment = process.env): Config {
  const reader = createConfigReader(env);
  const hasUnknown = reportUnknown(reader);
  checkSchedule(reader);
  const markerKeys = readSecrets(reader, 'GATEHOUSE_MARKER_KEYS', 'writes').map(({ value }) => value);
  return Object.freeze({
    instances: readInstances(reader),
    storage: readStorage(reader),
    model: readModel(reader),
    modelPrices: readPrices(reader),
    publicUrl: readPublicUrl(reader),
    name: readName(reader),
    grants: readGrants(reader),
    mcp: readMcp(reader),
    markerKeys: readMarkerKeys(reader, markerKeys),
    // A mistyped stop switch or limit must not leave writing open.
    stop: readFlag(reader, 'GATEHOUSE_STOP', true) || hasUnknown,
    retentionDays: readNumber(reader, 'RETENTION_DAYS', 1, 3650),
    runDeadlineMs: Math.round(readNumber(reader, 'RUN_DEADLINE_MINUTES', 1, 30) * MINUTE_MS),
    budgets: Object.freeze({
      runUsd: readNumber(reader, 'BUDGET_RUN_USD', 0, 10_000),
      repositoryDayUsd: readNumber(reader, 'BUDGET_REPOSITORY_DAY_USD', 0, 1_000_000),
    }),
    logLevel: readChoice(reader, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    problems: Object.freeze(reader.problems),
    secrets: Object.freeze(reader.secrets),
  });
}

import type { LogLevel } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { LogFields, Logger } from './ports.ts';
import { asRecord, type Redactor } from './redaction.ts';

/** Receives one redacted, JSON-safe record a line. */
export type LogSink = (level: LogLevel, record: Readonly<Record<string, unknown>>) => void;

export interface LoggerOptions {
  /** Lines below it are dropped. */
  readonly level: LogLevel;
  readonly sink: LogSink;
  readonly redact: Redactor;
  readonly clock: Pick<Clock, 'now'>;
  /** On every line: version, git sha, delivery, job, pull request. */
  readonly base?: LogFields;
}

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * Redaction happens here, in front of the sink, so that no caller can forget it. Logging never throws: a sink that
 * fails loses its line, not the run.
 */
export function createLogger(options: LoggerOptions): Logger {
  const write = (level: LogLevel, event: string, fields: LogFields | undefined): void => {
    if (ORDER[level] < ORDER[options.level]) return;
    const record = {
      ...options.base,
      ...fields,
      time: new Date(options.clock.now()).toISOString(),
      level,
      event,
    };
    try {
      options.sink(level, asRecord(options.redact(record)));
    } catch {
      // There is nowhere left to say it.
    }
  };
  return {
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
    child: (fields) => createLogger({ ...options, base: { ...options.base, ...fields } }),
  };
}

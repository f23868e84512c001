import type { LogLevel } from '../config/config.ts';
import type { LogSink } from './logger.ts';

/** The part of a Functions invocation that logs; what is logged through it keeps the invocation's correlation. */
export interface InvocationLog {
  readonly invocationId: string;
  debug(...args: unknown[]): void;
  info(...args: unknown[]): void;
  warn(...args: unknown[]): void;
  error(...args: unknown[]): void;
}

/** Writes each record as one JSON line through the platform's logger, where queries can parse it. */
export function invocationSink(invocation: InvocationLog): LogSink {
  return (level, record) => writeLine(invocation, level, JSON.stringify(record));
}

function writeLine(invocation: InvocationLog, level: LogLevel, line: string): void {
  switch (level) {
    case 'debug':
      return invocation.debug(line);
    case 'info':
      return invocation.info(line);
    case 'warn':
      return invocation.warn(line);
    case 'error':
      return invocation.error(line);
  }
}

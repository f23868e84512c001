import { AsyncLocalStorage } from 'node:async_hooks';
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

export interface InvocationSink {
  /** Writes each record as one JSON line through the invocation that is running, where queries can parse it. */
  readonly sink: LogSink;
  /** Everything that `work` logs, however deep and in clients shared by all, belongs to `invocation`. */
  run<T>(invocation: InvocationLog, work: () => Promise<T>): Promise<T>;
}

/** `outside` receives lines that no invocation is responsible for. */
export function createInvocationSink(outside: (line: string) => void): InvocationSink {
  const current = new AsyncLocalStorage<InvocationLog>();
  return {
    sink: (level, record) => {
      const invocation = current.getStore();
      const line = JSON.stringify({ ...record, invocationId: invocation?.invocationId });
      if (invocation === undefined) outside(line);
      else writeLine(invocation, level, line);
    },
    run: (invocation, work) => current.run(invocation, work),
  };
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

import type { LogSink } from './logger.ts';

/** A sink that writes each record as one JSON line, for tools that run outside the Functions host. */
export function createJsonLinesSink(write: (line: string) => void): LogSink {
  return (_level, record) => write(`${JSON.stringify(record)}\n`);
}

import type { LogFields, Logger } from './ports.ts';

/** Numbers to draw and to alert on. Names are static and dotted; everything that varies goes into fields. */
export interface Metrics {
  /** Adds `n` to a counter. */
  count(name: string, n?: number, fields?: LogFields): void;
  /** One measured duration in milliseconds. */
  time(name: string, ms: number, fields?: LogFields): void;
}

/** Metrics as log lines: queries sum the counts and take percentiles of the times, nothing else has to be run. */
export function createMetrics(log: Logger): Metrics {
  return {
    count: (name, n = 1, fields = {}) => log.info('metric.counted', { ...fields, metric: name, value: n }),
    time: (name, ms, fields = {}) => log.info('metric.timed', { ...fields, metric: name, value: ms }),
  };
}

import { z } from 'zod';

export const hostLogEntry = z.object({
  /** ISO 8601, UTC. */
  time: z.string(),
  /** Levels of the worker protocol, least to most severe (`none`: always logged). */
  level: z.enum(['trace', 'debug', 'information', 'warning', 'error', 'critical', 'none']),
  /** `host`: this program; `system`: the functions library; `user`: `context.log` of a handler. */
  category: z.enum(['host', 'system', 'user']),
  message: z.string(),
  functionName: z.string().optional(),
  invocationId: z.string().optional(),
});
export type HostLogEntry = Readonly<z.infer<typeof hostLogEntry>>;
export type HostLogLevel = HostLogEntry['level'];

export type HostLogSink = (entry: HostLogEntry) => void;

export interface HostLog {
  (level: HostLogLevel, message: string, fields?: HostLogFields): void;
}

export interface HostLogFields {
  readonly category?: HostLogEntry['category'];
  readonly functionName?: string;
  readonly invocationId?: string;
}

/** Stamps entries with the time and hands them to the sink. URLs are never logged: they may carry a key. */
export function createHostLog(sink: HostLogSink, now: () => number): HostLog {
  return (level, message, fields = {}) =>
    sink({ time: new Date(now()).toISOString(), level, category: 'host', message, ...fields });
}

/** One readable line: `12:00:00.000 warning review: message`. */
export function formatLogLine(entry: HostLogEntry): string {
  const source = entry.functionName ?? entry.category;
  return `${entry.time.slice(11, 23)} ${entry.level} ${source}: ${entry.message}`;
}

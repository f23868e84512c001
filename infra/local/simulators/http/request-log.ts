import type { IncomingHttpHeaders } from 'node:http';

/** One request as it is kept; secrets are replaced before it is stored. */
export interface LoggedRequest {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, else text; long bodies are cut. */
  readonly body: unknown;
  /** Undefined while the request runs and when the connection was cut. */
  readonly status?: number;
  /** Kind of the fault that hit it. */
  readonly fault?: string;
}

export interface RequestLog {
  open(entry: Omit<LoggedRequest, 'status' | 'fault'>): void;
  close(id: number, end: { status?: number; fault?: string }): void;
  list(): readonly LoggedRequest[];
  clear(): void;
}

const SECRET_HEADERS = new Set([
  'authorization',
  'cookie',
  'private-token',
  'job-token',
  'x-gitlab-token',
  'x-simulator-key',
]);
const MAX_BODY = 256 * 1024;

/** Headers fit to keep: of a credential only its scheme stays. */
export function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const text = Array.isArray(value) ? value.join(', ') : value;
      if (!SECRET_HEADERS.has(name)) return [[name, text]];
      const scheme = name === 'authorization' ? `${text.split(' ')[0] ?? ''} ` : '';
      return [[name, `${scheme}[secret]`]];
    }),
  );
}

/** A body fit to keep. */
export function loggedBody(raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  if (raw.length > MAX_BODY) return `[${raw.length} bytes]`;
  const text = raw.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Keeps the newest `capacity` requests. */
export function createRequestLog(capacity: number): RequestLog {
  const entries = new Map<number, LoggedRequest>();
  return {
    open(entry) {
      entries.set(entry.id, entry);
      const oldest = entries.keys().next().value;
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
    },
    close(id, end) {
      const entry = entries.get(id);
      if (entry !== undefined) entries.set(id, { ...entry, ...end });
    },
    list: () => [...entries.values()],
    clear: () => entries.clear(),
  };
}

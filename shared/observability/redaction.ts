import type { Secret } from '../config/secret.ts';

const MASK = '[secret]';
const MAX_DEPTH = 8;
const MAX_ITEMS = 200;
const MAX_TEXT = 8_192;
/** Shorter values would blank out ordinary words; no real credential is this short. */
const MIN_SECRET_LENGTH = 6;

const SENSITIVE_KEY =
  /(authorization|token(?!s?$)|token$|secret|passw(or)?d|passphrase|api[-_]?key|private[-_]?key|access[-_]?key|account[-_]?key|cookie|signature|credential|connection[-_]?string|assertion|jwt)/i;
/** Counts and names that merely contain a sensitive word. */
const HARMLESS_KEY = /^(input|output|cache(Creation|Read)?|max|total|thinking)?_?tokens?(Count|Used)?$/i;

/** Makes any value safe to log. Pure: the same value gives the same result. */
export type Redactor = (value: unknown) => unknown;

/** A redacted value as a record; anything that is none becomes `{ value }`. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : { value };
}

/**
 * Redacts by key name and by known secret values, in every encoding a client may print them in: raw, base64,
 * base64url, percent-encoded and JSON-escaped. Walks objects, arrays, maps, sets, errors and their causes;
 * cycles, depth over 8, more than 200 items and text over 8 KiB are cut.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const forms = secretForms(secrets);
  const text = (value: string): string => {
    let clean = value;
    for (const form of forms) clean = clean.split(form).join(MASK);
    return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}… (${clean.length} characters)` : clean;
  };
  return (value) => walk(value, text, 0, new Set());
}

function secretForms(secrets: readonly Secret[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const value = secret.reveal();
    // A key file is logged line by line as often as whole.
    const parts = value.includes('\n') ? [value, ...value.split(/\r?\n/)] : [value];
    for (const part of parts) {
      if (part.trim().length < MIN_SECRET_LENGTH || part.startsWith('-----')) continue;
      for (const form of encodings(part)) forms.add(form);
    }
  }
  return [...forms].toSorted((a, b) => b.length - a.length);
}

function encodings(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const base64 = bytes.toString('base64');
  return [
    value,
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ];
}

function walk(value: unknown, text: (value: string) => string, depth: number, seen: Set<object>): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[deep]';
  seen.add(value);
  try {
    return walkObject(value, text, depth + 1, seen);
  } finally {
    seen.delete(value);
  }
}

function walkObject(
  value: object,
  text: (value: string) => string,
  depth: number,
  seen: Set<object>,
): unknown {
  const next = (inner: unknown): unknown => walk(inner, text, depth, seen);
  if (value instanceof Error) return walkError(value, text, next);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof URL) return text(`${value.origin}${value.pathname}`);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return cut(value.slice(0, MAX_ITEMS).map(next), value.length);
  if (value instanceof Set) return cut([...value].slice(0, MAX_ITEMS).map(next), value.size);
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  const result: Record<string, unknown> = {};
  let count = 0;
  for (const [key, inner] of entries) {
    count += 1;
    if (count > MAX_ITEMS) continue;
    const name = typeof key === 'string' ? text(key) : String(next(key));
    result[name] = isSensitive(name) && inner !== undefined && inner !== null ? MASK : next(inner);
  }
  if (count > MAX_ITEMS) result['[cut]'] = count - MAX_ITEMS;
  return result;
}

function walkError(
  error: Error,
  text: (value: string) => string,
  next: (value: unknown) => unknown,
): Record<string, unknown> {
  return {
    ...asRecord(next(Object.fromEntries(Object.entries(error)))),
    name: error.name,
    message: text(error.message),
    ...(error.stack === undefined ? {} : { stack: text(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: next(error.cause) }),
    ...(error instanceof AggregateError ? { errors: next(error.errors) } : {}),
  };
}

function isSensitive(key: string): boolean {
  return SENSITIVE_KEY.test(key) && !HARMLESS_KEY.test(key);
}

function cut(items: unknown[], size: number): unknown[] {
  return size > MAX_ITEMS ? [...items, `[${size - MAX_ITEMS} more]`] : items;
}

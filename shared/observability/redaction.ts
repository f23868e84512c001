import { Secret } from '../config/secret.ts';
import { createTextMask, MASK, type TextMask } from './secret-forms.ts';

const MAX_DEPTH = 8;
const MAX_ITEMS = 200;
/** Over all levels, because a log line is a line and not an object graph. */
const MAX_NODES = 2_000;
const MAX_TEXT = 8_192;
const MAX_ALL_TEXT = 65_536;
/** Characters read beyond MAX_TEXT, so that a credential at the cut is seen whole. */
const MIN_ROOM = 512;

const SENSITIVE_KEY =
  /authorization|secret|token|passw(or)?d|passphrase|(api|private|access|account|signing|marker|shared|encryption)[-_]?key|cookie|signature|credential|connection[-_]?string|assertion|jwt|^(keys?|sig|sas|pat|pwd|pem)$/i;

/** Makes any value safe to log. Pure: the same value gives the same result. Never throws. */
export type Redactor = (value: unknown) => unknown;

/** A redacted value as a record; anything that is none becomes `{ value }`. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : { value };
}

/**
 * Redacts by key name, by known secret values in their usual encodings (raw, base64, base64url, percent-encoded,
 * JSON-escaped) and by the shape of credentials. Walks objects, arrays, maps, sets, errors and their causes;
 * cycles, depth over 8, more than 200 items, 2,000 values in all and text over 8 KiB are cut.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const mask = createTextMask(secrets);
  return (value) => walk(value, createContext(mask), 0, new Set());
}

/** One walk: what it may still show. */
interface Context {
  /** Masks and cuts; `[cut]` once the line is full. */
  text(value: string): string;
  /** False once the line is full. */
  takeNode(): boolean;
}

function createContext(mask: TextMask): Context {
  let nodes = MAX_NODES;
  let characters = MAX_ALL_TEXT;
  return {
    text: (value) => {
      if (characters <= 0) return '[cut]';
      const clean = maskText(mask, value);
      characters -= clean.length;
      return clean;
    },
    takeNode: () => {
      nodes -= 1;
      return nodes >= 0;
    },
  };
}

/** Cut before it is masked, so that a huge text costs little, and with room, so that no secret is cut in half. */
function maskText(mask: TextMask, text: string): string {
  if (text.length <= MAX_TEXT) return mask.mask(text);
  const room = Math.max(mask.longest, MIN_ROOM);
  const head = mask.mask(text.slice(0, MAX_TEXT + room));
  const whole = head.slice(0, Math.max(0, head.length - room));
  return `${whole.slice(0, MAX_TEXT)}… (${text.length} characters)`;
}

function walk(value: unknown, context: Context, depth: number, path: Set<object>): unknown {
  if (!context.takeNode()) return '[cut]';
  if (typeof value === 'string') return context.text(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (path.has(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[deep]';
  path.add(value);
  try {
    return walkObject(value, context, (inner) => walk(inner, context, depth + 1, path));
  } catch {
    // A getter or a proxy that throws must not take the line, or the run, down with it.
    return '[unreadable]';
  } finally {
    path.delete(value);
  }
}

function walkObject(value: object, context: Context, next: (value: unknown) => unknown): unknown {
  if (value instanceof Secret) return MASK;
  if (value instanceof Error) return walkError(value, next);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof URL) return context.text(`${value.origin}${value.pathname}`);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return cut(value.slice(0, MAX_ITEMS).map(next), value.length);
  if (value instanceof Set) return cut([...value].slice(0, MAX_ITEMS).map(next), value.size);
  return walkEntries(value instanceof Map ? [...value] : Object.entries(value), context, next);
}

function walkEntries(
  entries: readonly (readonly [unknown, unknown])[],
  context: Context,
  next: (value: unknown) => unknown,
): Record<string, unknown> {
  const kept = entries.slice(0, MAX_ITEMS).map(([key, inner]): [string, unknown] => {
    const name = typeof key === 'string' ? context.text(key) : JSON.stringify(next(key));
    return [name, typeof key === 'string' && isSensitive(key, inner) ? MASK : next(inner)];
  });
  if (entries.length > MAX_ITEMS) kept.push(['[cut]', entries.length - MAX_ITEMS]);
  return Object.fromEntries(kept);
}

function walkError(error: Error, next: (value: unknown) => unknown): Record<string, unknown> {
  return {
    ...asRecord(next(Object.fromEntries(Object.entries(error)))),
    // Not by context.text: a library may have put anything but a text there.
    name: next(error.name),
    message: next(error.message),
    ...(error.stack === undefined ? {} : { stack: next(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: next(error.cause) }),
    ...(error instanceof AggregateError ? { errors: next(error.errors) } : {}),
  };
}

/** Flags and absent values say nothing, and a number of tokens is a count. */
function isSensitive(key: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  if (typeof value === 'number' && /tokens?/i.test(key)) return false;
  return SENSITIVE_KEY.test(key);
}

function cut(items: unknown[], size: number): unknown[] {
  return size > MAX_ITEMS ? [...items, `[${size - MAX_ITEMS} more]`] : items;
}

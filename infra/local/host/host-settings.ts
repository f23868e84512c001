import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { HostRefusal } from './host-refusal.ts';

/** The content of host.json; only what is read here has an effect. */
export const hostJsonObject = z.record(z.string(), z.unknown());
export type HostJson = Readonly<z.infer<typeof hostJsonObject>>;

/** `extensions.queues` of host.json, times in milliseconds. */
export interface QueueSettings {
  readonly batchSize: number;
  readonly newBatchThreshold: number;
  readonly maxDequeueCount: number;
  /** Delay before a failed message is tried again; one value for all functions. */
  readonly visibilityTimeoutMs: number;
  readonly maxPollingIntervalMs: number;
  readonly messageEncoding: 'base64' | 'none';
}

export interface HostSettings {
  /** Without slashes at its ends; empty for none. */
  readonly routePrefix: string;
  readonly queues: QueueSettings;
}

/** @throws HostRefusal when the file is missing or no JSON object. */
export async function readHostJson(file: string): Promise<HostJson> {
  try {
    return hostJsonObject.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? 'it must hold a JSON object' : String(error);
    throw new HostRefusal(`${file} cannot be read: ${reason}`, error);
  }
}

/**
 * Reads host.json with the real host's defaults and limits (azure-sdk-for-net, QueuesOptions.cs;
 * azure-webjobs-sdk-extensions, HttpOptions.cs).
 * @throws HostRefusal for a value that the real host refuses or a feature that is not implemented.
 */
export function readHostSettings(hostJson: HostJson): HostSettings {
  const queues = section(hostJson, 'extensions', 'queues');
  const http = section(hostJson, 'extensions', 'http');
  if (get(section(hostJson, 'concurrency'), 'dynamicConcurrencyEnabled') === true) {
    throw new HostRefusal('host.json: dynamic concurrency is not implemented by the local host');
  }
  const batchSize = integer(queues, 'batchSize', 16, 1, 32);
  const encoding = get(queues, 'messageEncoding') ?? 'base64';
  const messageEncoding = typeof encoding === 'string' ? encoding.toLowerCase() : '';
  if (messageEncoding !== 'base64' && messageEncoding !== 'none') {
    throw new HostRefusal('host.json: extensions.queues.messageEncoding must be "base64" or "none"');
  }
  const prefix = get(http, 'routePrefix') ?? 'api';
  if (typeof prefix !== 'string')
    throw new HostRefusal('host.json: extensions.http.routePrefix must be text');
  return {
    routePrefix: prefix.replaceAll(/^\/+|\/+$/g, ''),
    queues: {
      batchSize,
      newBatchThreshold: integer(
        queues,
        'newBatchThreshold',
        Math.floor(batchSize / 2) * availableParallelism(),
        0,
        100_000,
      ),
      maxDequeueCount: integer(queues, 'maxDequeueCount', 5, 1, 1_000_000),
      visibilityTimeoutMs: duration(queues, 'visibilityTimeout', 0, 0, 7 * 86_400_000),
      maxPollingIntervalMs: duration(queues, 'maxPollingInterval', 60_000, 100, 86_400_000),
      messageEncoding,
    },
  };
}

/** .NET configuration keys are case-insensitive. */
function get(from: HostJson, key: string): unknown {
  return Object.entries(from).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
}

function section(from: HostJson, ...keys: readonly string[]): HostJson {
  let at: HostJson = from;
  for (const key of keys) {
    const next = hostJsonObject.safeParse(get(at, key) ?? {});
    if (!next.success) throw new HostRefusal(`host.json: "${key}" must be an object`);
    at = next.data;
  }
  return at;
}

function integer(from: HostJson, key: string, fallback: number, min: number, max: number): number {
  const value = get(from, key) ?? fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new HostRefusal(`host.json: extensions.queues.${key} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function duration(from: HostJson, key: string, fallback: number, min: number, max: number): number {
  const value = get(from, key);
  const ms = value === undefined ? fallback : typeof value === 'string' ? parseTimeSpan(value) : undefined;
  if (ms === undefined || ms < min || ms > max) {
    throw new HostRefusal(
      `host.json: extensions.queues.${key} must be a time such as "00:00:30", from ${min} ms to ${max} ms`,
    );
  }
  return ms;
}

/** Milliseconds of a .NET time span `[d.]hh:mm:ss[.fff]`; undefined when it is none. */
export function parseTimeSpan(text: string): number | undefined {
  const match = /^(?:(\d{1,7})\.)?(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,7}))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1, 5).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const fraction = Math.floor(Number(`0.${match[5] ?? '0'}`) * 1000);
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + fraction;
}

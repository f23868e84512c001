import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FunctionKeys } from './function-keys.ts';
import { hostLogEntry, type HostLogEntry } from './host-log.ts';
import { readyLine, type FunctionSummary } from './ready-line.ts';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;
const KEPT_LOGS = 20_000;

export interface SpawnHostOptions {
  readonly appRoot: string;
  readonly entry?: string;
  /** The child's whole environment; only PATH is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly port?: number;
  /** File used in place of `appRoot`/host.json. */
  readonly hostJsonFile?: string;
  /** How long a received message stays hidden, renewed at half. Default: 600, as in Azure. */
  readonly messageVisibilitySeconds?: number;
  /** Folder that remembers when timers are due; without it no run counts as missed. */
  readonly timerStateDir?: string;
  /** Least level that the child reports. Default: everything; `warning` costs less under load. */
  readonly logLevel?: 'trace' | 'debug' | 'information' | 'warning' | 'error';
}

export interface SpawnedHost {
  readonly url: string;
  readonly pid: number;
  readonly functions: readonly FunctionSummary[];
  readonly keys: FunctionKeys;
  /** What the host and the app logged so far (the last 20,000); lines that are no log entry have category `host`. */
  readonly logs: readonly HostLogEntry[];
  /** Resolves when the process is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Runs a timer or queue function now and waits for its end; rejects when it fails. `input`: message text. */
  invoke(name: string, input?: string): Promise<void>;
  /** Lets running work finish (at most 30 s), then resolves when the process is gone. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would; resolves when the process is gone. */
  kill(): Promise<void>;
}

/**
 * Runs the local host as a child process, which ends with this one. Several can run side by side.
 * @throws Error with the child's own words when it refuses the app or does not get ready within 30 s.
 */
export async function spawnLocalHost(options: SpawnHostOptions): Promise<SpawnedHost> {
  const args = ['--app-root', options.appRoot, '--port', String(options.port ?? 0), '--json'];
  if (options.entry !== undefined) args.push('--entry', options.entry);
  if (options.hostJsonFile !== undefined) args.push('--host-json', options.hostJsonFile);
  if (options.logLevel !== undefined) args.push('--log-level', options.logLevel);
  if (options.timerStateDir !== undefined) args.push('--timer-state', options.timerStateDir);
  if (options.messageVisibilitySeconds !== undefined) {
    args.push('--message-visibility-seconds', String(options.messageVisibilitySeconds));
  }
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const logs: HostLogEntry[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (logs.length >= KEPT_LOGS) logs.shift();
    logs.push(readLogLine(line));
  });
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    const timer = setTimeout(() => reject(new Error('was not ready within 30 s')), START_TIMEOUT_MS);
    child.once('error', reject);
    child.once('close', (code, signal) => reject(new Error(`ended with ${signal ?? `code ${code}`}`)));
    child.once('close', () => clearTimeout(timer));
    child.stdout.once('data', () => clearTimeout(timer));
  });
  const line = await ready.catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await closed;
    const tail = logs.slice(-20).map(({ message }) => message);
    throw new Error(`local host ${error instanceof Error ? error.message : ''}:\n${tail.join('\n')}`, {
      cause: error,
    });
  });
  const { url, functions, keys } = readyLine.parse(JSON.parse(line));

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill(signal);
    await closed;
    clearTimeout(hard);
  };
  return {
    url,
    pid: child.pid ?? -1,
    functions,
    keys,
    logs,
    exited: closed,
    invoke: async (name, input = '') => {
      const answer = await fetch(`${url}/admin/functions/${encodeURIComponent(name)}?wait=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-functions-key': keys.master },
        body: JSON.stringify({ input }),
      });
      if (answer.status !== 204) throw new Error(`running "${name}" ended with ${answer.status}`);
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function readLogLine(line: string): HostLogEntry {
  const fallback = (): HostLogEntry => {
    const time = new Date().toISOString();
    // The app or Node itself wrote it.
    return { time, level: 'information', category: 'host', message: line };
  };
  if (!line.startsWith('{')) return fallback();
  try {
    return hostLogEntry.parse(JSON.parse(line));
  } catch {
    return fallback();
  }
}

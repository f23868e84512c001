import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';

/**
 * Azurite's built-in account and key, printed in its documentation: they protect nothing.
 * https://learn.microsoft.com/azure/storage/common/storage-use-azurite
 */
const ACCOUNT = 'devstoreaccount1';
const ACCOUNT_KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;
const LISTENING = /Azurite (Blob|Queue|Table) service is successfully listening at (http:\/\/\S+)/g;

export interface AzuriteOptions {
  /** Folder for the data, created when missing. Without it everything lives in memory and dies with `stop`. */
  readonly dataDir?: string;
  /** Only for clarity at the call: `true` excludes `dataDir`, `false` requires it. */
  readonly inMemory?: boolean;
  /** Fixed port, to come back at the same address after a restart. Default: any free port. */
  readonly queuePort?: number;
  /** Fixed port, to come back at the same address after a restart. Default: any free port. */
  readonly tablePort?: number;
}

export interface Azurite {
  /** Accepted by the Queue, Table and Blob SDKs; names all three endpoints. */
  readonly connectionString: string;
  /** `http://127.0.0.1:<port>/devstoreaccount1` */
  readonly queueUrl: string;
  /** `http://127.0.0.1:<port>/devstoreaccount1` */
  readonly tableUrl: string;
  readonly queuePort: number;
  readonly tablePort: number;
  readonly pid: number;
  /** Resolves when the process is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Orderly end (data are flushed to `dataDir`); resolves when the process is gone. Safe to call twice. */
  stop(): Promise<void>;
  /**
   * SIGKILL, as a crash would; resolves when the process is gone. Azurite writes its tables and queues to disk
   * only every few seconds and on `stop`: what came last is lost, which the real service never does.
   */
  kill(): Promise<void>;
}

/**
 * Starts Azurite's own command line program (blob, queue and table) as a child process on 127.0.0.1.
 * The child ends with this process, however that ends.
 * @throws Error with the end of Azurite's output when it does not listen within 30 s or exits before.
 */
export async function startAzurite(options: AzuriteOptions = {}): Promise<Azurite> {
  const { dataDir } = options;
  const inMemory = options.inMemory ?? dataDir === undefined;
  if (inMemory !== (dataDir === undefined)) {
    throw new Error('startAzurite: give either dataDir (data on disk) or inMemory, not both and not neither');
  }
  if (dataDir !== undefined) await mkdir(dataDir, { recursive: true });

  const main = createRequire(import.meta.url).resolve('azurite/dist/src/azurite.js');
  // The Blob SDK may be newer than what Azurite knows; queues and tables need no leniency and get none from it.
  const flags = ['--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  for (const service of ['blob', 'queue', 'table']) flags.push(`--${service}Host`, '127.0.0.1');
  flags.push('--blobPort', '0');
  flags.push('--queuePort', String(options.queuePort ?? 0), '--tablePort', String(options.tablePort ?? 0));
  flags.push(...(dataDir === undefined ? ['--inMemoryPersistence'] : ['--location', dataDir]));
  const child = spawn(
    process.execPath,
    ['--import', new URL('host/exit-with-parent.ts', import.meta.url).href, main, ...flags],
    {
      cwd: dataDir ?? tmpdir(),
      // An empty environment: AZURITE_ACCOUNTS or NODE_OPTIONS of the caller would change what is started.
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const urls = await waitUntilListening(child).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    await exited;
    throw error;
  });
  const endpoint = (service: string): string => `${urls.get(service) ?? ''}/${ACCOUNT}`;
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill(signal);
    await exited;
    clearTimeout(hard);
  };
  return {
    connectionString:
      `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${ACCOUNT_KEY};` +
      `BlobEndpoint=${endpoint('Blob')};QueueEndpoint=${endpoint('Queue')};TableEndpoint=${endpoint('Table')};`,
    queueUrl: endpoint('Queue'),
    tableUrl: endpoint('Table'),
    queuePort: Number(new URL(endpoint('Queue')).port),
    tablePort: Number(new URL(endpoint('Table')).port),
    pid: child.pid ?? -1,
    exited,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Resolves with the address of each service once all three said that they listen. */
function waitUntilListening(child: ChildProcess): Promise<ReadonlyMap<string, string>> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (what: string, cause?: unknown): void => {
      clearTimeout(timer);
      const tail = output.trim().slice(-2_000);
      reject(new Error(`Azurite ${what}${tail === '' ? '' : `; its last output:\n${tail}`}`, { cause }));
    };
    const timer = setTimeout(
      () => fail(`did not start within ${START_TIMEOUT_MS / 1000} s`),
      START_TIMEOUT_MS,
    );
    child.once('error', (error) => fail(`could not be run: ${error.message}`, error));
    child.once('close', (code, signal) => fail(`ended before it listened (${signal ?? `code ${code}`})`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
      const urls = new Map(
        [...output.matchAll(LISTENING)].map(([, service, url]) => [service ?? '', url ?? '']),
      );
      if (urls.size < 3) return;
      clearTimeout(timer);
      resolve(urls);
    });
  });
}

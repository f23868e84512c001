import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('worker.ts', import.meta.url));
const EXIT_WITH_PARENT = new URL('../../infra/local/host/exit-with-parent.ts', import.meta.url).href;

export interface WorkerProcess {
  readonly pid: number;
  /** Where it takes deliveries; undefined until it listens. */
  readonly url: () => string | undefined;
  /** What it wrote to stderr. */
  readonly errors: () => string;
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>;
}

export function startWorker(connectionString: string, providerUrl: string): WorkerProcess {
  const argument = JSON.stringify({ connectionString, providerUrl });
  const child: ChildProcess = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, PROGRAM, argument], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let url: string | undefined;
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const port = /"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) url = `http://127.0.0.1:${port}`;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-20_000);
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid ?? -1,
    url: () => url,
    errors: () => errors,
    kill: () => {
      child.kill('SIGKILL');
      return gone;
    },
  };
}

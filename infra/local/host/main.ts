import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatLogLine, hostLogEntry, type HostLogSink } from './host-log.ts';
import { HostRefusal } from './host-refusal.ts';
import { readHostJson } from './host-settings.ts';
import { startLocalHost } from './start-local-host.ts';

const HELP = `Runs an Azure Functions app (Node, v4 model) on this machine.

  node infra/local/host/main.ts [--app-root DIR] [--entry GLOB] [--port N] [--json | --verbose]

  --app-root DIR   folder with package.json and host.json (default: the current folder)
  --entry GLOB     entry files relative to it, e.g. 'functions/*.ts' (default: "main" of package.json)
  --host-json FILE use this file in place of host.json
  --message-visibility-seconds N   hide a received message this long, renewed at half (default: 600, as in Azure)
  --timer-state DIR remember due timers in this folder, so that a missed run is made up for at the next start
  --port N         port on 127.0.0.1 (default: a free one)
  --json           log as JSON lines on stderr
  --verbose        log everything; without it and --json warnings and errors only
  --log-level L    least level to log: trace, debug, information, warning or error

When ready it prints one line of JSON on stdout: {"url","functions","keys"}. SIGTERM, SIGINT or the end of a piped
stdin end it after running work has finished; a second signal ends it at once.
Exit codes: 0 stopped, 1 the app crashed, 2 the app was refused or could not be started.
`;

const options = {
  'app-root': { type: 'string', default: '.' },
  entry: { type: 'string' },
  'host-json': { type: 'string' },
  port: { type: 'string', default: '0' },
  'message-visibility-seconds': { type: 'string', default: '600' },
  'timer-state': { type: 'string' },
  json: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  'log-level': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Work that is still running when the parent has died is given this long before the process ends anyway. */
const ORPHAN_DRAIN_MS = 5_000;

async function main(): Promise<void> {
  const values = readArguments();
  const printLine = takeOverStdout();
  if (values.help) {
    printLine(HELP);
    return;
  }
  const port = readNumber('port', values.port, 0, 65_535);
  const visibility = readNumber(
    'message-visibility-seconds',
    values['message-visibility-seconds'],
    1,
    604_800,
  );
  const host = await startLocalHost({
    appRoot: values['app-root'],
    ...(values.entry === undefined ? {} : { entry: values.entry }),
    ...(values['host-json'] === undefined ? {} : { hostJson: await readHostJson(values['host-json']) }),
    ...(values['timer-state'] === undefined ? {} : { timerStateDir: values['timer-state'] }),
    timings: { messageVisibilityMs: visibility * 1000 },
    port,
    onLog: createStderrSink(
      values.json,
      values['log-level'] ?? (values.json || values.verbose ? 'trace' : 'warning'),
    ),
  });

  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    host.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error, 1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  watchParent(() => {
    setTimeout(() => process.exit(0), ORPHAN_DRAIN_MS).unref();
    if (!stopping) stop();
  });
  printLine(`${JSON.stringify({ url: host.url, functions: host.functions, keys: host.keys })}\n`);
}

function readArguments() {
  try {
    return parseArgs({ options, strict: true }).values;
  } catch (error) {
    throw new HostRefusal(`${error instanceof Error ? error.message : String(error)}; try --help`, error);
  }
}

function readNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new HostRefusal(`--${option} must be a number from ${min} to ${max}`);
}

/** stdout carries the ready line alone; what the app writes there goes to stderr. */
function takeOverStdout(): (text: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text) => void write(text);
}

function createStderrSink(json: boolean, leastLevel: string): HostLogSink {
  const levels: readonly string[] = hostLogEntry.shape.level.options;
  const least = levels.indexOf(leastLevel);
  if (least < 0) throw new HostRefusal(`--log-level must be one of ${levels.join(', ')}`);
  return (entry) => {
    if (levels.indexOf(entry.level) < least) return;
    process.stderr.write(`${json ? JSON.stringify(entry) : formatLogLine(entry)}\n`);
  };
}

/** Only a pipe tells that the parent is gone: a terminal or /dev/null as stdin means nothing. */
function watchParent(gone: () => void): void {
  const stdin = fstatSync(0, { throwIfNoEntry: false });
  if (stdin === undefined || !(stdin.isFIFO() || stdin.isSocket())) return;
  process.stdin.on('end', gone).on('error', gone).resume();
}

function fail(error: unknown, exitCode: 1 | 2): never {
  const text =
    error instanceof HostRefusal ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`local host: ${text}\n`);
  process.exit(exitCode);
}

process.on('uncaughtException', (error) => fail(error, 1));
process.on('unhandledRejection', (error) => fail(error, 1));
await main().catch((error: unknown) => fail(error, 2));

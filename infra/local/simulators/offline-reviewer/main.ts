import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isFault, FAULTS } from './faults.ts';
import { startOfflineReviewer } from './start-offline-reviewer.ts';

const HELP = `Runs the offline reviewer: a loopback server that speaks the Messages API and reviews by fixed rules.

  node infra/local/simulators/offline-reviewer/main.ts [--port N] [--fault NAME]...

  --port N       port on 127.0.0.1 (default: a free one)
  --fault NAME   what goes wrong with the next request; repeat it for the requests after that:
                 ${FAULTS.join(', ')}

The key that clients must send comes from OFFLINE_REVIEWER_API_KEY; without it one is made.
When ready it prints one line of JSON on stdout: {"url","apiKey"}. SIGTERM, SIGINT or the end of a piped stdin end it.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      fault: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const faults = values.fault.filter(isFault);
  if (faults.length < values.fault.length) throw new Error(`--fault must be one of ${FAULTS.join(', ')}`);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be 0 to 65535');
  const apiKey = process.env['OFFLINE_REVIEWER_API_KEY'] ?? `offline-${randomBytes(16).toString('hex')}`;
  const reviewer = await startOfflineReviewer({ apiKey, port, faults });
  const stop = (): void => {
    void reviewer.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  watchParent(stop);
  process.stdout.write(`${JSON.stringify({ url: reviewer.url, apiKey })}\n`);
}

/** Only a pipe tells that the parent is gone: a terminal or /dev/null as stdin means nothing. */
function watchParent(gone: () => void): void {
  const stdin = fstatSync(0, { throwIfNoEntry: false });
  if (stdin === undefined || !(stdin.isFIFO() || stdin.isSocket())) return;
  process.stdin.on('end', gone).on('error', gone).resume();
}

await main().catch((error: unknown) => {
  process.stderr.write(`offline reviewer: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
});

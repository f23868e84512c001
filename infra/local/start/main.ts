import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { modelFromEnvironment } from '../demo/model-from-environment.ts';
import { openSubject } from '../demo/open-subject.ts';
import { DEMO_PROVIDERS, startDemoProvider } from '../stack/demo-provider.ts';
import { startLocalStack } from '../stack/start-local-stack.ts';

const HELP = `npm start [-- --provider ${DEMO_PROVIDERS.join('|')}] [--repo PATH --base REF --head REF] [--json]

Starts storage, the simulated provider over a repository (default: the sample), the model and the app, opens one pull
request, delivers its webhook, prints the addresses and keeps everything running until Ctrl-C.`;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`start: ${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      provider: { type: 'string', default: 'github' },
      repo: { type: 'string' },
      base: { type: 'string' },
      head: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const { repo, base, head } = values;
  const range =
    repo !== undefined && base !== undefined && head !== undefined ? { repo, base, head } : undefined;
  if (range === undefined && [repo, base, head].some((value) => value !== undefined)) {
    throw new Error('--repo, --base and --head go together');
  }
  const id = DEMO_PROVIDERS.find((known) => known === values.provider);
  if (id === undefined) throw new Error(`--provider takes ${DEMO_PROVIDERS.join(', ')}`);
  const subject = await openSubject(range);
  const stack = await startLocalStack({
    startProvider: startDemoProvider(id),
    repositories: [{ dir: subject.dir, fullName: 'acme/demo' }],
    model: modelFromEnvironment(process.env),
    onStart: (part) => process.stderr.write(`starting ${part}\n`),
  });
  try {
    const { provider } = stack;
    const number = await provider.openPullRequest(subject);
    await provider.announce(number);
    const addresses = {
      app: stack.host.url,
      health: `${stack.host.url}/health`,
      webhook: `${stack.host.url}/${provider.webhookPath}`,
      provider: provider.apiUrl,
      pullRequest: `number ${number} of acme/demo`,
      model: stack.modelUrl,
    };
    if (values.json) process.stdout.write(`${JSON.stringify(addresses)}\n`);
    else
      for (const [name, url] of Object.entries(addresses))
        process.stdout.write(`${name.padEnd(12)} ${url}\n`);
    process.stderr.write('running; Ctrl-C stops everything\n');
    // Listening on standard input keeps the process alive and ends it with whatever started it.
    process.stdin.resume();
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process.stdin, 'end')]);
    return 0;
  } finally {
    process.stdin.destroy();
    await stack.stop();
    await subject.dispose();
  }
}

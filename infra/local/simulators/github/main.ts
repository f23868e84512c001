import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isGitError } from '../git/git-error.ts';
import { startGitHubSimulator } from './start-github-simulator.ts';

const HELP = `Serves a local git repository as a simulated GitHub with one pull request.

  node infra/local/simulators/github/main.ts --repo PATH --base REF --head REF [options]

  --repo PATH          any local git repository
  --base REF           branch, tag or commit that the pull request goes into
  --head REF           branch, tag or commit that it proposes
  --name OWNER/NAME    name of the repository (default acme/sample)
  --title TEXT         title of the pull request
  --slug NAME          slug of the App; its bot is NAME[bot] (default gatehouse)
  --port N             port of the API (default a free one)
  --webhook-url URL    where deliveries go; SIMULATOR_WEBHOOK_SECRET signs them
  --automatic          also deliver the events that writes cause
  --help

Prints one line of JSON with the addresses, the keys made for this run, and the pull request; then serves
until it is interrupted. Everything listens on 127.0.0.1. The header x-simulator-key opens the remote control
below /_simulator: faults, requests, writes, pulls/{n}/comments, deliveries.

Exit codes: 0 after an interruption, 2 for a wrong directory, reference or option.
`;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        repo: { type: 'string' },
        base: { type: 'string' },
        head: { type: 'string' },
        name: { type: 'string', default: 'acme/sample' },
        title: { type: 'string', default: 'Proposed change' },
        slug: { type: 'string', default: 'gatehouse' },
        port: { type: 'string', default: '0' },
        'webhook-url': { type: 'string' },
        automatic: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const { repo, base, head } = options;
  if (repo === undefined || base === undefined || head === undefined) {
    fail('--repo, --base and --head are needed; see --help');
  }
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const token = `ghp_${randomBytes(18).toString('hex')}`;
  const secret = process.env['SIMULATOR_WEBHOOK_SECRET'];
  const url = options['webhook-url'];
  try {
    const simulator = await startGitHubSimulator({
      repositories: [{ dir: repo, fullName: options.name, private: true }],
      app: { appId: 1001, publicKeyPem: keys.publicKey, slug: options.slug },
      tokens: [{ token, login: 'developer' }],
      port: Number(options.port),
      ...(url === undefined
        ? {}
        : {
            webhook: {
              url,
              secrets: secret === undefined ? [] : [secret],
              automatic: options.automatic,
            },
          }),
    });
    const stop = (): void => void simulator.stop().then(() => process.exit(0));
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const pull = await simulator.createPullRequest({ base, head, title: options.title });
    const ready = {
      apiUrl: simulator.apiUrl,
      enterpriseApiUrl: simulator.enterpriseApiUrl,
      webUrl: simulator.webUrl,
      archiveOrigin: simulator.archiveOrigin,
      adminKey: simulator.adminKey,
      app: { id: 1001, slug: options.slug, privateKeyPem: keys.privateKey },
      token,
      repository: { id: pull.repository.id, fullName: pull.repository.fullName },
      pullRequest: {
        number: pull.number,
        baseSha: pull.baseSha,
        headSha: pull.headSha,
        url: `${simulator.webUrl}/${pull.repository.fullName}/pull/${pull.number}`,
      },
    };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  } catch (error) {
    if (isGitError(error)) fail(error.message);
    throw error;
  }
}

await main();

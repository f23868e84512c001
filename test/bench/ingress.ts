import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startAzurite } from '../../infra/local/azurite.ts';
import { spawnLocalHost } from '../../infra/local/host/spawn-host.ts';
import { Secret } from '../../shared/config/secret.ts';
import { ensureStorage } from '../../shared/state/ensure-storage.ts';
import { spawnBareHandler } from './bare-handler.ts';
import {
  BENCH_PROVIDERS,
  bareSignature,
  providerDeliveries,
  type ProviderDeliveries,
  type SignedDelivery,
} from './provider-deliveries.ts';

const APP_ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HELP = `npm run bench -- ingress [--provider P] [--count N] [--json]

Delivers N (2,000) signed webhooks one by one, then N sixteen at once, to the real webhook function on the local
host with Azurite on disk, and to a bare node:http handler that only checks the signature, in the same run.
Cost: each delivery is one transaction and three or four more storage calls, whatever the pull request's history.`;

interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly unexpected: number;
}

/** Measures how fast deliveries are acknowledged. Exit code 1 when any was not answered 202. */
export async function runIngressBench(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      provider: { type: 'string', default: 'github' },
      count: { type: 'string', default: '2000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const count = Number(values.count);
  const provider = BENCH_PROVIDERS.find((known) => known === values.provider);
  if (provider === undefined) throw new Error(`--provider takes ${BENCH_PROVIDERS.join(', ')}`);
  const secret = randomBytes(24).toString('hex');
  const source = providerDeliveries(provider, secret);
  const azurite = await startAzurite();
  try {
    await ensureStorage({
      kind: 'connection-string',
      connectionString: new Secret(azurite.connectionString),
    });
    const host = await spawnLocalHost({
      appRoot: APP_ROOT,
      entry: 'functions/{setup,webhook}.ts',
      env: environment(azurite.connectionString, source),
    });
    const bare = await spawnBareHandler(secret);
    try {
      const app = `${host.url}/webhooks/${provider}`;
      await measure(app, deliveries(source, secret, 100, 'warm-up'), 4);
      await measure(bare.url, deliveries(source, secret, 100, 'warm-up'), 4);
      const rows = {
        'gatehouse, one by one': await measure(app, deliveries(source, secret, count, 'single'), 1),
        'bare handler, one by one': await measure(bare.url, deliveries(source, secret, count, 'single'), 1),
        'gatehouse, 16 at once': await measure(app, deliveries(source, secret, count, 'parallel'), 16),
        'bare handler, 16 at once': await measure(
          bare.url,
          deliveries(source, secret, count, 'parallel'),
          16,
        ),
      };
      report(rows, count, values.json);
      return Object.values(rows).every((row) => row.unexpected === 0) ? 0 : 1;
    } finally {
      await host.stop();
      await bare.stop();
    }
  } finally {
    await azurite.stop();
  }
}

function environment(connectionString: string, source: ProviderDeliveries): Record<string, string> {
  return {
    GATEHOUSE_STORAGE: connectionString,
    GATEHOUSE_MARKER_KEYS: randomBytes(24).toString('hex'),
    LOG_LEVEL: 'warn',
    ...source.settings,
  };
}

/** 100 pull requests in turn, every body different, as a busy organisation sends them. */
function deliveries(
  source: ProviderDeliveries,
  secret: string,
  count: number,
  label: string,
): SignedDelivery[] {
  return Array.from({ length: count }, (_, index) => {
    const { body, headers } = source.make((index % 100) + 1, `${label}-${index}`);
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-hub-signature-256': bareSignature(body, secret),
        ...headers,
      },
    };
  });
}

async function measure(url: string, all: readonly SignedDelivery[], parallel: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const times: number[] = [];
  let next = 0;
  let unexpected = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    for (let delivery = all[next++]; delivery !== undefined; delivery = all[next++]) {
      const sentAt = performance.now();
      const status = await post(url, delivery, agent);
      times.push(performance.now() - sentAt);
      if (status !== 202) unexpected += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), perSecond: all.length / seconds, unexpected };
}

function post(url: string, delivery: SignedDelivery, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: delivery.headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(delivery.body);
  });
}

function report(rows: Readonly<Record<string, Measured>>, count: number, asJson: boolean): void {
  if (asJson) {
    print(JSON.stringify({ bench: 'ingress', count, rows }));
    return;
  }
  print(`${count} deliveries each, 100 pull requests; milliseconds to the answer`);
  print(`${''.padEnd(28)}${['p50', 'p95', 'p99', 'req/s'].map((name) => name.padStart(9)).join('')}`);
  for (const [name, row] of Object.entries(rows)) {
    const figures = [row.p50.toFixed(2), row.p95.toFixed(2), row.p99.toFixed(2), row.perSecond.toFixed(0)];
    const note = row.unexpected === 0 ? '' : `  ${row.unexpected} not answered 202`;
    print(`${name.padEnd(28)}${figures.map((figure) => figure.padStart(9)).join('')}${note}`);
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

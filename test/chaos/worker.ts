import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { Secret } from '../../shared/config/secret.ts';
import { AppError } from '../../shared/domain/app-error.ts';
import type { Logger } from '../../shared/observability/ports.ts';
import { systemClock, systemRandom } from '../../shared/observability/system-clock.ts';
import { appendJob } from '../../shared/sessions/append.ts';
import { drainMessage } from '../../shared/sessions/drain.ts';
import { handlePoison } from '../../shared/sessions/poison.ts';
import type { JobRunner } from '../../shared/sessions/ports.ts';
import type { SessionStore } from '../../shared/sessions/store.ts';
import { createQueue } from '../../shared/state/azure-queue.ts';
import { createTable } from '../../shared/state/azure-table.ts';
import { QUEUES, TABLES } from '../../shared/state/names.ts';
import { createOutbox } from '../../shared/tools/outbox.ts';
import type { Grant } from '../../shared/tools/tool.ts';
import { storageConfig } from '../sessions/azurite-storage.ts';
import { CLEAN_REPORT } from '../sessions/sim/job.ts';
import { SCALED_TIMINGS } from '../sessions/scaled-timings.ts';
import { listen } from './queue-host.ts';

/** One instance of the app, as far as sessions go: takes deliveries over HTTP, handles messages, writes comments. */

const SLOTS = 2;
const Arguments = z.object({ connectionString: z.string(), providerUrl: z.string() });
const Delivery = z.object({ delivery: z.string(), pr: z.number(), jobClass: z.enum(['push', 'command']) });
const Comments = z.array(z.object({ marker: z.string() }));

const { connectionString, providerUrl } = Arguments.parse(JSON.parse(process.argv[2] ?? '{}'));
const config = storageConfig(connectionString);
const table = createTable(config, TABLES.sessions);
const store: SessionStore = {
  table,
  queue: createQueue(config, QUEUES.wake),
  clock: systemClock,
  random: systemRandom,
  timings: SCALED_TIMINGS,
};
const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (event, fields) => process.stderr.write(`${event} ${JSON.stringify(fields)}\n`),
  child: () => quiet,
};
const outbox = createOutbox({
  table,
  clock: systemClock,
  random: systemRandom,
  log: quiet,
  markerKeys: [new Secret('chaos-marker-key')],
  timings: {
    externalWriteMs: SCALED_TIMINGS.externalWriteMs,
    outboxIntentMs: SCALED_TIMINGS.outboxIntentMs,
    readBackGapMs: 100,
  },
});
const grant: Grant = {
  id: 'worker',
  instances: ['main'],
  repositories: ['**'],
  capabilities: ['comment'],
  submitActions: [],
  budgets: {},
};

const runJob: JobRunner = async (job, context) => {
  const kind = job.kind === 'run.failed' ? 'failure' : 'comment';
  const delivery = job.ids['delivery'] ?? '';
  await systemClock.sleep(50 + systemRandom.number() * 400, context.signal);
  await outbox.run(context.partitionKey, {
    key: `${kind}/${delivery}`,
    kind: 'thread',
    authority: { grant, pullRequest: context.pr, callerId: 'worker', writesStopped: false },
    signal: context.signal,
    confirm: () => context.confirmBeforeWrite(),
    write: async (marker, signal) => {
      const body = JSON.stringify({ delivery, pr: context.pr.number, kind, marker, pid: process.pid });
      const response = await fetch(`${providerUrl}/comments`, { method: 'POST', body, signal });
      return response.text();
    },
    readBack: async (marker) => {
      const response = await fetch(`${providerUrl}/comments?marker=${encodeURIComponent(marker)}`);
      const [found] = Comments.parse(await response.json());
      return found?.marker;
    },
    encode: (result) => result,
    decode: (stored) => stored,
  });
  return { kind: 'settled', report: CLEAN_REPORT, state: context.state };
};

const server = createServer((request, response) => {
  const accept = async (): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { delivery, pr, jobClass } = Delivery.parse(JSON.parse(body));
    await appendJob(store, {
      pr: { provider: 'github', instance: 'main', repositoryId: '1', number: pr, repository: 'octo/hello' },
      deliveryKey: delivery,
      job: {
        kind: jobClass === 'push' ? 'review.full' : 'comment',
        class: jobClass,
        cause: 'chaos',
        ids: { delivery },
      },
    });
    response.writeHead(202).end();
  };
  accept().catch((error: unknown) => {
    response.writeHead(error instanceof AppError && error.kind === 'transient' ? 503 : 500).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});

const applyControl = async () => ({ kind: 'ignored', reason: 'none' }) as const;
for (let slot = 0; slot < SLOTS; slot++) {
  void listen(connectionString, QUEUES.wake, QUEUES.wakePoison, (body) =>
    drainMessage(store, body, { runJob, applyControl, log: quiet }),
  );
}
void listen(connectionString, QUEUES.wakePoison, undefined, (body) => handlePoison(store, body, quiet));

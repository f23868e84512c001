import { createHmac } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Config, InstanceConfig } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { Secret } from './config/secret.ts';
import { createApplyControl } from './conversation/apply-control.ts';
import { AppError } from './domain/app-error.ts';
import { once, onceFor } from './domain/once.ts';
import type { Account } from './domain/pull-request.ts';
import type { WebhookInstance } from './ingress/ports.ts';
import { handleWebhook } from './ingress/handle-webhook.ts';
import { createInvocationSink, type InvocationLog } from './observability/invocation-sink.ts';
import { createLogger } from './observability/logger.ts';
import type { Logger } from './observability/ports.ts';
import { createRedactor } from './observability/redaction.ts';
import { systemClock, systemRandom } from './observability/system-clock.ts';
import { buildVersion } from './observability/version.ts';
import {
  createProvider,
  createWebhookSource,
  type ProviderRegistry,
  type WebhookSourceRegistry,
} from './providers/registry.ts';
import { appendJob } from './sessions/append.ts';
import type { DrainDeps } from './sessions/ports.ts';
import type { ReviewDeps } from './review/review-deps.ts';
import type { SessionStore } from './sessions/store.ts';
import { SESSION_TIMINGS } from './sessions/timings.ts';
import { createQueue } from './state/azure-queue.ts';
import { createTable } from './state/azure-table.ts';
import { ensureStorage } from './state/ensure-storage.ts';
import { QUEUES, TABLES } from './state/names.ts';
import { managedIdentity } from './state/storage-credential.ts';
import type { TablePort, TableScanPort } from './state/ports.ts';

/** The parts of a Functions request that are read. */
export interface IncomingRequest {
  readonly headers: Iterable<[string, string]>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface OutgoingReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly jsonBody: unknown;
}

/** One method a trigger. */
export interface Runtime {
  webhook(request: IncomingRequest, invocation: InvocationLog): Promise<OutgoingReply>;
  /** Names what is missing or wrong in the settings; makes no outgoing call. 503 while anything is. */
  health(): OutgoingReply;
  review(message: unknown, invocation: InvocationLog): Promise<void>;
  poison(message: unknown, invocation: InvocationLog): Promise<void>;
  sweep(invocation: InvocationLog): Promise<void>;
}

const DAY_MS = 86_400_000;

/** The runtime of this process, built on first use: a module that throws at import empties a whole Functions app. */
export const runtime: () => Runtime = once(() => createRuntime(loadConfig()));

/** Creates the tables and queues of a local storage; Azure gets them from the infrastructure templates. */
export async function prepareLocalStorage(config: Config): Promise<void> {
  if (config.storage === undefined) throw notConfigured('GATEHOUSE_STORAGE');
  await ensureStorage(config.storage);
}

/**
 * Wires the concrete parts. What a settings problem closes throws AppError `permanent` not_configured when it is
 * used; everything else works. Provider and model clients load when a job first needs them.
 */
export function createRuntime(config: Config): Runtime {
  const version = buildVersion();
  const invocations = createInvocationSink((line) => process.stderr.write(`${line}\n`));
  const log = createLogger({
    level: config.logLevel,
    sink: invocations.sink,
    redact: createRedactor(config.secrets),
    clock: systemClock,
    base: { ...version },
  });
  const tables = once(() => openTables(config));
  const store = once((): SessionStore => ({
    table: tables().sessions,
    queue: createQueue(storageOf(config), QUEUES.wake),
    clock: systemClock,
    random: systemRandom,
    timings: { ...SESSION_TIMINGS, runMs: config.runDeadlineMs },
  }));
  const ownAccounts = new Map<string, Account>();
  const webhookInstance = onceFor((id) => openWebhookInstance(config, id));
  const providerOf = onceFor(async (id) => {
    const provider = await createProvider(providersOf(config), findInstance(config, id), {
      clock: systemClock,
      random: systemRandom,
      log,
    });
    ownAccounts.set(id, await provider.identity.whoAmI());
    return provider;
  });
  const reviewDeps = onceFor(() => openReview(config, tables(), providerOf, log));

  return {
    webhook: (request, invocation) =>
      invocations.run(invocation, async () => {
        const reply = await handleWebhook(
          {
            findInstance: webhookInstance,
            append: (job) => appendJob(store(), job),
            ownAccount: (id) => ownAccounts.get(id),
            clock: systemClock,
            log,
            retentionDays: config.retentionDays,
          },
          {
            instance: request.params['instance'] ?? '',
            headers: Object.fromEntries(request.headers),
            body: request.body,
          },
        );
        return { status: reply.status, headers: { ...reply.headers }, jsonBody: reply.body };
      }),

    health() {
      const missing = config.problems.map(({ setting, governs }) => ({ setting, governs }));
      const isReady = missing.length === 0;
      return {
        status: isReady ? 200 : 503,
        jsonBody: { status: isReady ? 'ready' : 'incomplete', ...version, missing },
      };
    },

    review: (message, invocation) =>
      invocations.run(invocation, async () => {
        const [{ drainMessage }, { createReviewRunner }] = await Promise.all([
          import('./sessions/drain.ts'),
          import('./review/create-review-runner.ts'),
        ]);
        const deps: DrainDeps = {
          // Opened by the job and not before it: what is not configured must fail the job, which can be reported.
          runJob: async (job, context) => createReviewRunner(await reviewDeps(''))(job, context),
          applyControl: createApplyControl({ providerFor: providerOf }),
          log,
        };
        await drainMessage(store(), message, deps);
      }),

    poison: (message, invocation) =>
      invocations.run(invocation, async () => {
        const { handlePoison } = await import('./sessions/poison.ts');
        await handlePoison(store(), message, log);
      }),

    sweep: (invocation) =>
      invocations.run(invocation, async () => {
        const [{ sweepSessions }, { reportDeadLetter }] = await Promise.all([
          import('./sessions/sweep.ts'),
          import('./review/report-dead-letter.ts'),
        ]);
        await sweepSessions(store(), {
          scan: tables().sessions,
          report: async (pr, deadLetter) => reportDeadLetter(await reviewDeps(''), pr, deadLetter),
          isClosed: async (pr) => {
            const provider = await providerOf(pr.instance);
            return (await provider.pullRequests.getPullRequest(pr)).state !== 'open';
          },
          retentionMs: config.retentionDays * DAY_MS,
          log,
        });
      }),
  };
}

interface Tables {
  readonly sessions: TablePort & TableScanPort;
  readonly runs: TablePort;
  readonly budgets: TablePort;
}

function openTables(config: Config): Tables {
  const storage = storageOf(config);
  return {
    sessions: createTable(storage, TABLES.sessions),
    runs: createTable(storage, TABLES.runs),
    budgets: createTable(storage, TABLES.budgets),
  };
}

/** One line a provider; a missing one is a type error. Webhook sources load no vendor client. */
const WEBHOOK_SOURCES: WebhookSourceRegistry = {
  github: async () => (await import('./providers/github/webhook-source.ts')).createGitHubWebhookSource,
  'azure-devops': async () =>
    (await import('./providers/azure-devops/webhook-source.ts')).createAzureDevOpsWebhookSource,
  gitlab: async () => {
    const { createGitLabWebhookSource } = await import('./providers/gitlab/webhook-source.ts');
    return (instance) => createGitLabWebhookSource(instance, systemClock.now);
  },
};

function providersOf(config: Config): ProviderRegistry {
  return {
    github: async () => (await import('./providers/github/index.ts')).createGitHubProvider,
    'azure-devops': async () => {
      const { createAzureDevOpsProvider } = await import('./providers/azure-devops/index.ts');
      const clientId = config.storage?.kind === 'identity' ? config.storage.clientId : undefined;
      const credential = managedIdentity(clientId);
      return (instance, deps) => createAzureDevOpsProvider(instance, { ...deps, credential });
    },
    gitlab: async () => (await import('./providers/gitlab/index.ts')).createGitLabProvider,
  };
}

async function openWebhookInstance(config: Config, id: string): Promise<WebhookInstance | undefined> {
  const instance = config.instances.find((candidate) => candidate.id === id);
  if (instance === undefined) return undefined;
  const source = await createWebhookSource(WEBHOOK_SOURCES, instance);
  return { source, repositories: instance.repositories };
}

async function openReview(
  config: Config,
  tables: Tables,
  providerOf: ReviewDeps['providerOf'],
  log: Logger,
): Promise<ReviewDeps> {
  const { model } = config;
  if (model?.apiKey === undefined) throw notConfigured('ANTHROPIC_API_KEY');
  const [markerKey] = config.markerKeys;
  if (markerKey === undefined) throw notConfigured('GATEHOUSE_MARKER_KEYS');
  const [
    { createAnthropicClient },
    { createRetryingClient },
    { createOutbox },
    { loadPacks },
    { createSnapshotBudget },
  ] = await Promise.all([
    import('./llm/anthropic-client.ts'),
    import('./llm/retrying-client.ts'),
    import('./tools/outbox.ts'),
    import('./rules/load-packs.ts'),
    import('./review/snapshot/snapshot-budget.ts'),
  ]);
  const loadRules = once(() => loadPacks(fileURLToPath(new URL('../rules/packs', import.meta.url))));
  return {
    providerOf,
    model: createRetryingClient({
      client: createAnthropicClient({ apiKey: model.apiKey, baseUrl: model.baseUrl, log }),
      clock: systemClock,
      random: systemRandom,
      log,
      maxRetries: 2,
      maxWaitMs: 10_000,
    }),
    models: model,
    loadRules,
    snapshotDirectory: tmpdir(),
    snapshotBudget: createSnapshotBudget(),
    sessions: tables.sessions,
    runs: tables.runs,
    outbox: createOutbox({
      table: tables.sessions,
      budgets: tables.budgets,
      clock: systemClock,
      timings: SESSION_TIMINGS,
      markerKeys: config.markerKeys,
      random: systemRandom,
      log,
    }),
    clock: systemClock,
    random: systemRandom,
    log,
    // Derived, so that the fences of one pull request are the same bytes in every run and the prompt stays cached.
    fenceKey: new Secret(createHmac('sha256', markerKey.reveal()).update('prompt fences').digest('hex')),
    secrets: config.secrets,
    writesStopped: config.stop,
    build: Object.values(buildVersion()).join('+'),
  };
}

function findInstance(config: Config, id: string): InstanceConfig {
  const instance = config.instances.find((candidate) => candidate.id === id);
  if (instance === undefined) throw notConfigured('GATEHOUSE_INSTANCES');
  return instance;
}

function storageOf(config: Config): NonNullable<Config['storage']> {
  if (config.storage === undefined) throw notConfigured('GATEHOUSE_STORAGE');
  return config.storage;
}

function notConfigured(setting: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_configured',
    message: `${setting} is missing or wrong; /health names what to set.`,
  });
}

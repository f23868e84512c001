import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAzurite } from '../../infra/local/azurite.ts';
import { ensureStorage } from '../../shared/state/ensure-storage.ts';
import { storageConfig } from '../sessions/azurite-storage.ts';
import { seededRandom } from '../sessions/sim/random.ts';
import { checkLog, type AcceptedDelivery, type Verdict } from './check-log.ts';
import { startProviderLog } from './provider-log.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** How long deliveries and kills go on. */
  readonly durationMs: number;
  /** Kills at a moment that the clock chooses. */
  readonly randomKills: number;
  /** Kills right after a provider took a comment and before its writer hears of it, so before it settles. */
  readonly killsAfterWrite: number;
  readonly workers: number;
  readonly deliveriesPerSecond: number;
  /** Time after the last delivery within which everything has to be settled. */
  readonly settleMs: number;
}

export interface ChaosResult extends Verdict {
  readonly deliveries: number;
  readonly kills: number;
  readonly killsAfterWrite: number;
  readonly failures: number;
  readonly azuriteRestarts: number;
}

const PULL_REQUESTS = 12;
/** Zombies and leftover guards get this long to write something twice after everything is settled. */
const AFTERMATH_MS = 4_000;

/**
 * Runs workers on Azurite (data on disk), delivers, kills workers with SIGKILL, restarts Azurite once half way, and
 * says what the provider's log shows in the end.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const random = seededRandom(options.seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-chaos-'));
  let azurite = await startAzurite({ dataDir });
  const { connectionString, queuePort, tablePort } = azurite;
  await ensureStorage(storageConfig(connectionString));

  const workers: WorkerProcess[] = [];
  const killed: Promise<void>[] = [];
  const accepted: AcceptedDelivery[] = [];
  const lastPushes = new Map<number, string>();
  const hit = new Set<string>();
  let killsAfterWrite = 0;
  let kills = 0;
  let azuriteRestarts = 0;

  const kill = (worker: WorkerProcess | undefined): void => {
    if (worker === undefined) return;
    kills += 1;
    killed.push(worker.kill());
    workers[workers.indexOf(worker)] = startWorker(connectionString, provider.url);
  };
  const provider = await startProviderLog(({ delivery }, pid) => {
    const worker = workers.find((candidate) => candidate.pid === pid);
    // A job may be killed twice and still be done; the third time it would be reported as failed instead.
    if (worker === undefined || killsAfterWrite >= options.killsAfterWrite || hit.has(delivery)) return;
    if (random() > 0.3) return;
    hit.add(delivery);
    killsAfterWrite += 1;
    kill(worker);
  });

  try {
    for (let n = 0; n < options.workers; n++) workers.push(startWorker(connectionString, provider.url));
    await until(() => workers.every((worker) => worker.url() !== undefined), 20_000, 'the workers listen');

    const startedAt = Date.now();
    const elapsed = (): number => Date.now() - startedAt;
    const killTimes = Array.from(
      { length: options.randomKills },
      () => random() * options.durationMs,
    ).toSorted((a, b) => a - b);
    const restart = (async () => {
      await until(() => elapsed() > options.durationMs / 2, options.durationMs * 2, 'half time');
      await azurite.stop();
      azurite = await startAzurite({ dataDir, queuePort, tablePort });
      azuriteRestarts += 1;
    })();
    const lanes = new Map<number, Promise<void>>();
    for (let n = 0; elapsed() < options.durationMs; n++) {
      // Some pull requests are hotter than others; the deliveries of one are made one after the other, so that its
      // last push is also the last one appended.
      const pr = 1 + Math.floor(random() ** 2 * PULL_REQUESTS);
      const jobClass = random() < 0.4 ? 'push' : 'command';
      const delivery = { delivery: `d${n}`, pr, jobClass } as const;
      if (jobClass === 'push') lastPushes.set(pr, delivery.delivery);
      const before = lanes.get(pr) ?? Promise.resolve();
      lanes.set(
        pr,
        before
          .then(() => deliverUntilAccepted(workers, delivery, random))
          .then(() => {
            accepted.push(delivery);
          }),
      );
      while (killTimes[0] !== undefined && killTimes[0] <= elapsed()) {
        killTimes.shift();
        kill(workers[Math.floor(random() * workers.length)]);
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000 / options.deliveriesPerSecond));
    }
    await Promise.all([...lanes.values(), restart]);

    const verdict = (): Verdict => checkLog(accepted, provider.comments, lastPushes);
    await until(() => verdict().lost.length === 0, options.settleMs, '').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, AFTERMATH_MS));
    return {
      ...verdict(),
      deliveries: accepted.length,
      kills,
      killsAfterWrite,
      failures: provider.comments.filter(({ kind }) => kind === 'failure').length,
      azuriteRestarts,
    };
  } finally {
    await Promise.all([...workers.map((worker) => worker.kill()), ...killed]);
    await provider.stop();
    await azurite.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Delivers as a provider does: again, to another instance, until one answers 2xx. */
async function deliverUntilAccepted(
  workers: readonly WorkerProcess[],
  delivery: AcceptedDelivery,
  random: () => number,
): Promise<void> {
  for (;;) {
    const url = workers[Math.floor(random() * workers.length)]?.url();
    if (url !== undefined) {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(delivery) }).catch(
        () => undefined,
      );
      if (response?.ok === true) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function until(condition: () => boolean, withinMs: number, what: string): Promise<void> {
  const end = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Secret } from '../../../shared/config/secret.ts';
import type { Clock } from '../../../shared/domain/clock.ts';
import type { Job, JobKind } from '../../../shared/domain/job.ts';
import type { ChangedFile, PullRequest } from '../../../shared/domain/pull-request.ts';
import type { ModelClient } from '../../../shared/llm/ports.ts';
import type { Provider, ProviderThread } from '../../../shared/providers/ports.ts';
import type { ExistingReview, NewReview } from '../../../shared/providers/write-ports.ts';
import { computePatch } from '../../../shared/review/compute-patch.ts';
import { createReviewRunner } from '../../../shared/review/create-review-runner.ts';
import type { ReviewDeps } from '../../../shared/review/review-deps.ts';
import { createSnapshotBudget } from '../../../shared/review/snapshot/snapshot-budget.ts';
import { loadPacks } from '../../../shared/rules/load-packs.ts';
import type { JobContext, JobResult, PullRequestState } from '../../../shared/sessions/ports.ts';
import { createInMemoryTable } from '../../../shared/state/in-memory-table.ts';
import { sessionPartition } from '../../../shared/state/keys.ts';
import { createOutbox } from '../../../shared/tools/outbox.ts';
import { FakeSource, PULL_REQUEST, changed, sha1Of, silentLog, tarOf } from './snapshot-fixtures.ts';

const PACKS = join(import.meta.dirname, '../../../rules/packs');
const SELF = { id: '900', login: 'gatehouse[bot]', isBot: true };

/** One file of the change; `undefined` on a side means that it does not exist there. */
export interface FileChange {
  readonly before?: string | Uint8Array;
  readonly after?: string | Uint8Array;
  readonly previousPath?: string;
  /** Parts of the provider's answer to change, e.g. `patch: undefined` to withhold it. */
  readonly listed?: (file: ChangedFile) => ChangedFile;
  /** False: the archive leaves it out. */
  readonly inArchive?: boolean;
}

/** A pull request in memory: what the provider serves, and what was posted. */
export interface World {
  pullRequest: PullRequest;
  readonly source: FakeSource;
  readonly changedFiles: ChangedFile[];
  readonly threads: ProviderThread[];
  readonly reviews: (NewReview & ExistingReview)[];
  /** Called with each review before it is taken; throw to refuse it. */
  beforeReview: (review: NewReview) => void;
  /** Reads of the provider, by name. */
  readonly reads: string[];
}

export async function createWorld(files: Readonly<Record<string, FileChange>>): Promise<World> {
  const source = new FakeSource();
  const changedFiles: ChangedFile[] = [];
  const archived: { name: string; content: string | Uint8Array }[] = [];
  for (const [path, change] of Object.entries(files)) {
    changedFiles.push(listFile(path, change));
    if (change.after !== undefined) {
      source.addFile(path, change.after);
      if (change.inArchive !== false) archived.push({ name: `top/${path}`, content: change.after });
    }
    if (change.before !== undefined) source.addFile(change.previousPath ?? path, change.before);
  }
  // The tree of the fake is that of the base where both sides have the path: only bases are looked up there.
  source.archives = [gzipSync(await tarOf(archived))];
  return {
    pullRequest: { ...PULL_REQUEST, changedFiles: changedFiles.length },
    source,
    changedFiles,
    threads: [],
    reviews: [],
    beforeReview: () => undefined,
    reads: [],
  };
}

function listFile(path: string, { before, after, previousPath, listed }: FileChange): ChangedFile {
  const isBinary = [before, after].some((content) => content instanceof Uint8Array);
  const patch = isBinary ? undefined : computePatch(String(before ?? ''), String(after ?? ''));
  const rows = (patch ?? '').split('\n');
  const count = (sign: string) => rows.filter((row) => row.startsWith(sign)).length;
  const kind = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
  const file = changed(path, '', {
    change: previousPath === undefined ? kind : 'renamed',
    blobSha: sha1Of(after ?? before ?? ''),
    additions: count('+'),
    deletions: count('-'),
    ...(patch === undefined || patch === '' ? {} : { patch }),
    ...(previousPath === undefined ? {} : { previousPath }),
  });
  return listed?.(file) ?? file;
}

export function providerOf(world: World): Provider {
  return {
    id: 'github',
    instance: 'github',
    limits: { maxBodyLength: 65_536 },
    identity: { whoAmI: async () => SELF },
    pullRequests: {
      async getPullRequest() {
        world.reads.push('pull request');
        return world.pullRequest;
      },
      async listChangedFiles() {
        world.reads.push('changed files');
        return [...world.changedFiles];
      },
    },
    snapshots: world.source,
    threads: {
      async listThreads() {
        world.reads.push('threads');
        return [...world.threads];
      },
    },
    reviews: {
      async createReview(_ref, review) {
        world.beforeReview(review);
        const reviewId = String(world.reviews.length + 1);
        const url = `http://localhost/review/${reviewId}`;
        world.reviews.push({ ...review, reviewId, url, author: SELF });
        return { reviewId, url };
      },
      listReviews: async () => [...world.reviews],
    },
  };
}

const now = (): number => Date.now();
const clock: Clock = {
  now,
  async sleep(ms, signal) {
    await wait(Math.min(ms, 20), undefined, signal === undefined ? {} : { signal });
  },
};

export interface TestRun extends AsyncDisposable {
  readonly deps: ReviewDeps;
  readonly partitionKey: string;
  run(kind?: JobKind, options?: RunOptions): Promise<JobResult>;
}

export interface RunOptions {
  readonly state?: PullRequestState;
  readonly ticket?: number;
  readonly ids?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly confirmBeforeWrite?: () => Promise<void>;
  readonly isProtected?: boolean;
}

let serial = 0;

/** A runner over `world` and `model`, with everything else real or in memory. */
export async function createRun(
  world: World,
  model: ModelClient,
  changes: Partial<ReviewDeps> = {},
): Promise<TestRun> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-run-'));
  const sessions = createInMemoryTable(now);
  const random = {
    number: () => 0.5,
    hex: (bytes: number) => String((serial += 1)).padStart(bytes * 2, '0'),
  };
  const outbox = createOutbox({
    table: sessions,
    clock,
    timings: { externalWriteMs: 1_000, outboxIntentMs: 3_000, readBackGapMs: 10 },
    markerKeys: [new Secret('marker')],
    random,
    log: silentLog,
  });
  const deps: ReviewDeps = {
    providerOf: () => providerOf(world),
    model,
    models: { skim: 'model-skim', standard: 'model-standard', deep: 'model-deep' },
    loadRules: () => loadPacks(PACKS),
    snapshotDirectory: directory,
    snapshotBudget: createSnapshotBudget(),
    sessions,
    runs: createInMemoryTable(now),
    outbox,
    clock,
    random,
    log: silentLog,
    fenceKey: new Secret('fence'),
    secrets: [],
    writesStopped: false,
    build: '0.0.0+test',
    ...changes,
  };
  const partitionKey = sessionPartition(PULL_REQUEST.ref);
  const runJob = createReviewRunner(deps);
  return {
    deps,
    partitionKey,
    run(kind = 'review.full', options = {}) {
      const job: Job = {
        kind,
        class: 'push',
        cause: 'pull_request.opened',
        ids: options.ids ?? {},
        ticket: options.ticket ?? 1,
        attempts: 1,
        notBefore: 0,
        firstFailedAt: 0,
      };
      const context: JobContext = {
        pr: PULL_REQUEST.ref,
        partitionKey,
        fence: 1,
        state: options.state ?? {},
        isProtected: options.isProtected ?? false,
        signal: options.signal ?? AbortSignal.timeout(30_000),
        confirmBeforeWrite: options.confirmBeforeWrite ?? (async () => undefined),
      };
      return runJob(job, context);
    },
    async [Symbol.asyncDispose]() {
      const left = await readdir(directory);
      await rm(directory, { recursive: true });
      if (left.length > 0) throw new Error(`a run left files behind: ${left.join(', ')}`);
      if (deps.snapshotBudget.usedBytes !== 0) throw new Error('a run kept disk budget');
    },
  };
}

/** The rows of GatehouseRuns, newest day last. */
export async function storedRuns({ deps }: TestRun) {
  const rows = await deps.runs.range(new Date(now()).toISOString().slice(0, 10), '0', 'g');
  return rows.map(({ values }) => values);
}

export function settledOf(result: JobResult) {
  if (result.kind !== 'settled') throw new Error(`not settled: ${result.reason}`);
  return result;
}

/** `path:line` of every comment of every review posted so far. */
export function placesOf(world: World): string[] {
  return world.reviews.flatMap(({ comments }) => comments.map(({ path, line }) => `${path}:${line}`));
}

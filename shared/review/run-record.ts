import { AppError } from '../domain/app-error.ts';
import { shortHash } from '../state/keys.ts';
import type { RowValue, TablePort } from '../state/ports.ts';
import type { Job } from '../domain/job.ts';
import type { PullRequestRef } from '../domain/pull-request.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import type { ModelUsage } from '../llm/ports.ts';
import { addUsage } from './pass-meter.ts';
import type { Plan } from './plan.ts';
import type { EndedPass } from './run-passes.ts';
import type { RejectedFinding } from './verify.ts';

/** What a run leaves for whoever asks later how it came to say what it said. Names, numbers and hashes only. */
export interface RunRecord {
  readonly runId: string;
  readonly ref: PullRequestRef;
  readonly job: Pick<Job, 'kind' | 'cause' | 'ticket' | 'attempts'>;
  readonly report: RunReport;
  readonly plan: Plan | undefined;
  readonly passes: readonly EndedPass[];
  readonly rejected: readonly RejectedFinding[];
  /** Why the repository's archive was not used; undefined when it was. */
  readonly archiveRefusal: string | undefined;
  /** Address of the posted review. */
  readonly url: string | undefined;
  /** Version and commit of the running build. */
  readonly build: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A run is a ticket on a head: the same id in every attempt, another one when the head moved in between. */
export function runIdOf(partitionKey: string, ticket: number, headSha: string): string {
  return shortHash(`run|${partitionKey}|${ticket}|${headSha}`);
}

const MAX_TRIES = 3;

/**
 * Writes the record into GatehouseRuns: partition = UTC day of the end, row = run id. A repeated end replaces it, but
 * no `superseded` replaces the record of a run that was finished.
 * @throws AppError `transient` run_record_unwritten: a run must not end without saying how.
 */
export async function storeRun(runs: TablePort, record: RunRecord): Promise<void> {
  const day = new Date(record.endedAt).toISOString().slice(0, 10);
  const { runId: rowKey } = record;
  const isSuperseded = record.report.outcome === 'superseded';
  const kind = isSuperseded ? 'create' : 'upsert';
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const written = await runs.transaction(day, [{ kind, rowKey, values: rowOf(record) }]);
    if (written.kind === 'done') return;
    if (isSuperseded && (await runs.get(day, rowKey)) !== undefined) return;
  }
  throw new AppError({
    kind: 'transient',
    code: 'run_record_unwritten',
    message: 'The record of the run could not be written; the run is settled later.',
  });
}

const MAX_ENTRIES = 200;
const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };

function rowOf(record: RunRecord): Record<string, RowValue> {
  const { ref, job, report, plan, passes, rejected } = record;
  const usage = passes.reduce((sum, { result }) => addUsage(sum, result.stats.usage), NO_USAGE);
  const toolCalls = passes.flatMap(({ result }) => result.stats.toolCalls);
  return {
    v: 1,
    provider: ref.provider,
    instance: ref.instance,
    repositoryId: ref.repositoryId,
    repository: ref.repository,
    number: ref.number,
    jobKind: job.kind,
    jobCause: job.cause,
    ticket: BigInt(job.ticket),
    attempts: job.attempts,
    outcome: report.outcome,
    reason: report.reason,
    headSha: report.headSha ?? '',
    ...report.counts,
    filesReviewed: report.filesReviewed,
    notReviewed: list(report.notReviewed),
    notReviewedCount: report.notReviewed.length,
    rejected: list(rejected.map(({ pass, reason }) => ({ pass, reason }))),
    rejectedCount: rejected.length,
    planHash: plan?.hash ?? '',
    tier: plan?.tier ?? '',
    tierReason: plan?.tierReason ?? '',
    model: plan?.model ?? '',
    modelsAnswered: list([...new Set(passes.flatMap(({ result }) => result.stats.models))]),
    packs: list(plan?.rules.packs ?? []),
    promptShas: list([...new Set(passes.map(({ promptSha }) => promptSha))]),
    passes: list(passes.map(describePass)),
    passCount: passes.length,
    modelCalls: passes.reduce((sum, { result }) => sum + result.stats.calls, 0),
    inputTokens: BigInt(usage.inputTokens),
    outputTokens: BigInt(usage.outputTokens),
    cacheCreationTokens: BigInt(usage.cacheCreationTokens),
    cacheReadTokens: BigInt(usage.cacheReadTokens),
    toolCalls: list(toolCalls),
    toolCallCount: toolCalls.length,
    archiveRefusal: record.archiveRefusal ?? '',
    injectionSuspected: passes.some(({ result }) => result.kind === 'answered' && result.injectionSuspected),
    hiddenTextRemoved: passes.some(({ removed }) => removed.length > 0),
    url: record.url ?? '',
    build: record.build,
    startedAt: BigInt(record.startedAt),
    endedAt: BigInt(record.endedAt),
  };
}

function describePass({ name, unit, result }: EndedPass): unknown {
  return {
    name,
    files: unit.parts.length,
    hunks: unit.parts.reduce((sum, { hunks }) => sum + hunks.length, 0),
    result: result.kind === 'missing' ? result.reason : 'answered',
    findings: result.kind === 'missing' ? 0 : result.findings.length,
    calls: result.stats.calls,
  };
}

const MAX_JSON = 30_000;

/** JSON that fits one property (64 KiB of UTF-16); what is beyond is told by the count next to it. */
function list(items: readonly unknown[]): string {
  let kept = items.slice(0, MAX_ENTRIES);
  let text = JSON.stringify(kept);
  while (text.length > MAX_JSON) {
    kept = kept.slice(0, Math.floor(kept.length / 2));
    text = JSON.stringify(kept);
  }
  return text;
}

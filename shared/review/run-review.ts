import { AppError } from '../domain/app-error.ts';
import type { Job } from '../domain/job.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import type { JobContext } from '../sessions/ports.ts';
import { assembleRules } from '../rules/assemble-rules.ts';
import { anchorFindings } from './anchor-findings.ts';
import type { ClassifiedFiles } from './classify-files.ts';
import { dedupe } from './dedupe.ts';
import { gather } from './gather.ts';
import { createPassStore } from './pass-store.ts';
import { createPassTools } from './pass-tools.ts';
import { planReview } from './plan.ts';
import { PUBLISH_POLICY, publish } from './publish.ts';
import { readPullRequest } from './read-pull-request.ts';
import { decideOutcome, endedEarly, measureCoverage, settle } from './report.ts';
import type { ReviewDeps } from './review-deps.ts';
import { notesOf } from './review-notes.ts';
import { createReviewTools } from './review-tools.ts';
import { runPasses } from './run-passes.ts';
import type { EndedPass } from './run-passes.ts';
import { runIdOf, storeRun } from './run-record.ts';
import { publishingContext, readingContext } from './tool-contexts.ts';
import { verifyFindings } from './verify.ts';
import type { PassAnswerOfUnit } from './verify.ts';

/** How a review ended, and the base it was measured from (for the session's state). */
export interface EndedReview {
  readonly runId: string;
  readonly report: RunReport;
  /** Merge base the change was measured from. */
  readonly base: string;
}

const PASS_CONCURRENCY = 3;

/**
 * Reviews one pull request, stage by stage, and posts the result.
 * @throws AppError `transient` when it must be run again, `stale` when a newer push, a closed pull request or a
 * stop made it pointless, `permanent` when only an operator can help.
 */
export async function runReview(deps: ReviewDeps, job: Job, context: JobContext): Promise<EndedReview> {
  const startedAt = deps.clock.now();
  const { signal } = context;
  const provider = await deps.providerOf(context.pr.instance);

  const reading = await readPullRequest(provider, context.pr, context.state);
  const { pullRequest } = reading;
  const { headSha, mergeBaseSha: base } = pullRequest;
  const runId = runIdOf(context.partitionKey, job.ticket, headSha);
  const log = deps.log.child({ runId });
  const place = { provider, pullRequest, runId, job: context, log, signal };
  const record = { runId, ref: pullRequest.ref, job, build: deps.build, startedAt };
  const nothing = { plan: undefined, passes: [], rejected: [], archiveRefusal: undefined, url: undefined };
  const endEarly = async (report: RunReport): Promise<EndedReview> => {
    await storeRun(deps.runs, { ...record, ...nothing, report, endedAt: deps.clock.now() });
    return { runId, report, base };
  };
  if (reading.kind === 'skip') return endEarly(endedEarly('skipped', reading.reason, { headSha }));

  const snapshots = {
    directory: deps.snapshotDirectory,
    budget: deps.snapshotBudget,
    random: deps.random,
    log,
    ...(deps.snapshotLimits === undefined ? {} : { limits: deps.snapshotLimits }),
  };
  await using gathered = await gather(provider, snapshots, pullRequest, signal);
  const { files, excluded, missed, snapshot } = gathered;
  log.info('review.gathered', { files: files.length, excluded: excluded.length, missed: missed.length });
  if (!files.some(({ mustBeReviewed }) => mustBeReviewed)) {
    return endEarly(nothingToReview(headSha, gathered));
  }

  const rules = assembleRules(
    await deps.loadRules(),
    files.map(({ file }) => file.path),
  );
  const plan = planReview({ pullRequest, files, rules, models: deps.models, unitLimits: deps.unitLimits });
  log.info('review.planned', {
    plan: plan.hash,
    tier: plan.tier,
    model: plan.model,
    passes: plan.passes.length,
  });

  const shown = new Map(files.map(({ file }) => [file.path, file]));
  const shownFiles = gathered.changedFiles.map((file) => shown.get(file.path) ?? file);
  const passes = await runPasses(
    {
      client: deps.model,
      tools: createPassTools(readingContext(deps, place, shownFiles, snapshot)),
      store: createPassStore(deps.sessions, context.partitionKey, log),
      log,
      fenceKey: deps.fenceKey,
      concurrency: deps.passConcurrency ?? PASS_CONCURRENCY,
    },
    pullRequest,
    plan,
    [...excluded, ...missed, ...plan.left],
    signal,
  );
  const coverage = measureCoverage(gathered, plan, passes);

  const { verified, rejected } = verifyFindings(answersOf(passes), files);
  const placed = await anchorFindings(verified, files, snapshot);
  const { kept, duplicates } = dedupe(placed, gathered.threads);
  log.info('review.judged', {
    verified: verified.length,
    rejected: rejected.length,
    duplicates: duplicates.length,
  });

  const policy = deps.policy ?? PUBLISH_POLICY;
  const facts = {
    ...decideOutcome(coverage, verified.length),
    headSha,
    filesReviewed: coverage.filesReviewed,
    duplicates: duplicates.length,
    notReviewed: coverage.notReviewed,
    notes: notesOf(snapshot, passes),
  };
  const tools = createReviewTools(publishingContext(deps, place, gathered.changedFiles, policy));
  const published = await publish(
    tools,
    deps.clock,
    { findings: kept, policy, facts, key: plan.hash },
    signal,
  );

  const report = settle({
    headSha,
    coverage,
    verified: verified.length,
    duplicates: duplicates.length,
    published,
  });
  log.info('review.ended', { outcome: report.outcome, reason: report.reason, ...report.counts });
  await storeRun(deps.runs, {
    ...record,
    report,
    plan,
    passes,
    rejected,
    archiveRefusal: snapshot.refusal,
    url: published.url,
    endedAt: deps.clock.now(),
  });
  return { runId, report, base };
}

function answersOf(passes: readonly EndedPass[]): PassAnswerOfUnit[] {
  return passes.flatMap(({ name, unit, result }) =>
    result.kind === 'answered' ? [{ pass: name, unit, findings: result.findings }] : [],
  );
}

/** @throws AppError `permanent` files_unreadable: code that should be reviewed and cannot be read is no skip. */
function nothingToReview(headSha: string, { excluded, missed }: ClassifiedFiles): RunReport {
  const isUnreadable = missed.some(({ reason }) => reason !== 'too_large');
  if (isUnreadable) {
    throw new AppError({
      kind: 'permanent',
      code: 'files_unreadable',
      message: 'None of the changed files could be read.',
    });
  }
  const reason = missed.length > 0 ? 'too_large' : 'nothing_reviewable';
  return endedEarly('skipped', reason, { headSha, notReviewed: [...excluded, ...missed] });
}

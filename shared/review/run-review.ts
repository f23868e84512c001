import { AppError } from '../domain/app-error.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import { assembleRules } from '../rules/assemble-rules.ts';
import { anchorFindings } from './anchor-findings.ts';
import { dedupe } from './dedupe.ts';
import { gather } from './gather.ts';
import type { Gathered } from './gather.ts';
import { createPassStore } from './pass-store.ts';
import { createPassTools } from './pass-tools.ts';
import { planReview } from './plan.ts';
import type { Plan } from './plan.ts';
import { PUBLISH_POLICY, publish } from './publish.ts';
import { decideOutcome, endedEarly, measureCoverage, settle } from './report.ts';
import type { ReviewDeps } from './review-deps.ts';
import { notesOf } from './review-notes.ts';
import { createReviewTools } from './review-tools.ts';
import { runPasses } from './run-passes.ts';
import type { EndedPass } from './run-passes.ts';
import { publishingContext, readingContext } from './tool-contexts.ts';
import type { RunPlace } from './tool-contexts.ts';
import { verifyFindings } from './verify.ts';
import type { PassAnswerOfUnit, RejectedFinding } from './verify.ts';

/** What a review of one change came to, with what its record needs. */
export interface ReviewedChange {
  readonly report: RunReport;
  readonly plan: Plan | undefined;
  readonly passes: readonly EndedPass[];
  readonly rejected: readonly RejectedFinding[];
  readonly archiveRefusal: string | undefined;
  /** Address of the posted review. */
  readonly url: string | undefined;
}

/** Of a run in which no pass ran. */
export const NOTHING_RUN = {
  plan: undefined,
  passes: [],
  rejected: [],
  archiveRefusal: undefined,
  url: undefined,
} as const;

const PASS_CONCURRENCY = 3;

/**
 * Reviews one pull request, stage by stage, and posts the result.
 * @throws AppError `transient` when it must be run again, `stale` when a newer push, a closed pull request or a
 * stop made it pointless, `permanent` when only an operator can help.
 */
export async function runReview(deps: ReviewDeps, place: RunPlace): Promise<ReviewedChange> {
  const { provider, pullRequest, log, signal } = place;
  const snapshots = {
    directory: deps.snapshotDirectory,
    budget: deps.snapshotBudget,
    random: deps.random,
    log,
    ...(deps.snapshotLimits === undefined ? {} : { limits: deps.snapshotLimits }),
  };
  const gathered = await gather(provider, snapshots, pullRequest, signal);
  try {
    return await reviewGathered(deps, place, gathered);
  } finally {
    await gathered[Symbol.asyncDispose]();
  }
}

async function reviewGathered(
  deps: ReviewDeps,
  place: RunPlace,
  gathered: Gathered,
): Promise<ReviewedChange> {
  const { pullRequest, job, log, signal } = place;
  const { headSha } = pullRequest;
  const { files, excluded, missed, snapshot } = gathered;
  log.info('review.gathered', { files: files.length, excluded: excluded.length, missed: missed.length });
  if (!files.some(({ mustBeReviewed }) => mustBeReviewed)) return nothingToReview(headSha, gathered);

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
      store: createPassStore(deps.sessions, job.partitionKey, log),
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
  return { report, plan, passes, rejected, archiveRefusal: snapshot.refusal, url: published.url };
}

function answersOf(passes: readonly EndedPass[]): PassAnswerOfUnit[] {
  return passes.flatMap(({ name, unit, result }) =>
    result.kind === 'answered' ? [{ pass: name, unit, findings: result.findings }] : [],
  );
}

/** @throws AppError `permanent` files_unreadable: code that should be reviewed and cannot be read is no skip. */
function nothingToReview(headSha: string, gathered: Gathered): ReviewedChange {
  const { excluded, missed, snapshot } = gathered;
  const isUnreadable = missed.some(({ reason }) => reason !== 'too_large');
  if (isUnreadable) {
    throw new AppError({
      kind: 'permanent',
      code: 'files_unreadable',
      message: 'None of the changed files could be read.',
    });
  }
  const reason = missed.length > 0 ? 'too_large' : 'nothing_reviewable';
  const report = endedEarly('skipped', reason, { headSha, notReviewed: [...excluded, ...missed] });
  return { ...NOTHING_RUN, report, archiveRefusal: snapshot.refusal };
}

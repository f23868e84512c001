import { AppError } from '../domain/app-error.ts';
import type { PullRequest } from '../domain/pull-request.ts';
import type { RunReport } from '../domain/run-outcome.ts';
import { assembleRules } from '../rules/assemble-rules.ts';
import { anchorFindings } from './anchor-findings.ts';
import { chooseTarget } from './choose-target.ts';
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
  const gatherAt = (at: PullRequest) => gather(provider, snapshots, at, signal);
  const gathered = await gatherAt(pullRequest);
  try {
    return await reviewGathered(deps, place, gathered, gatherAt);
  } finally {
    await gathered[Symbol.asyncDispose]();
  }
}

async function reviewGathered(
  deps: ReviewDeps,
  place: RunPlace,
  gathered: Gathered,
  gatherAt: (pullRequest: PullRequest) => Promise<Gathered>,
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
  const target = await chooseTarget(place, gathered, gatherAt);
  try {
    const { isMoved } = target;
    const at = target.gathered;
    const anchored = await anchorFindings(verified, at.files, at.snapshot);
    const placed = isMoved ? anchored.filter(({ anchor }) => anchor.kind !== 'summary') : anchored;
    const gone = anchored.length - placed.length;
    const { kept, duplicates } = dedupe(placed, at.threads);
    log.info('review.judged', {
      verified: verified.length,
      rejected: rejected.length,
      duplicates: duplicates.length,
      gone,
    });

    const policy = deps.policy ?? PUBLISH_POLICY;
    const facts = {
      ...decideOutcome(coverage, verified.length),
      headSha,
      filesReviewed: coverage.filesReviewed,
      duplicates: duplicates.length,
      notReviewed: coverage.notReviewed,
      notes: [...notesOf(snapshot, passes), ...(isMoved ? [movedNote(gone)] : [])],
    };
    const posting = { ...place, pullRequest: at.pullRequest };
    const tools = createReviewTools(publishingContext(deps, posting, at.changedFiles, policy));
    const input = { findings: kept, policy, facts, key: plan.hash };
    const published = await publish(tools, deps.clock, input, signal);

    const report = settle({
      headSha,
      coverage,
      verified: verified.length,
      duplicates: duplicates.length,
      published: { ...published, heldBack: published.heldBack + gone },
    });
    log.info('review.ended', { outcome: report.outcome, reason: report.reason, ...report.counts });
    return { report, plan, passes, rejected, archiveRefusal: snapshot.refusal, url: published.url };
  } finally {
    await target[Symbol.asyncDispose]();
  }
}

function movedNote(gone: number): string {
  const lost = gone === 0 ? '' : ` ${gone} findings no longer stand in it and are left out.`;
  return `New commits came during the review; the comments stand on the newest one.${lost}`;
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

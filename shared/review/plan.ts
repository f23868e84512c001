import { createHash } from 'node:crypto';
import type { PullRequest } from '../domain/pull-request.ts';
import type { NotReviewed } from '../domain/run-outcome.ts';
import type { AssembledRules } from '../rules/assemble-rules.ts';
import { chooseTier } from './choose-tier.ts';
import type { Tier } from './choose-tier.ts';
import type { ReviewFile } from './review-file.ts';
import { splitUnits } from './split-units.ts';
import type { ReviewUnit, UnitLimits } from './split-units.ts';
import { SYSTEM_PROMPT, TASK } from './system-prompt.ts';

/** Bounds of one pass over one unit. */
export interface PassLimits {
  /** Model calls, the repair of an unreadable answer not counted. */
  readonly maxTurns: number;
  /** Output tokens of one call. */
  readonly maxOutputTokens: number;
  /** Input and output tokens of all its calls, cached ones included. */
  readonly maxTotalTokens: number;
}

export type ModelNames = Readonly<Record<Tier, string>>;

/** One job for the model: a pass over a unit. */
export interface PlannedPass {
  /** `baseline unit-1`; names the pass in records and reports. */
  readonly name: string;
  readonly unit: ReviewUnit;
}

/** Immutable: what a run will do, decided before the first model call. */
export interface Plan {
  readonly tier: Tier;
  readonly tierReason: string;
  readonly model: string;
  readonly limits: PassLimits;
  readonly rules: AssembledRules;
  readonly passes: readonly PlannedPass[];
  /** Parts of the change that no pass will see. */
  readonly left: readonly NotReviewed[];
  /** Hex SHA-256 over everything above and the commits. */
  readonly hash: string;
}

export const UNIT_LIMITS: UnitLimits = { unitCharacters: 120_000, maxUnits: 24 };

/** Turns and tokens by effort. */
const PASS_LIMITS: Readonly<Record<Tier, PassLimits>> = {
  skim: { maxTurns: 6, maxOutputTokens: 8_000, maxTotalTokens: 300_000 },
  standard: { maxTurns: 16, maxOutputTokens: 16_000, maxTotalTokens: 1_000_000 },
  deep: { maxTurns: 24, maxOutputTokens: 16_000, maxTotalTokens: 2_000_000 },
};

/** Decides tier, model, units and passes. `files` must not be empty. */
export function planReview(input: {
  readonly pullRequest: Pick<PullRequest, 'headSha' | 'mergeBaseSha'>;
  readonly files: readonly ReviewFile[];
  readonly rules: AssembledRules;
  readonly models: ModelNames;
  readonly unitLimits?: UnitLimits | undefined;
}): Plan {
  const { pullRequest, files, rules, models } = input;
  const { tier, reason: tierReason } = chooseTier(files);
  const { units, left: leftPaths } = splitUnits(files, input.unitLimits ?? UNIT_LIMITS);
  const passes = units.map((unit) => ({ name: `baseline ${unit.id}`, unit }));
  const left = leftPaths.map((what) => ({ what, reason: 'over_budget' }));
  const limits = PASS_LIMITS[tier];
  const model = models[tier];
  const hash = createHash('sha256')
    .update(
      JSON.stringify([
        pullRequest.headSha,
        pullRequest.mergeBaseSha,
        tier,
        model,
        limits,
        SYSTEM_PROMPT,
        TASK,
        rules.promptSha,
        rules.packs,
        passes.map(({ name, unit }) => [name, unit.parts.map(describePart)]),
        leftPaths,
      ]),
    )
    .digest('hex');
  return { tier, tierReason, model, limits, rules, passes, left, hash };
}

function describePart({ file, hunks }: ReviewUnit['parts'][number]): unknown {
  return [
    file.path,
    file.blobSha,
    hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines]),
  ];
}

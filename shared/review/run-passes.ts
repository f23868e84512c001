import type { Secret } from '../config/secret.ts';
import type { PullRequest } from '../domain/pull-request.ts';
import type { NotReviewed } from '../domain/run-outcome.ts';
import type { ModelClient } from '../llm/ports.ts';
import type { Logger } from '../observability/ports.ts';
import type { HiddenTextRemoval } from '../text-safety/strip-hidden-text.ts';
import { assemblePrompt } from './assemble-prompt.ts';
import { createFenceRandom } from './fence-random.ts';
import type { PassStore } from './pass-store.ts';
import type { Plan, PlannedPass } from './plan.ts';
import { runPass } from './run-pass.ts';
import type { MissingReason, PassResult, PassTools } from './run-pass.ts';
import { mapConcurrently } from './snapshot/map-concurrently.ts';

export interface EndedPass extends PlannedPass {
  readonly result: PassResult;
  readonly promptSha: string;
  /** Hidden text that the pass was not shown. */
  readonly removed: readonly HiddenTextRemoval[];
}

export interface RunPassesDeps {
  readonly client: ModelClient;
  readonly tools: PassTools;
  readonly store: PassStore;
  readonly log: Logger;
  /** Signs the lines around untrusted text; see createFenceRandom. */
  readonly fenceKey: Secret;
  /** Passes that ask the model at the same time. */
  readonly concurrency: number;
}

/** Missing answers that another try of the same request cannot change. */
const FINAL: ReadonlySet<MissingReason> = new Set([
  'refused_by_model',
  'context_window_exceeded',
  'request_too_large',
  'token_limit',
]);

/**
 * Runs every pass of the plan, answered ones from the store, missing ones once more.
 * @throws AppError `transient` when the model is out of reach; what was answered stays stored.
 */
export function runPasses(
  deps: RunPassesDeps,
  pullRequest: PullRequest,
  plan: Plan,
  notShown: readonly NotReviewed[],
  signal: AbortSignal,
): Promise<EndedPass[]> {
  return mapConcurrently(plan.passes, deps.concurrency, signal, async (pass) => {
    const prompt = assemblePrompt({
      pullRequest,
      rules: plan.rules,
      unit: pass.unit,
      notShown: [...notShown, ...otherFiles(plan, pass)],
      fenceRandom: (content) => createFenceRandom(deps.fenceKey, content),
    });
    const { promptSha, removed } = prompt;
    const stored = await deps.store.get(plan.hash, pass.name);
    if (stored !== undefined) {
      deps.log.info('pass.foundStored', { pass: pass.name });
      return { ...pass, result: stored, promptSha, removed };
    }
    const input = { model: plan.model, limits: plan.limits, system: prompt.system, opening: prompt.opening };
    let result = await runPass(deps, input, signal);
    if (result.kind === 'missing' && !FINAL.has(result.reason)) {
      deps.log.warn('pass.missing', { pass: pass.name, reason: result.reason });
      result = await runPass(deps, input, signal);
    }
    if (result.kind === 'answered') result = await deps.store.keep(plan.hash, pass.name, result);
    deps.log.info('pass.ended', {
      pass: pass.name,
      result: result.kind === 'missing' ? result.reason : 'answered',
      findings: result.kind === 'missing' ? 0 : result.findings.length,
      calls: result.stats.calls,
      ...result.stats.usage,
    });
    return { ...pass, result, promptSha, removed };
  });
}

const MAX_OTHER_FILES = 200;

/** Files that other units of the plan show, so that the model knows they changed too. */
function otherFiles(plan: Plan, pass: PlannedPass): NotReviewed[] {
  const shown = new Set(pass.unit.parts.map(({ file }) => file.path));
  const others = new Set(plan.passes.flatMap(({ unit }) => unit.parts.map(({ file }) => file.path)));
  return [...others]
    .filter((path) => !shown.has(path))
    .slice(0, MAX_OTHER_FILES)
    .map((what) => ({ what, reason: 'reviewed separately' }));
}

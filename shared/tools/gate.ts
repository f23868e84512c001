import type { PullRequestRef } from '../domain/pull-request.ts';
import type { BudgetUse } from './outbox-ports.ts';
import { isInScope } from './scope.ts';
import type { RefusalCode } from './tool-result.ts';
import type { Capability, Grant, Requirement, TargetFacts, Tool } from './tool.ts';

/** The part of a tool the gate decides on. */
export type GatedTool = Pick<Tool, 'name' | 'access' | 'needs' | 'requires' | 'spends'>;

export interface GateTarget {
  /** Undefined only while listing for a client that names its pull request per call. */
  readonly pullRequest: PullRequestRef | undefined;
  readonly facts?: TargetFacts;
}

export interface GateUsage {
  /** Epoch ms. */
  readonly now: number;
  readonly writesStopped: boolean;
  /** What this place offers. */
  readonly available: ReadonlySet<Requirement>;
  /** Undefined while it was not looked up: budgets are then left to the second asking. */
  readonly spent: BudgetUse | undefined;
}

export type GateDecision =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'deny';
      readonly code: RefusalCode;
      /** What the caller can do about it. */
      readonly hint: string;
      readonly retryAfterMs?: number;
    };

const ALLOW: GateDecision = { kind: 'allow' };

function deny(code: RefusalCode, hint: string, retryAfterMs?: number): GateDecision {
  return retryAfterMs === undefined
    ? { kind: 'deny', code, hint }
    : { kind: 'deny', code, hint, retryAfterMs };
}

/**
 * Decides one call: a pure function, asked when tools are listed and again when one is called. Scope comes first,
 * so that no later answer tells an outsider anything about the target.
 */
export function decide(tool: GatedTool, grant: Grant, target: GateTarget, usage: GateUsage): GateDecision {
  const { facts, pullRequest } = target;
  if (grant.expiresAt !== undefined && usage.now >= grant.expiresAt)
    return deny('not_allowed', 'This grant has expired; ask the operator for a new one.');
  if (pullRequest !== undefined && !isInScope(grant, pullRequest))
    return deny('out_of_scope', 'This grant does not cover that pull request.');
  const missing = missingPermission(tool, grant, facts);
  if (missing !== undefined) return deny('not_allowed', missing);
  const lacking = tool.requires?.find((requirement) => !usage.available.has(requirement));
  if (lacking !== undefined) return deny('unavailable_here', UNAVAILABLE_HINTS[lacking]);
  if (tool.access === 'read') return ALLOW;
  if (usage.writesStopped)
    return deny('writes_stopped', 'The operator stopped all writes. Reading still works.');
  return refusedByFacts(facts) ?? refusedByBudget(tool, grant, facts, usage) ?? ALLOW;
}

/** True when a later call may be allowed although this one was not, so that the tool stays listed. */
export function isPassingRefusal(code: RefusalCode): boolean {
  return code === 'writes_stopped' || code === 'budget_exhausted';
}

function missingPermission(
  tool: GatedTool,
  grant: Grant,
  facts: TargetFacts | undefined,
): string | undefined {
  if (tool.needs === 'read') return undefined;
  const capability: Capability = tool.needs;
  if (!grant.capabilities.includes(capability)) return `This grant does not include ${capability}.`;
  if (capability !== 'submit') return undefined;
  if (grant.submitActions.length === 0) return 'This grant allows no submit action.';
  const action = facts?.submitAction;
  if (action === undefined || grant.submitActions.includes(action)) return undefined;
  return `This grant does not allow ${action}; allowed: ${grant.submitActions.join(', ')}.`;
}

const UNAVAILABLE_HINTS: Readonly<Record<Requirement, string>> = {
  snapshot: 'Files can only be read inside a review run; use get_diff instead.',
  submit: 'Reviews cannot be submitted on this provider.',
  create_thread: 'Inline threads cannot be created on this provider.',
  reply: 'Replies cannot be posted on this provider.',
  resolve: 'Threads cannot be resolved on this provider.',
};

function refusedByFacts(facts: TargetFacts | undefined): GateDecision | undefined {
  if (facts === undefined) return undefined;
  if (facts.thread === 'missing')
    return deny('not_found', 'No such thread on this pull request; call list_threads for the ids.');
  if (facts.thread === 'foreign')
    return deny('not_own_thread', 'Only threads that Gatehouse opened may be changed; reply instead.');
  if (facts.draft === 'missing')
    return deny(
      'not_found',
      'No such draft comment on this pull request; call list_draft_review for the ids.',
    );
  if (facts.draft === 'foreign')
    return deny('not_own_draft', 'This draft comment belongs to somebody else and is left alone.');
  if (facts.isForeignReview === true)
    return deny(
      'foreign_draft',
      'A pending review of a person or another run exists; its owner must submit or discard it.',
    );
  return undefined;
}

function refusedByBudget(
  tool: GatedTool,
  grant: Grant,
  facts: TargetFacts | undefined,
  usage: GateUsage,
): GateDecision | undefined {
  const { spent } = usage;
  if (tool.spends !== true || facts?.isRepeat === true || spent === undefined) return undefined;
  const { writesPerRun, writesPerHour, writesPerHourOverall } = grant.budgets;
  if (writesPerRun !== undefined && spent.run >= writesPerRun)
    return deny('budget_exhausted', `This caller has used all ${writesPerRun} writes on this pull request.`);
  const wait = Math.max(0, spent.hourEndsAt - usage.now);
  const opens = `It opens again at ${new Date(spent.hourEndsAt).toISOString()}.`;
  if (writesPerHour !== undefined && spent.hour >= writesPerHour)
    return deny(
      'budget_exhausted',
      `All ${writesPerHour} writes of this hour on this pull request are used. ${opens}`,
      wait,
    );
  if (writesPerHourOverall !== undefined && spent.hourOverall >= writesPerHourOverall)
    return deny(
      'budget_exhausted',
      `All ${writesPerHourOverall} writes of this hour under this grant are used. ${opens}`,
      wait,
    );
  return undefined;
}

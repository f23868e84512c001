import type { NewJob } from '../domain/job.ts';
import type { Account, PullRequestRef } from '../domain/pull-request.ts';
import type { WebhookEvent } from '../providers/ports.ts';
import { withSignedScope } from '../providers/signed-scope.ts';
import { matchesRepository } from '../providers/webhooks/repository-globs.ts';

/** Everything a decision depends on, loaded before. */
export interface IngressFacts {
  readonly event: WebhookEvent;
  /** Covered repositories of the instance: globs over the full name. */
  readonly repositories: readonly string[];
  /** Covered target branches, globs; absent = all. */
  readonly branches?: readonly string[];
  /** Who we are on the instance, when it is known without asking. */
  readonly ownAccount?: Account | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly retentionMs: number;
}

/** `class` and `kind` are the job's; a reason is a stable code that is counted and logged. */
export type IngressDecision =
  | { readonly kind: 'enqueue'; readonly pullRequest: PullRequestRef; readonly job: NewJob }
  | { readonly kind: 'ignore'; readonly reason: string };

/**
 * Decides one authenticated event. Pure. Hints of the payload can only make an event ignored that the worker would
 * skip anyway; whatever is enqueued is read again from the provider.
 */
export function decide(facts: IngressFacts): IngressDecision {
  const { event } = facts;
  if (event.request.kind === 'ignore') return ignore(event.request.reason);
  const { job } = event.request;
  const { pullRequest } = event;
  if (pullRequest === undefined) return ignore('no_pull_request');
  if (isTooOld(facts)) return ignore('too_old');
  if (!matchesRepository(facts.repositories, pullRequest.repository)) return ignore('repository_not_covered');
  if (isOwnEvent(facts, job)) return ignore('own_event');
  const reason = job.class === 'push' ? reasonAgainstPush(facts) : undefined;
  if (reason !== undefined) return ignore(reason);
  return { kind: 'enqueue', pullRequest, job: withSignedScope(job, event.signedFor) };
}

function ignore(reason: string): IngressDecision {
  return { kind: 'ignore', reason };
}

/** A delivery row is kept for the retention; an older event, sent again, could not be told from a new one. */
function isTooOld({ event, now, retentionMs }: IngressFacts): boolean {
  const { occurredAt } = event.hints;
  return occurredAt !== undefined && occurredAt < now - retentionMs;
}

/**
 * Ours is what an account of our own wrote. An account shared with a person also writes what the person writes;
 * there only the marker tells, which the webhook source looked for. Pushes are never ours.
 */
function isOwnEvent({ event, ownAccount }: IngressFacts, job: NewJob): boolean {
  if (ownAccount === undefined || job.class === 'push') return false;
  const reviewer = job.ids['requestedReviewerId'];
  if (reviewer !== undefined) return reviewer !== ownAccount.id;
  return ownAccount.isBot && event.hints.sender?.id === ownAccount.id;
}

function reasonAgainstPush({ event, branches }: IngressFacts): string | undefined {
  const { isDraft, state, targetBranch } = event.hints;
  if (state === 'closed' || state === 'merged') return 'not_open';
  if (isDraft === true) return 'draft';
  if (branches !== undefined && targetBranch !== undefined && !matchesRepository(branches, targetBranch))
    return 'branch_not_covered';
  return undefined;
}

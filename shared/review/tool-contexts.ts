import type { ChangedFile, PullRequest } from '../domain/pull-request.ts';
import type { Logger } from '../observability/ports.ts';
import type { Provider } from '../providers/ports.ts';
import type { Snapshot } from '../providers/snapshot.ts';
import type { JobContext } from '../sessions/ports.ts';
import { createScopedProvider } from '../tools/scoped-provider.ts';
import type { Grant, ToolContext } from '../tools/tool.ts';
import type { PublishPolicy } from './publish.ts';
import type { ReviewDeps } from './review-deps.ts';

/** Writes on one pull request in one hour, by all runs. */
const WRITES_PER_HOUR = 200;

export interface RunPlace {
  readonly provider: Provider;
  readonly pullRequest: PullRequest;
  readonly runId: string;
  readonly job: JobContext;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The model's side: it can read this pull request and nothing else. */
export function readingContext(
  deps: ReviewDeps,
  place: RunPlace,
  changedFiles: readonly ChangedFile[],
  snapshot: Snapshot,
): ToolContext {
  const grant: Grant = {
    ...boundGrant(place),
    id: 'review-read',
    capabilities: [],
    submitActions: [],
    budgets: {},
  };
  return { ...common(deps, place), grant, changedFiles, snapshot };
}

/** The publisher's side: drafts and one kind of submission, within the budgets. No approval exists here. */
export function publishingContext(
  deps: ReviewDeps,
  place: RunPlace,
  changedFiles: readonly ChangedFile[],
  policy: PublishPolicy,
): ToolContext {
  const grant: Grant = {
    ...boundGrant(place),
    id: 'review-publish',
    capabilities: ['draft', 'submit'],
    submitActions: ['comment'],
    // A refused batch is posted once more, comment by comment.
    budgets: { writesPerRun: 2 * policy.maxComments + 10, writesPerHour: WRITES_PER_HOUR },
  };
  return { ...common(deps, place), grant, changedFiles, snapshot: undefined };
}

function boundGrant({ pullRequest }: RunPlace): Pick<Grant, 'instances' | 'repositories' | 'pullRequest'> {
  const { instance, repositoryId, number } = pullRequest.ref;
  return { instances: [instance], repositories: ['**'], pullRequest: { repositoryId, number } };
}

function common(
  deps: ReviewDeps,
  { provider, pullRequest, runId, job, log, signal }: RunPlace,
): Omit<ToolContext, 'grant' | 'changedFiles' | 'snapshot'> {
  return {
    provider: createScopedProvider(provider, pullRequest.ref),
    pullRequest,
    sessions: deps.sessions,
    partitionKey: job.partitionKey,
    outbox: deps.outbox,
    clock: deps.clock,
    random: deps.random,
    log,
    writesStopped: deps.writesStopped,
    callerId: runId,
    signal,
    confirmBeforeWrite: () => job.confirmBeforeWrite(),
    secrets: deps.secrets,
    ...(deps.record === undefined ? {} : { record: deps.record }),
  };
}

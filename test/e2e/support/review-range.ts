import { waitForRun } from '../../../infra/local/demo/wait-for-run.ts';
import type { PostedComment } from '../../../infra/local/simulators/github/queries.ts';
import type { GitHubStack } from '../../../infra/local/stack/github-stack.ts';
import type { LocalStack } from '../../../infra/local/stack/start-local-stack.ts';

export interface Range {
  /** `owner/name` on the simulator. */
  readonly repository: string;
  readonly base: string;
  readonly head: string;
}

export interface ReviewedRange {
  readonly number: number;
  readonly outcome: string;
  readonly reason: string;
  /** `path:line`, sorted. */
  readonly places: readonly string[];
  readonly comments: readonly PostedComment[];
  /** Bodies of the submitted reviews. */
  readonly summaries: readonly string[];
}

const TIMEOUT_MS = 60_000;

/** Opens a pull request, delivers its webhook, waits for the run, reads the end state back from the simulator. */
export async function reviewRange(stack: LocalStack<GitHubStack>, range: Range): Promise<ReviewedRange> {
  const { simulator } = stack.provider;
  const { repository } = range;
  const { number } = await simulator.createPullRequest({
    repository,
    base: range.base,
    head: range.head,
    baseName: 'main',
    headName: 'change',
    title: 'A change',
    body: 'What it does.',
    author: 'dana',
  });
  const seen = stack.records().length;
  await simulator.deliverWebhook({ event: 'pull_request', action: 'opened', repository, number });
  const { outcome, reason } = await waitForRun(
    () => stack.records().slice(seen),
    TIMEOUT_MS,
    () => {},
  );
  return { number, outcome, reason, ...(await endState(stack, repository, number)) };
}

/** What stands on the pull request now. */
export async function endState(
  stack: LocalStack<GitHubStack>,
  repository: string,
  number: number,
): Promise<Pick<ReviewedRange, 'places' | 'comments' | 'summaries'>> {
  const comments = await stack.provider.simulator.comments(number, repository);
  return {
    comments,
    places: comments.map(({ path, line }) => `${path}:${line ?? 'file'}`).toSorted(),
    summaries: stack.provider.simulator.reviews(number, repository).map(({ body }) => body),
  };
}

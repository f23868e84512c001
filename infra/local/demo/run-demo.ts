import { startLocalStack, type StackModel } from '../stack/start-local-stack.ts';
import { readTitle, type DemoComment } from './comment-line.ts';
import { describeProgress } from './describe-progress.ts';
import { waitForRun } from './wait-for-run.ts';

/** What is reviewed: two revisions of a local repository, and what its pull request says. */
export interface DemoSubject {
  readonly dir: string;
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
}

/** The last line of `npm run demo -- --json`. */
export interface DemoResult {
  readonly outcome: string;
  readonly comments: readonly DemoComment[];
  /** From sending the webhook to its answer. */
  readonly ackMs: number;
  /** From sending the webhook to the first comment; null when there is none. */
  readonly firstCommentMs: number | null;
  /** From sending the webhook to the end of the run. */
  readonly totalMs: number;
  /** Changed files of the pull request. */
  readonly files: number;
}

export interface DemoRun extends DemoResult {
  readonly reason: string;
  readonly summary: string | undefined;
  readonly pullRequestUrl: string;
}

/**
 * The main job, end to end: everything started, one signed webhook delivered, the review awaited, its comments read
 * back from the simulator.
 * @throws Error when a part does not start or the review does not end in time; GitError for a wrong range.
 */
export async function runDemo(
  subject: DemoSubject,
  model: StackModel,
  options: { readonly timeoutMs: number; readonly onProgress: (line: string) => void },
): Promise<DemoRun> {
  const stack = await startLocalStack({
    repositories: [{ dir: subject.dir, fullName: 'acme/demo' }],
    model,
    onStart: (part) => options.onProgress(`starting ${part}`),
  });
  try {
    const { simulator } = stack.github;
    const pull = await simulator.createPullRequest({
      base: subject.base,
      head: subject.head,
      baseName: 'main',
      headName: 'change',
      title: subject.title,
      body: subject.body,
      author: 'dana',
    });
    const { number } = pull;
    const sentAt = Date.now();
    const delivery = await simulator.deliverWebhook({ event: 'pull_request', action: 'opened', number });
    if (delivery.statusCode !== 202) {
      throw new Error(
        `the webhook was answered ${delivery.statusCode ?? 'not at all'}: ${delivery.responseBody}`,
      );
    }
    const end = await waitForRun(stack.records, options.timeoutMs, (record) => {
      const line = describeProgress(record);
      if (line !== undefined) options.onProgress(line);
    });
    const posted = await simulator.comments(number);
    const [review] = simulator.reviews(number);
    const first = review?.submittedAt ?? posted[0]?.createdAt;
    return {
      outcome: end.outcome,
      reason: end.reason,
      comments: posted.map(({ path, line, side, body }) => ({ path, line, side, ...readTitle(body) })),
      ackMs: delivery.durationMs,
      firstCommentMs:
        first === undefined || first === null || posted.length === 0 ? null : Date.parse(first) - sentAt,
      totalMs: end.endedAt - sentAt,
      files: (await pull.repository.git.changedFiles(await mergeBase(pull), pull.headSha)).length,
      summary: review?.body,
      pullRequestUrl: `${simulator.webUrl}/acme/demo/pull/${number}`,
    };
  } finally {
    await stack.stop();
  }
}

function mergeBase(pull: {
  readonly repository: { readonly git: { mergeBase(first: string, second: string): Promise<string> } };
  readonly baseSha: string;
  readonly headSha: string;
}): Promise<string> {
  return pull.repository.git.mergeBase(pull.baseSha, pull.headSha);
}

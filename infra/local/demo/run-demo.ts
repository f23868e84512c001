import { openRepository } from '../simulators/git/open-repository.ts';
import { startDemoProvider, type DemoProviderId } from '../stack/demo-provider.ts';
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

/** Kinds of writes that people see as a comment, as the simulators name them. */
const COMMENT_WRITE = /comment|note|thread|review|discussion/;

export interface DemoRun extends DemoResult {
  readonly reason: string;
}

export interface DemoOptions {
  readonly provider: DemoProviderId;
  readonly model: StackModel;
  readonly timeoutMs: number;
  readonly onProgress: (line: string) => void;
}

/**
 * The main job, end to end: everything started, one signed webhook delivered, the review awaited, its comments read
 * back from the simulator.
 * @throws Error when a part does not start or the review does not end in time; GitError for a wrong range.
 */
export async function runDemo(subject: DemoSubject, options: DemoOptions): Promise<DemoRun> {
  const files = await countFiles(subject);
  const stack = await startLocalStack({
    startProvider: startDemoProvider(options.provider),
    repositories: [{ dir: subject.dir, fullName: 'acme/demo' }],
    model: options.model,
    onStart: (part) => options.onProgress(`starting ${part}`),
  });
  try {
    const { provider } = stack;
    const number = await provider.openPullRequest(subject);
    const sentAt = Date.now();
    const started = performance.now();
    const delivery = await provider.announce(number);
    const ackMs = performance.now() - started;
    if (delivery.statusCode !== 202) {
      throw new Error(`the webhook was answered ${delivery.statusCode}: ${delivery.responseBody}`);
    }
    const end = await waitForRun(stack.records, options.timeoutMs, (record) => {
      const line = describeProgress(record);
      if (line !== undefined) options.onProgress(line);
    });
    const posted = await provider.comments(number);
    const first = provider.writes().find(({ at, kind }) => at >= sentAt && COMMENT_WRITE.test(kind));
    return {
      outcome: end.outcome,
      reason: end.reason,
      comments: posted.map(({ path, line, side, body }) => ({ path, line, side, ...readTitle(body) })),
      ackMs,
      firstCommentMs: posted.length === 0 || first === undefined ? null : first.at - sentAt,
      totalMs: end.endedAt - sentAt,
      files,
    };
  } finally {
    await stack.stop();
  }
}

async function countFiles({ dir, base, head }: DemoSubject): Promise<number> {
  const repository = await openRepository(dir);
  try {
    const [from, to] = await Promise.all([repository.resolveCommit(base), repository.resolveCommit(head)]);
    return (await repository.changedFiles(await repository.mergeBase(from, to), to)).length;
  } finally {
    repository.close();
  }
}

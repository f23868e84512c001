import { AppError, isAppError } from '../../domain/app-error.ts';
import type { NewInlineComment } from '../../providers/write-ports.ts';
import { checkAnchor } from '../drafts/check-anchor.ts';
import type { Draft } from '../drafts/draft.ts';
import type { OutboxOperation } from '../outbox-ports.ts';
import type { SubmitAction, ToolContext } from '../tool.ts';
import { postableText, suggestionBlock } from '../write-text.ts';
import { confirmWrite } from './confirm-head.ts';
import { reviewText, type ReviewText } from './review-text.ts';
import type { Submission } from './submission.ts';
import { REPEAT_AFTER_MS } from './write-key.ts';
import {
  batchReview,
  newThread,
  reviewTextAlone,
  verdictReview,
  type WriteName,
  type Written,
} from './write-operations.ts';

/** What became of one draft of a submission. */
export type ItemOutcome =
  | { readonly kind: 'published'; readonly draft: Draft; readonly url: string }
  | { readonly kind: 'refused'; readonly draft: Draft; readonly code: string; readonly message: string }
  /** Not tried, or its outcome is not known yet. */
  | { readonly kind: 'left'; readonly draft: Draft };

export interface Publication {
  readonly items: readonly ItemOutcome[];
  /** Address of the review or of its text; undefined while it is not out. */
  readonly url: string | undefined;
  /** What ended the work early; a later call goes on. */
  readonly stoppedBy: AppError | undefined;
  readonly notes: readonly string[];
}

export interface SubmissionText extends Omit<ReviewText, 'folded'> {
  readonly action: SubmitAction;
}

/**
 * Publishes a submission: as one review where the provider takes one, otherwise comment by comment with the text
 * last. Every write has an outbox row of its own, so that whatever is cut off is taken up where it ended and only
 * what failed is tried again.
 */
export async function publishSubmission(
  context: ToolContext,
  submission: Submission,
  text: SubmissionText,
): Promise<Publication> {
  const progress: Progress = { outcomes: new Map(), notes: [], url: undefined };
  for (const draft of submission.items) {
    if (draft.state === 'published')
      progress.outcomes.set(draft, { kind: 'published', draft, url: draft.note });
    if (draft.state === 'refused')
      progress.outcomes.set(draft, { kind: 'refused', draft, code: 'refused_before', message: draft.note });
  }
  const task: Task = { context, submission, text, progress };
  let stoppedBy: AppError | undefined;
  try {
    if (submission.mode === 'batch') await postBatch(task);
    await postItems(task);
    if (progress.url === undefined) await postText(task);
  } catch (error) {
    if (!isAppError(error)) throw error;
    stoppedBy = error;
  }
  const items = submission.items.map(
    (draft) => progress.outcomes.get(draft) ?? { kind: 'left' as const, draft },
  );
  return { items, url: progress.url, stoppedBy, notes: progress.notes };
}

/**
 * True when it is known that nothing of a submission was ever written, so that its drafts can be changed again. The
 * outbox tells: what ended this call says nothing about an earlier one. Only after an end that meets every other
 * call too (the head moved, writing is refused): after a rate limit another instance may be about to write, and its
 * drafts must stay what they are.
 */
export async function isUnbegun(
  { outbox, partitionKey }: ToolContext,
  submission: Submission,
  { items, url, stoppedBy }: Publication,
): Promise<boolean> {
  if (stoppedBy?.kind !== 'stale' && stoppedBy?.kind !== 'denied') return false;
  if (url !== undefined || items.some((item) => item.kind !== 'left')) return false;
  const keys = [
    ...['review', 'text', 'verdict'].map((part) => named(submission, part).key),
    ...submission.items.map((draft) => itemKey(submission, draft)),
  ];
  const written = await Promise.all(keys.map((key) => outbox.mayHaveWritten(partitionKey, key)));
  return !written.includes(true);
}

interface Progress {
  readonly outcomes: Map<Draft, ItemOutcome>;
  readonly notes: string[];
  url: string | undefined;
}

interface Task {
  readonly context: ToolContext;
  readonly submission: Submission;
  readonly text: SubmissionText;
  readonly progress: Progress;
}

/** One review with every comment that can stand on its line. A refusal is final: the items are posted one by one. */
async function postBatch(task: Task): Promise<void> {
  const { context, submission, progress } = task;
  const comments = open(task).flatMap((draft) => {
    const comment = lineComment(context, draft);
    return comment === undefined || staleAnchor(context, draft) !== undefined
      ? []
      : [{ key: itemKey(submission, draft), contentHash: draft.contentHash, comment }];
  });
  const operation = batchReview(context, named(submission, 'review'), fullText(task), comments);
  const written = await refusedAsUndefined(context.outbox.run(context.partitionKey, operation));
  if (written === undefined) return;
  progress.url = written.url;
  const published = new Set(written.published);
  for (const draft of open(task))
    if (published.has(draft.contentHash) || isFolded(context, draft))
      progress.outcomes.set(draft, { kind: 'published', draft, url: written.url });
}

/**
 * What is left, comment by comment. A refusal concerns one comment, for good: the draft must be changed, which makes
 * it another. Anything else ends the series.
 */
async function postItems(task: Task): Promise<void> {
  const { context, submission, progress } = task;
  let isFirst = true;
  for (const draft of open(task)) {
    if (isFolded(context, draft)) continue;
    const operation = itemOperation(task, itemKey(submission, draft), draft, isFirst);
    isFirst = false;
    try {
      const { url } = await context.outbox.run(context.partitionKey, operation);
      progress.outcomes.set(draft, { kind: 'published', draft, url });
    } catch (error) {
      if (!isAppError(error, 'rejected')) throw error;
      const { code, message } = error;
      progress.outcomes.set(draft, { kind: 'refused', draft, code, message });
    }
  }
}

/** The text of the review, alone. A refused verdict is said as a comment, since the comments are out already. */
async function postText(task: Task): Promise<void> {
  const { context, submission, text, progress } = task;
  const run = (operation: OutboxOperation<Written>): Promise<Written> =>
    context.outbox.run(context.partitionKey, operation);
  let written: Written | undefined;
  if (text.action !== 'comment') {
    const operation = verdictReview(context, named(submission, 'verdict'), fullText(task), text.action);
    written = await refusedAsUndefined(run(operation));
    if (written === undefined)
      progress.notes.push(`The provider refused ${text.action}; this review was submitted as a comment.`);
  }
  written ??= await run(reviewTextAlone(context, named(submission, 'text'), fullText(task)));
  progress.url = written.url;
  for (const draft of open(task))
    if (isFolded(context, draft))
      progress.outcomes.set(draft, { kind: 'published', draft, url: written.url });
}

function itemOperation(
  { context, text }: Task,
  name: string,
  draft: Draft,
  isFirst: boolean,
): OutboxOperation<Written> {
  const { headSha } = context.pullRequest;
  const confirm = async (): Promise<void> => {
    const problem = staleAnchor(context, draft);
    if (problem !== undefined)
      throw new AppError({ kind: 'rejected', code: 'invalid_anchor', message: problem });
    await confirmWrite(context, !isFirst);
  };
  const comment = lineComment(context, draft);
  if (comment === undefined)
    return newThread(
      context,
      { key: name },
      { kind: 'file', commit: headSha, path: draft.anchor.path, body: postableText(context, draft.body) },
      { confirm, isFinal: true },
    );
  if (context.provider.threadWriter !== undefined)
    return newThread(
      context,
      { key: name },
      { kind: 'line', commit: headSha, comment },
      { confirm, isFinal: true },
    );
  // Only whole reviews can be posted here: one review with one comment, whose marker must differ from the review's.
  const alone = [{ key: `${name}|comment`, contentHash: draft.contentHash, comment }];
  const operation = batchReview(context, { key: name }, text.disclaimer, alone);
  return { ...operation, cost: 1, confirm };
}

/** Drafts of the submission whose outcome is still open, in the order they were added. */
function open({ submission, progress }: Task): Draft[] {
  return submission.items.filter((draft) => !progress.outcomes.has(draft));
}

function fullText({ context, submission, text, progress }: Task): string {
  const folded = submission.items
    .filter((draft) => isFolded(context, draft))
    .map((draft) => ({
      place: postableText(context, draft.anchor.path),
      body: postableText(context, draft.body),
    }));
  const summary = postableText(context, text.summary);
  return reviewText({ ...text, summary, notes: [...text.notes, ...progress.notes], folded });
}

/** Comments on whole files where no thread can be opened on one: the review's text holds them. */
function isFolded({ provider }: ToolContext, { anchor }: Draft): boolean {
  return anchor.line === undefined && provider.threadWriter === undefined;
}

function lineComment(context: ToolContext, draft: Draft): NewInlineComment | undefined {
  const { line, ...rest } = draft.anchor;
  if (line === undefined) return undefined;
  const body = postableText(context, draft.body);
  if (draft.suggestion === undefined) return { ...rest, line, body };
  const above = line - (rest.startLine ?? line);
  return {
    ...rest,
    line,
    body: `${body}\n\n${suggestionBlock(context.provider.id, draft.suggestion, above)}`,
  };
}

/** Why a draft can no longer stand where it was written for; undefined when it can. */
function staleAnchor({ changedFiles, pullRequest }: ToolContext, draft: Draft): string | undefined {
  const check = checkAnchor(changedFiles, draft.anchor);
  if (!check.ok) return check.message;
  if (draft.headSha === pullRequest.headSha || check.evidence === draft.evidence) return undefined;
  return 'The commented lines changed since the draft was written; delete it and comment again.';
}

/** Undefined for a refusal of the whole, which leaves nothing behind. */
async function refusedAsUndefined<Result>(attempt: Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (isAppError(error, 'rejected')) return undefined;
    throw error;
  }
}

/** The text alone, without a caller's key, means the same for a day; what drafts make up is named by them. */
function named({ key, items, hasCallerKey }: Submission, part: string): WriteName {
  const isRepeatable = items.length === 0 && !hasCallerKey;
  return { key: `${key}|${part}`, ...(isRepeatable ? { repeatAfterMs: REPEAT_AFTER_MS } : {}) };
}

function itemKey({ key }: Submission, { contentHash }: Draft): string {
  return `${key}|item|${contentHash}`;
}

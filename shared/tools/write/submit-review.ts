import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import { defineTool } from '../define-tool.ts';
import { draftId, type Draft } from '../drafts/draft.ts';
import { replaceDrafts, settleDrafts } from '../drafts/draft-store.ts';
import { SUBMIT_ACTIONS, type SubmitAction, type ToolContext } from '../tool.ts';
import { IDEMPOTENCY_KEY } from './write-key.ts';
import { isUnbegun, publishSubmission, type ItemOutcome, type Publication } from './publish-submission.ts';
import { disclaimerFor } from './review-text.ts';
import { isKnownSubmission, openSubmission, type Submission, type SubmissionArgs } from './submission.ts';

const MAX_SUMMARY = 4_000;

export const submitReview = defineTool({
  name: 'submit_review',
  title: 'Submit the review',
  description:
    'Publishes your draft comments together with a summary; without drafts the summary alone. Everybody sees it at once and ' +
    'it cannot be taken back. A disclaimer is put first. Only the actions of your grant are allowed; merging, dismissing ' +
    'and pushing do not exist. Refused when the head moved. When done is false, call again with the same arguments.',
  access: 'write',
  needs: 'submit',
  requires: ['submit'],
  spends: true,
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    action: z.enum(SUBMIT_ACTIONS).describe('comment, unless your grant allows more.'),
    summary: z.string().min(1).max(MAX_SUMMARY).describe('Markdown, appended to the disclaimer.'),
    idempotencyKey: IDEMPOTENCY_KEY,
  }),
  output: z.strictObject({
    action: z.enum(SUBMIT_ACTIONS).describe('What was submitted; comment on your own pull request.'),
    published: z.int().describe('Draft comments that are visible now.'),
    remaining: z.int().describe('Draft comments that still wait.'),
    done: z.boolean().describe('False: call again, after retryAfterMs when given.'),
    url: z.string().optional(),
    refused: z.array(
      z.strictObject({ id: z.string(), path: z.string(), code: z.string(), message: z.string() }),
    ),
    stoppedBy: z.string().optional().describe('Code of what ended it early.'),
    retryAfterMs: z.int().optional(),
    notes: z.array(z.string()),
  }),
  facts: async (context, { action, summary, idempotencyKey }) => ({
    submitAction: action,
    isRepeat: await isKnownSubmission(context, submissionArgs(action, summary, idempotencyKey)),
  }),
  async handler(context, { action: wanted, summary, idempotencyKey }) {
    if (summary.trim() === '')
      throw new AppError({ kind: 'rejected', code: 'invalid_comment', message: 'The summary is empty.' });
    const { action, notes: actionNotes } = await allowedAction(context, wanted);
    const submission = await openSubmission(context, submissionArgs(wanted, summary, idempotencyKey));
    const disclaimer = disclaimerFor(context.grant, context.disclaimer);
    const publication = await publishSubmission(context, submission, {
      action,
      disclaimer,
      notes: actionNotes,
      summary,
    });
    if (await isUnbegun(context, submission, publication))
      await replaceDrafts(context, submission.items.map(released));
    else await settleDrafts(context, publication.items.flatMap(settledDraft));
    return answer(submission, publication, action, actionNotes);
  },
  resultIds: ({ url, refused }) => [...(url === undefined ? [] : [url]), ...refused.map((item) => item.id)],
});

function submissionArgs(
  action: SubmitAction,
  summary: string,
  idempotencyKey: string | undefined,
): SubmissionArgs {
  return { action, summary, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
}

/** Nobody may judge a pull request of their own, and not every provider takes a verdict: both fall back to a comment. */
async function allowedAction(
  { provider, pullRequest }: ToolContext,
  wanted: SubmitAction,
): Promise<{ action: SubmitAction; notes: string[] }> {
  if (wanted === 'comment') return { action: wanted, notes: [] };
  if (provider.pendingReviews === undefined)
    throw new AppError({
      kind: 'denied',
      code: 'unavailable_here',
      message: 'On this provider a review can only comment.',
    });
  const self = await provider.identity.whoAmI();
  if (self.id !== pullRequest.author.id) return { action: wanted, notes: [] };
  return {
    action: 'comment',
    notes: [`Submitted as a comment: ${wanted} is not possible on one's own pull request.`],
  };
}

function released(draft: Draft): Draft {
  return { ...draft, state: 'draft', submission: '', submissionArgs: '', submittedAt: 0 };
}

function settledDraft(item: ItemOutcome): Draft[] {
  switch (item.kind) {
    case 'published':
      return item.draft.state === 'published' ? [] : [{ ...item.draft, state: 'published', note: item.url }];
    case 'refused':
      return item.draft.state === 'refused' ? [] : [{ ...item.draft, state: 'refused', note: item.message }];
    case 'left':
      return [];
  }
}

interface SubmitAnswer {
  action: SubmitAction;
  published: number;
  remaining: number;
  done: boolean;
  url?: string;
  refused: { id: string; path: string; code: string; message: string }[];
  stoppedBy?: string;
  retryAfterMs?: number;
  notes: string[];
}

/** @throws AppError what stopped the work when nothing came of it: then there is nothing else to tell. */
function answer(
  submission: Submission,
  { items, url, stoppedBy, notes }: Publication,
  action: SubmitAction,
  actionNotes: readonly string[],
): SubmitAnswer {
  const published = items.filter((item) => item.kind === 'published').length;
  if (stoppedBy !== undefined && published === 0 && url === undefined) throw stoppedBy;
  const left = items.filter((item) => item.kind === 'left').length;
  // A finished submission of the caller's own key stays finished, whatever was drafted since.
  const isOver = submission.hasCallerKey && !submission.isEarlier;
  const refused = items.flatMap((item) =>
    item.kind === 'refused'
      ? [{ id: draftId(item.draft), path: item.draft.anchor.path, code: item.code, message: item.message }]
      : [],
  );
  return {
    action,
    published,
    remaining: left + submission.waiting,
    done: stoppedBy === undefined && left === 0 && (submission.waiting === 0 || isOver),
    ...(url === undefined ? {} : { url }),
    refused,
    ...(stoppedBy === undefined ? {} : { stoppedBy: stoppedBy.code }),
    ...(stoppedBy?.retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(stoppedBy.retryAfterMs) }),
    notes: [...actionNotes, ...notes, ...submissionNotes(submission)],
  };
}

function submissionNotes({ expired, isEarlier, waiting, hasCallerKey }: Submission): string[] {
  const notes: string[] = [];
  if (isEarlier)
    notes.push('An earlier submission was unfinished and was finished first; call again for the rest.');
  if (expired > 0)
    notes.push(`${expired} drafts are older than 7 days, have expired and were not submitted.`);
  if (waiting > 0 && !isEarlier)
    notes.push(
      `${waiting} more drafts wait; call again ${hasCallerKey ? 'with another idempotencyKey ' : ''}to submit them.`,
    );
  return notes;
}

import { shortHash } from '../../state/keys.ts';
import { isExpired, type Draft, type SubmissionMode } from '../drafts/draft.ts';
import {
  draftsContended,
  isOwnDraft,
  MAX_DRAFT_RACES,
  oneTransaction,
  readDrafts,
  replaceDrafts,
} from '../drafts/draft-store.ts';
import type { ToolContext } from '../tool.ts';
import { REPEAT_AFTER_MS } from './write-key.ts';

export interface SubmissionArgs {
  readonly action: string;
  readonly summary: string;
  readonly idempotencyKey?: string;
}

/** One act of publishing: which drafts it is made of, and the key everything it writes is named by. */
export interface Submission {
  readonly key: string;
  readonly items: readonly Draft[];
  readonly mode: SubmissionMode;
  /** Own drafts that wait and are not part of it. */
  readonly waiting: number;
  /** Own drafts that were left out because they expired. */
  readonly expired: number;
  readonly hasCallerKey: boolean;
  /** True when an earlier call under other arguments left it unfinished: it is finished first. */
  readonly isEarlier: boolean;
}

/**
 * Fixes which drafts are published, so that a call that was cut off and comes again publishes the same ones: drafts
 * carry the submission's key from here on. An unfinished submission is always taken up first, since only that
 * tells whether its comments are out.
 * @throws AppError `transient` draft_contended when others keep changing the drafts.
 */
export async function openSubmission(context: ToolContext, args: SubmissionArgs): Promise<Submission> {
  const argsHash = hashArgs(context, args);
  const hasCallerKey = args.idempotencyKey !== undefined;
  for (let race = 0; race < MAX_DRAFT_RACES; race += 1) {
    const now = context.clock.now();
    const own = (await readDrafts(context)).filter((draft) => isOwnDraft(context, draft));
    const pending = pendingOf(own, now);
    const expired = own.filter((draft) => draft.state === 'draft').length - pending.length;
    const unfinished = own.find((draft) => draft.state === 'submitting');
    const known = unfinished ?? findEarlier(own, args, argsHash, context);
    if (known !== undefined) {
      const items = own.filter((draft) => draft.submission === known.submission && draft.state !== 'draft');
      const isEarlier = known.submissionArgs !== argsHash && known.submission !== keyFor(context, args);
      return {
        key: known.submission,
        items,
        mode: known.submissionMode,
        waiting: pending.length,
        expired,
        hasCallerKey,
        isEarlier,
      };
    }
    const taken = oneTransaction(pending);
    const key = keyFor(context, args) ?? contentKey(argsHash, taken);
    const mode = modeFor(context, args, taken.length);
    const wanted = taken.map((draft): Draft => {
      return {
        ...draft,
        state: 'submitting',
        submission: key,
        submissionArgs: argsHash,
        submittedAt: now,
        submissionMode: mode,
      };
    });
    const items = await replaceDrafts(context, wanted);
    if (items !== undefined)
      return {
        key,
        items,
        mode,
        waiting: pending.length - taken.length,
        expired,
        hasCallerKey,
        isEarlier: false,
      };
  }
  throw draftsContended();
}

/** True when a call with these arguments would take up a submission that was begun before. */
export async function isKnownSubmission(context: ToolContext, args: SubmissionArgs): Promise<boolean> {
  const own = (await readDrafts(context)).filter((draft) => isOwnDraft(context, draft));
  const argsHash = hashArgs(context, args);
  if (own.some((draft) => draft.state === 'submitting')) return true;
  if (findEarlier(own, args, argsHash, context) !== undefined) return true;
  const pending = oneTransaction(pendingOf(own, context.clock.now()));
  const key = keyFor(context, args) ?? contentKey(argsHash, pending);
  const parts = await Promise.all(
    ['review', 'text'].map((part) => context.outbox.knows(context.partitionKey, `${key}|${part}`)),
  );
  return parts.includes(true);
}

/** Own drafts that can be submitted. */
function pendingOf(own: readonly Draft[], now: number): Draft[] {
  return own.filter((draft) => draft.state === 'draft' && !isExpired(draft, now));
}

function hashArgs({ partitionKey, callerId }: ToolContext, { action, summary }: SubmissionArgs): string {
  return shortHash(JSON.stringify([partitionKey, callerId, action, summary]));
}

function keyFor(context: ToolContext, { idempotencyKey }: SubmissionArgs): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return shortHash(JSON.stringify([context.partitionKey, context.callerId, 'submit', idempotencyKey]));
}

/** One review, where the provider takes one and the grant could ever pay for all of it at once. */
function modeFor(
  { provider, grant }: ToolContext,
  { action }: SubmissionArgs,
  comments: number,
): SubmissionMode {
  const { writesPerRun, writesPerHour, writesPerHourOverall } = grant.budgets;
  const most = Math.min(
    writesPerRun ?? Infinity,
    writesPerHour ?? Infinity,
    writesPerHourOverall ?? Infinity,
  );
  return provider.reviews !== undefined && action === 'comment' && comments + 1 <= most ? 'batch' : 'single';
}

/** Without a key of the caller, the same arguments with the same drafts are the same submission. */
function contentKey(argsHash: string, drafts: readonly Draft[]): string {
  return shortHash(JSON.stringify([argsHash, drafts.map((draft) => draft.contentHash).toSorted()]));
}

/**
 * A finished submission that this call repeats: the same key, or no key, the same arguments and nothing new to
 * submit within a day.
 */
function findEarlier(
  own: readonly Draft[],
  args: SubmissionArgs,
  argsHash: string,
  context: ToolContext,
): Draft | undefined {
  const key = keyFor(context, args);
  if (key !== undefined) return own.find((draft) => draft.state !== 'draft' && draft.submission === key);
  if (own.some((draft) => draft.state === 'draft')) return undefined;
  return own.findLast(
    (draft) => draft.submissionArgs === argsHash && context.clock.now() - draft.submittedAt < REPEAT_AFTER_MS,
  );
}

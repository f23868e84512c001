import { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { Thread } from '../../domain/thread.ts';
import type {
  NewInlineComment,
  NewThread,
  PostedComment,
  PostedReview,
} from '../../providers/write-ports.ts';
import { hasMarkerLine } from '../markers.ts';
import type { OutboxOperation } from '../outbox-ports.ts';
import type { SubmitAction, ToolContext } from '../tool.ts';
import { markedBody } from '../write-text.ts';
import { confirmReply, confirmWrite } from './confirm-head.ts';

/** What one write left behind. */
const Written = z.strictObject({
  id: z.string(),
  url: z.string(),
  /** Content hashes of the drafts that a batch review holds. */
  published: z.array(z.string()).optional(),
});
export type Written = z.infer<typeof Written>;

type Operation = OutboxOperation<Written>;

export interface WriteName {
  /** Idempotency key of this write. */
  readonly key: string;
  readonly repeatAfterMs?: number;
}

/** The parts that all writes of tools share. */
function common(
  context: ToolContext,
  { key, repeatAfterMs }: WriteName,
): Pick<Operation, 'key' | 'authority' | 'signal' | 'repeatAfterMs' | 'encode' | 'decode'> {
  const { grant, pullRequest, callerId, writesStopped, signal } = context;
  return {
    key,
    authority: { grant, pullRequest: pullRequest.ref, callerId, writesStopped },
    signal,
    ...(repeatAfterMs === undefined ? {} : { repeatAfterMs }),
    encode: (written) => JSON.stringify(written),
    decode: (stored) => Written.parse(JSON.parse(stored)),
  };
}

/** A line comment of a batch, with the key under which it would be written alone. */
export interface BatchComment {
  readonly key: string;
  readonly contentHash: string;
  readonly comment: NewInlineComment;
}

/** One review with all its comments in one request. */
export function batchReview(
  context: ToolContext,
  name: WriteName,
  text: string,
  comments: readonly BatchComment[],
): Operation {
  const { ref, headSha } = context.pullRequest;
  const writer = offered(context.provider.reviews);
  const published = comments.map((item) => item.contentHash);
  return {
    ...common(context, name),
    kind: 'review',
    cost: comments.length + 1,
    // The items are posted one by one from then on: repeating the whole would repeat them.
    isFinalRefusal: () => true,
    confirm: () => confirmWrite(context),
    async write(marker, signal) {
      const posted = await withoutForeignDraft(
        writer.createReview(
          ref,
          {
            commit: headSha,
            body: markedBody(context, marker, text),
            comments: comments.map(({ key, comment }) => ({
              ...comment,
              body: markedBody(context, context.outbox.marker(key), comment.body),
            })),
          },
          signal,
        ),
      );
      return { ...ofReview(posted), published };
    },
    async readBack(marker) {
      const found = await findOwnReview(context, marker);
      return found === undefined ? undefined : { ...ofReview(found), published };
    },
  };
}

/** One comment thread, visible at once. `isFinal`: a refusal of it is never tried again under its key. */
export function newThread(
  context: ToolContext,
  name: WriteName,
  thread: NewThread,
  {
    confirm = () => confirmWrite(context),
    isFinal = false,
  }: { confirm?: () => Promise<void>; isFinal?: boolean } = {},
): Operation {
  const { ref } = context.pullRequest;
  const writer = offered(context.provider.threadWriter);
  return {
    ...common(context, name),
    kind: 'thread',
    isFinalRefusal: () => isFinal,
    confirm,
    async write(marker, signal) {
      const marked: NewThread =
        thread.kind === 'file'
          ? { ...thread, body: markedBody(context, marker, thread.body) }
          : {
              ...thread,
              comment: { ...thread.comment, body: markedBody(context, marker, thread.comment.body) },
            };
      return ofComment(await writer.createThread(ref, marked, signal));
    },
    readBack: (marker) => findOwnComment(context, marker),
  };
}

/** The review's text alone, where its comments were posted one by one or there are none. */
export function reviewTextAlone(context: ToolContext, name: WriteName, text: string): Operation {
  const { ref } = context.pullRequest;
  const { reviews } = context.provider;
  if (reviews !== undefined)
    return { ...batchReview(context, name, text, []), kind: 'summary', isFinalRefusal: () => false };
  const writer = offered(context.provider.generalComments);
  return {
    ...common(context, name),
    kind: 'summary',
    confirm: () => confirmWrite(context),
    write: async (marker, signal) =>
      ofComment(await writer.createGeneralComment(ref, markedBody(context, marker, text), signal)),
    readBack: (marker) => findOwnComment(context, marker),
  };
}

/**
 * A review that approves or requests changes: created pending, then submitted, so that a lost answer leaves either
 * nothing, or a pending review of ours to go on with, or the submitted one.
 */
export function verdictReview(
  context: ToolContext,
  name: WriteName,
  text: string,
  action: SubmitAction,
): Operation {
  const { ref, headSha } = context.pullRequest;
  const writer = offered(context.provider.pendingReviews);
  return {
    ...common(context, name),
    kind: 'review',
    isFinalRefusal: () => true,
    confirm: () => confirmWrite(context),
    async write(marker, signal) {
      const body = markedBody(context, marker, text);
      const pending = await writer.findPendingReview(ref);
      if (pending !== undefined && !hasMarkerLine(pending.body, marker)) throw foreignDraft();
      const reviewId = pending?.reviewId ?? (await createPending(body));
      return ofReview(await writer.submitPendingReview(ref, reviewId, action, body, signal));

      async function createPending(first: string): Promise<string> {
        const made = await writer.createPendingReview(ref, { commit: headSha, body: first }, signal);
        if (!made.isPending) throw visibleDraft();
        return made.id;
      }
    },
    readBack: async (marker) => {
      const found = await findOwnReview(context, marker);
      return found === undefined ? undefined : ofReview(found);
    },
  };
}

export function replyTo(context: ToolContext, name: WriteName, threadId: string, body: string): Operation {
  const { ref } = context.pullRequest;
  const writer = offered(context.provider.replies);
  return {
    ...common(context, name),
    kind: 'reply',
    confirm: () => confirmReply(context),
    write: async (marker, signal) =>
      ofComment(await writer.reply(ref, threadId, markedBody(context, marker, body), signal)),
    readBack: (marker) => findOwnComment(context, marker),
  };
}

export function resolveThread(context: ToolContext, name: WriteName, threadId: string): Operation {
  const { ref } = context.pullRequest;
  const resolver = offered(context.provider.threadResolver);
  const written: Written = { id: threadId, url: '' };
  return {
    ...common(context, name),
    kind: 'resolve',
    confirm: () => confirmWrite(context),
    async write(_marker, signal) {
      await resolver.setResolved(ref, threadId, true, signal);
      return written;
    },
    async readBack() {
      const threads = await context.provider.threads.listThreads(ref);
      return threads.some((thread) => thread.id === threadId && thread.isResolved) ? written : undefined;
    },
  };
}

/** A capability the gate found present. */
function offered<Capability>(capability: Capability | undefined): Capability {
  if (capability !== undefined) return capability;
  throw new AppError({
    kind: 'denied',
    code: 'unavailable_here',
    message: 'This provider does not offer that.',
  });
}

function ofReview({ reviewId, url }: PostedReview): Written {
  return { id: reviewId, url };
}

function ofComment({ commentId, threadId, url }: PostedComment): Written {
  return { id: threadId ?? commentId, url };
}

async function findOwnReview(context: ToolContext, marker: string): Promise<PostedReview | undefined> {
  const { provider, pullRequest } = context;
  if (provider.reviews === undefined) return undefined;
  const [self, reviews] = await Promise.all([
    provider.identity.whoAmI(),
    provider.reviews.listReviews(pullRequest.ref),
  ]);
  return reviews.find((review) => review.author.id === self.id && hasMarkerLine(review.body, marker));
}

/** Our comment with this marker, in a thread or on the pull request itself. */
async function findOwnComment(context: ToolContext, marker: string): Promise<Written | undefined> {
  const { provider, pullRequest } = context;
  const [self, threads, general] = await Promise.all([
    provider.identity.whoAmI(),
    provider.threads.listThreads(pullRequest.ref),
    provider.comments?.listGeneralComments(pullRequest.ref) ?? [],
  ]);
  const isOurs = ({ author, body }: Thread['comments'][number]): boolean =>
    author.id === self.id && hasMarkerLine(body, marker);
  for (const thread of threads) {
    const comment = thread.comments.find(isOurs);
    if (comment !== undefined) return { id: thread.id, url: comment.url ?? '' };
  }
  const comment = general.find(isOurs);
  return comment === undefined ? undefined : { id: comment.id, url: comment.url ?? '' };
}

/**
 * A pending review of our own identity blocks every other review. That says nothing about this one, so it is kept
 * apart from a refusal of its content.
 */
async function withoutForeignDraft<Result>(attempt: Promise<Result>): Promise<Result> {
  try {
    return await attempt;
  } catch (error) {
    if (isAppError(error, 'rejected') && error.details?.reason === 'pending_review_exists')
      throw foreignDraft();
    throw error;
  }
}

function foreignDraft(): AppError {
  return new AppError({
    kind: 'denied',
    code: 'foreign_draft',
    message:
      'A pending review that is not of this submission exists; its owner must submit or discard it first.',
  });
}

function visibleDraft(): AppError {
  return new AppError({
    kind: 'denied',
    code: 'draft_visible',
    message: 'What should have been a pending review is visible to everybody. Stop, and alert a person.',
  });
}

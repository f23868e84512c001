import type { Account, PullRequestRef } from '../../domain/pull-request.ts';
import type { ControlAction, NewJob } from '../../domain/job.ts';
import type { WebhookEvent } from '../ports.ts';
import { COMMENT_ID, CONTROL_ACTION_ID } from '../../sessions/ports.ts';
import { hasOwnMarker, readControlCommand } from '../webhooks/control-command.ts';
import type { PullPart, PullRequestPayload, SenderPart, TextPart } from './webhook-payloads.ts';

/** What every mapping knows about its instance. */
export interface EventContext {
  readonly instance: string;
  /** Our App's id, when we are one: what it wrote carries it. */
  readonly appId: string | undefined;
}

type Request = WebhookEvent['request'];

const ignore = (reason: string): Request => ({ kind: 'ignore', reason });
const enqueue = (job: NewJob): Request => ({ kind: 'job', job });

/** What `pull_request` events ask for. */
export function requestOfPullRequest(payload: PullRequestPayload, context: EventContext): Request {
  const cause = `pull_request.${payload.action}`;
  const ids = { headSha: payload.pull_request.head.sha, ...actorIds(payload.sender) };
  const control = (action: ControlAction): Request =>
    enqueue({ kind: 'control', class: 'control', cause, ids: { ...ids, [CONTROL_ACTION_ID]: action } });
  switch (payload.action) {
    case 'opened':
    case 'reopened':
    case 'ready_for_review':
      return enqueue({ kind: 'review.full', class: 'push', cause, ids });
    case 'synchronize':
      return enqueue({ kind: 'review.incremental', class: 'push', cause, ids });
    case 'edited':
      return payload.changes?.base === undefined
        ? ignore('no_base_change')
        : enqueue({ kind: 'review.incremental', class: 'push', cause, ids });
    case 'converted_to_draft':
      return control('draft');
    case 'closed':
      return control(isMerged(payload.pull_request) ? 'merged' : 'closed');
    case 'review_requested':
      return requestOfReviewRequest(payload, context, { cause, ids });
    default:
      return ignore('unsupported_action');
  }
}

/**
 * A person asked somebody for a review. Only users can be asked, so an App never is; whether it was us is known
 * for sure to the worker alone. A command, so that it ends no review under way.
 */
function requestOfReviewRequest(
  payload: PullRequestPayload,
  context: EventContext,
  job: Pick<NewJob, 'cause' | 'ids'>,
): Request {
  const reviewer = payload.requested_reviewer;
  if (reviewer === undefined || reviewer === null || context.appId !== undefined)
    return ignore('reviewer_not_us');
  return enqueue({
    kind: 'review.incremental',
    class: 'command',
    cause: job.cause,
    ids: { ...job.ids, requestedReviewerId: String(reviewer.id) },
  });
}

export interface CommentFacts {
  /** Event and action. */
  readonly cause: string;
  readonly action: string;
  /** Where it stands: `general`, `review` (in a code thread) or `review-body`. */
  readonly commentKind: 'general' | 'review' | 'review-body';
  readonly text: TextPart;
  readonly sender: SenderPart | null | undefined;
}

/** What comments and review texts ask for. Our own and those of other bots ask for nothing: bots do not talk to bots. */
export function requestOfComment(facts: CommentFacts, context: EventContext): Request {
  const { action, cause, commentKind, text, sender } = facts;
  const body = text.body ?? '';
  if (hasOwnMarker(body) || String(text.performed_via_github_app?.id) === context.appId)
    return ignore('own_event');
  const ids = {
    [COMMENT_ID]: String(text.id),
    commentKind,
    ...(typeof text.in_reply_to_id === 'number' ? { inReplyTo: String(text.in_reply_to_id) } : {}),
    ...(typeof text.updated_at === 'string' ? { revision: text.updated_at.slice(0, 40) } : {}),
    ...actorIds(sender),
  };
  if (action === 'deleted')
    return enqueue({
      kind: 'control',
      class: 'control',
      cause,
      ids: { ...ids, [CONTROL_ACTION_ID]: 'comment-deleted' },
    });
  if (action !== 'created' && action !== 'edited' && action !== 'submitted')
    return ignore('unsupported_action');
  if (sender?.type === 'Bot') return ignore('bot_comment');
  if (body.trim() === '') return ignore('no_text');
  const command = readControlCommand(body);
  if (command !== undefined)
    return enqueue({
      kind: 'control',
      class: 'control',
      cause,
      ids: { ...ids, [CONTROL_ACTION_ID]: command },
    });
  return enqueue({ kind: 'comment', class: 'command', cause, ids });
}

export function hintsOfPull(
  pull: PullPart,
  sender: SenderPart | null | undefined,
  occurredAt: string | null | undefined,
): WebhookEvent['hints'] {
  return {
    state: pull.state === 'open' ? 'open' : isMerged(pull) ? 'merged' : 'closed',
    targetBranch: pull.base.ref,
    ...(pull.draft === undefined ? {} : { isDraft: pull.draft }),
    ...hintsOf(sender, occurredAt),
  };
}

export function hintsOf(
  sender: SenderPart | null | undefined,
  occurredAt: string | null | undefined,
): Pick<WebhookEvent['hints'], 'sender' | 'occurredAt'> {
  const time = Date.parse(occurredAt ?? '');
  return {
    ...(sender === undefined || sender === null ? {} : { sender: toSender(sender) }),
    ...(Number.isNaN(time) ? {} : { occurredAt: time }),
  };
}

export function refOf(
  context: EventContext,
  repository: { readonly id: number; readonly full_name: string },
  number: number,
): PullRequestRef {
  return {
    provider: 'github',
    instance: context.instance,
    repositoryId: String(repository.id),
    number,
    repository: repository.full_name,
  };
}

function toSender(sender: SenderPart): Account {
  return { id: String(sender.id), login: sender.login, isBot: sender.type === 'Bot' };
}

function actorIds(sender: SenderPart | null | undefined): Record<string, string> {
  return sender === undefined || sender === null
    ? {}
    : { actorId: String(sender.id), actorLogin: sender.login };
}

function isMerged(pull: PullPart): boolean {
  return pull.merged === true || typeof pull.merged_at === 'string';
}

import type { ControlAction, NewJob } from '../../domain/job.ts';
import type { Account, PullRequestRef } from '../../domain/pull-request.ts';
import { COMMENT_ID, CONTROL_ACTION_ID } from '../../sessions/ports.ts';
import type { WebhookEvent } from '../ports.ts';
import { readControlCommand } from '../webhooks/control-command.ts';
import { formatCommentId, parseThreadId } from './comment-ids.ts';
import { isApplication, loginOf } from './identity-names.ts';
import { carriesMarker } from './marker-lines.ts';
import type { CommentPart, IdentityPart, PullPart } from './webhook-payloads.ts';

type Request = WebhookEvent['request'];

export const ignore = (reason: string): Request => ({ kind: 'ignore', reason });
const enqueue = (job: NewJob): Request => ({ kind: 'job', job });

const control = (cause: string, action: ControlAction, ids: NewJob['ids']): Request =>
  enqueue({ kind: 'control', class: 'control', cause, ids: { ...ids, [CONTROL_ACTION_ID]: action } });

/** A pull request was created. */
export function requestOfCreation(cause: string, pull: PullPart): Request {
  return enqueue({
    kind: 'review.full',
    class: 'push',
    cause,
    ids: { ...headIds(pull), ...actorIds(pull.createdBy) },
  });
}

/**
 * A push, a published draft, a retarget, a vote: the payload does not say which, nor who. What is over or a draft
 * now stops what runs; anything else is compared by the worker with what was reviewed last.
 */
export function requestOfUpdate(cause: string, pull: PullPart): Request {
  const state = stateOf(pull);
  const ids = headIds(pull);
  if (state === undefined) return ignore('unsupported_state');
  if (state !== 'open') return control(cause, state, ids);
  if (pull.isDraft === true) return control(cause, 'draft', ids);
  return enqueue({ kind: 'review.incremental', class: 'push', cause, ids });
}

/** What a comment asks for. Our own and those of applications ask for nothing: bots do not talk to bots. */
export function requestOfComment(cause: string, comment: CommentPart): Request {
  if (comment.commentType !== 'text') return ignore('not_a_text_comment');
  const threadId = parseThreadId(/\/threads\/(\d+)\/?$/.exec(comment.threadAddress)?.[1] ?? '');
  if (threadId === undefined) return ignore('no_thread');
  const content = comment.content ?? '';
  if (carriesMarker(content)) return ignore('own_event');
  const parent = comment.parentCommentId ?? 0;
  const ids = {
    [COMMENT_ID]: formatCommentId({ threadId, commentId: comment.id }),
    threadId: String(threadId),
    commentKind: 'review',
    ...(parent > 0 ? { inReplyTo: formatCommentId({ threadId, commentId: parent }) } : {}),
    ...(typeof comment.lastContentUpdatedDate === 'string'
      ? { revision: comment.lastContentUpdatedDate.slice(0, 40) }
      : {}),
    ...actorIds(comment.author),
  };
  if (comment.isDeleted === true) return control(cause, 'comment-deleted', ids);
  if (comment.author !== undefined && comment.author !== null && isApplication(comment.author))
    return ignore('bot_comment');
  if (content.trim() === '') return ignore('no_text');
  const command = readControlCommand(content);
  return command === undefined
    ? enqueue({ kind: 'comment', class: 'command', cause, ids })
    : control(cause, command, ids);
}

export function hintsOf(
  pull: PullPart,
  sender: IdentityPart | null | undefined,
  createdDate: string | null | undefined,
): WebhookEvent['hints'] {
  const state = stateOf(pull);
  const occurredAt = Date.parse(createdDate ?? '');
  return {
    targetBranch: pull.targetRefName.replace(/^refs\/heads\//, ''),
    ...(state === undefined ? {} : { state }),
    ...(typeof pull.isDraft === 'boolean' ? { isDraft: pull.isDraft } : {}),
    ...(sender === undefined || sender === null ? {} : { sender: toSender(sender) }),
    ...(Number.isNaN(occurredAt) ? {} : { occurredAt }),
  };
}

export function refOf(instance: string, pull: PullPart): PullRequestRef {
  return {
    provider: 'azure-devops',
    instance,
    repositoryId: pull.repository.id,
    number: pull.pullRequestId,
    repository: `${pull.repository.project.name}/${pull.repository.name}`,
  };
}

function stateOf(pull: PullPart): 'open' | 'closed' | 'merged' | undefined {
  switch (pull.status.toLowerCase()) {
    case 'active':
      return 'open';
    case 'abandoned':
      return 'closed';
    case 'completed':
      return 'merged';
    default:
      return undefined;
  }
}

function toSender(identity: IdentityPart): Account {
  return { id: identity.id, login: loginOf(identity), isBot: isApplication(identity) };
}

function headIds(pull: PullPart): Record<string, string> {
  const headSha = pull.lastMergeSourceCommit?.commitId;
  return headSha === undefined ? {} : { headSha };
}

function actorIds(identity: IdentityPart | null | undefined): Record<string, string> {
  return identity === undefined || identity === null
    ? {}
    : { actorId: identity.id, actorLogin: loginOf(identity) };
}

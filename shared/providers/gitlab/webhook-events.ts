import type { ControlAction, NewJob } from '../../domain/job.ts';
import type { Account, PullRequestRef } from '../../domain/pull-request.ts';
import { COMMENT_ID, CONTROL_ACTION_ID } from '../../sessions/ports.ts';
import type { WebhookEvent } from '../ports.ts';
import { hasOwnMarker, readControlCommand } from '../webhooks/control-command.ts';
import { isBotName } from './accounts.ts';
import type { MergeRequestPayload, NotePayload, ProjectPart, UserPart } from './webhook-payloads.ts';

type Request = WebhookEvent['request'];

const ignore = (reason: string): Request => ({ kind: 'ignore', reason });
const enqueue = (job: NewJob): Request => ({ kind: 'job', job });

const control = (cause: string, action: ControlAction, ids: NewJob['ids']): Request =>
  enqueue({ kind: 'control', class: 'control', cause, ids: { ...ids, [CONTROL_ACTION_ID]: action } });

/** What merge request events ask for. */
export function requestOfMergeRequest(payload: MergeRequestPayload): Request {
  const { object_attributes: pull, user } = payload;
  const cause = `merge_request.${pull.action ?? 'test'}`;
  const headSha = pull.last_commit?.id;
  const ids = { ...(headSha === undefined ? {} : { headSha }), ...actorIds(user) };
  switch (pull.action) {
    case 'open':
    case 'reopen':
      return enqueue({ kind: 'review.full', class: 'push', cause, ids });
    case 'close':
      return control(cause, 'closed', ids);
    case 'merge':
      return control(cause, 'merged', ids);
    case 'update':
      return requestOfUpdate(payload, cause, ids);
    default:
      return ignore('unsupported_action');
  }
}

/** One event can tell of several changes; labels and assignees cause it too, and then none of these changed. */
function requestOfUpdate(payload: MergeRequestPayload, cause: string, ids: NewJob['ids']): Request {
  const { object_attributes: pull, changes } = payload;
  if (changes?.draft?.current === true) return control(cause, 'draft', ids);
  if (changes?.draft?.previous === true && changes.draft.current === false)
    return enqueue({ kind: 'review.full', class: 'push', cause, ids });
  const isRetargeted = typeof changes?.target_branch?.current === 'string';
  if ((pull.oldrev ?? '') !== '' || isRetargeted)
    return enqueue({ kind: 'review.incremental', class: 'push', cause, ids });
  const reviewer = addedReviewer(changes?.reviewers);
  return reviewer === undefined
    ? ignore('no_code_change')
    : enqueue({
        kind: 'review.incremental',
        class: 'command',
        cause,
        ids: { ...ids, requestedReviewerId: reviewer },
      });
}

/** Of several added at once an application rather than a person: whether it is us is known to the worker alone. */
function addedReviewer(
  change: { readonly previous?: unknown; readonly current?: unknown } | null | undefined,
): string | undefined {
  const before = new Set(readPeople(change?.previous).map(({ id }) => id));
  const added = readPeople(change?.current).filter(({ id }) => !before.has(id));
  return (added.find(({ login }) => isBotName(login)) ?? added[0])?.id;
}

function readPeople(value: unknown): { readonly id: string; readonly login: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((person: unknown) => {
    if (typeof person !== 'object' || person === null) return [];
    const id: unknown = Reflect.get(person, 'id');
    const login: unknown = Reflect.get(person, 'username');
    return typeof id === 'number' && Number.isSafeInteger(id)
      ? [{ id: String(id), login: typeof login === 'string' ? login : '' }]
      : [];
  });
}

/** What notes ask for. Our own and those of other bots ask for nothing: bots do not talk to bots. */
export function requestOfNote(payload: NotePayload): Request {
  const { object_attributes: note, user, event_type: eventType } = payload;
  const action = note.action ?? 'create';
  const cause = `note.${action}`;
  const body = note.note ?? '';
  if (note.noteable_type !== 'MergeRequest') return ignore('not_a_pull_request');
  if (eventType === 'confidential_note' || note.internal === true || note.confidential === true)
    return ignore('confidential_note');
  if (note.system === true) return ignore('system_note');
  if (hasOwnMarker(body)) return ignore('own_event');
  if (action !== 'create' && action !== 'update') return ignore('unsupported_action');
  if (isBotName(user?.username ?? '')) return ignore('bot_comment');
  if (body.trim() === '') return ignore('no_text');
  const ids = {
    [COMMENT_ID]: String(note.id),
    commentKind: note.type === 'DiffNote' ? 'review' : 'general',
    ...(typeof note.discussion_id === 'string' ? { threadId: note.discussion_id } : {}),
    ...(typeof note.updated_at === 'string' ? { revision: note.updated_at.slice(0, 40) } : {}),
    ...actorIds(user),
  };
  const command = readControlCommand(body);
  return command === undefined
    ? enqueue({ kind: 'comment', class: 'command', cause, ids })
    : control(cause, command, ids);
}

export function hintsOfMergeRequest({
  object_attributes: pull,
  user,
}: MergeRequestPayload): WebhookEvent['hints'] {
  return hintsOf({ ...pull, draft: pull.draft ?? pull.work_in_progress }, user, pull.updated_at);
}

export function hintsOfNote(payload: NotePayload): WebhookEvent['hints'] {
  return hintsOf(payload.merge_request ?? {}, payload.user, payload.object_attributes.updated_at);
}

function hintsOf(
  pull: {
    readonly state?: string | null | undefined;
    readonly draft?: boolean | null | undefined;
    readonly target_branch?: string | null | undefined;
  },
  user: UserPart,
  updatedAt: string | null | undefined,
): WebhookEvent['hints'] {
  const state = toState(pull.state);
  const occurredAt = Date.parse(updatedAt ?? '');
  return {
    ...(state === undefined ? {} : { state }),
    ...(typeof pull.draft === 'boolean' ? { isDraft: pull.draft } : {}),
    ...(typeof pull.target_branch === 'string' ? { targetBranch: pull.target_branch } : {}),
    ...(user === undefined || user === null ? {} : { sender: toSender(user) }),
    ...(Number.isNaN(occurredAt) ? {} : { occurredAt }),
  };
}

export function refOf(instance: string, project: ProjectPart, number: number): PullRequestRef {
  return {
    provider: 'gitlab',
    instance,
    repositoryId: String(project.id),
    number,
    repository: project.path_with_namespace,
  };
}

/** `locked` is a merge under way. */
function toState(state: string | null | undefined): 'open' | 'closed' | 'merged' | undefined {
  switch (state) {
    case 'opened':
    case 'locked':
      return 'open';
    case 'closed':
    case 'merged':
      return state;
    default:
      return undefined;
  }
}

function toSender(user: NonNullable<UserPart>): Account {
  return { id: String(user.id), login: user.username, isBot: isBotName(user.username) };
}

function actorIds(user: UserPart): Record<string, string> {
  return user === undefined || user === null ? {} : { actorId: String(user.id), actorLogin: user.username };
}

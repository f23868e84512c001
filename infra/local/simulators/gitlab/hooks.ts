import { createHmac, randomUUID } from 'node:crypto';
import type { GitLabContext } from './context.ts';
import { findNote } from './note-writing.ts';
import type { SimulatedHookOptions } from './options.ts';
import { isoTime, pullUrl, renderProject, renderUser } from './render.ts';
import type { SimPull } from './state.ts';
import { latestVersion } from './state.ts';

export interface HookEvent {
  readonly event: 'open' | 'reopen' | 'update' | 'close' | 'merge' | 'approved' | 'note';
  readonly number: number;
  readonly repository?: string;
  /** Of an update that brings commits: the head before. */
  readonly oldrev?: string;
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Of a note. */
  readonly noteId?: number;
}

/** One attempt to deliver an event, and what came back. */
export interface HookDelivery {
  /** Kept on every attempt. */
  readonly id: string;
  readonly event: string;
  readonly attempt: number;
  readonly requestBody: string;
  /** 0 when no answer came. */
  readonly statusCode: number;
  readonly responseBody: string;
}

export interface Hooks {
  setTarget(target: SimulatedHookOptions): void;
  isAutomatic(): boolean;
  deliver(event: HookEvent): Promise<HookDelivery>;
  /** Sends the very same bytes again under the same id. */
  redeliver(id: string): Promise<HookDelivery>;
  list(): readonly HookDelivery[];
  stop(): void;
}

const TIMEOUT_MS = 10_000;

export function createHooks(
  context: GitLabContext,
  findPull: (number: number, repository?: string) => SimPull,
  first: SimulatedHookOptions | undefined,
): Hooks {
  const deliveries: HookDelivery[] = [];
  const stopping = new AbortController();
  let target = first;

  async function send(what: Pick<HookDelivery, 'id' | 'event' | 'requestBody'>): Promise<HookDelivery> {
    if (target === undefined) throw new Error('the simulator has no webhook to deliver to');
    const attempt = deliveries.filter(({ id }) => id === what.id).length + 1;
    let answer = { statusCode: 0, responseBody: '' };
    try {
      const response = await fetch(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'GitLab/18.5.0',
          'x-gitlab-event': what.event === 'note' ? 'Note Hook' : 'Merge Request Hook',
          'x-gitlab-instance': context.webUrl(),
          'x-gitlab-event-uuid': randomUUID(),
          'idempotency-key': what.id,
          ...credentials(target, what.id, Math.floor(context.state.now() / 1000), what.requestBody),
        },
        body: what.requestBody,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      answer = { statusCode: response.status, responseBody: await response.text() };
    } catch {
      // No answer came; the delivery says so by its status of 0.
    }
    const delivery = { ...what, ...answer, attempt };
    deliveries.push(delivery);
    return delivery;
  }

  return {
    setTarget(next) {
      target = next;
    },
    isAutomatic: () => target?.automatic === true,
    async deliver(event) {
      const pull = findPull(event.number, event.repository);
      const payload =
        event.event === 'note' ? notePayload(context, pull, event) : pullPayload(context, pull, event);
      return send({ id: randomUUID(), event: event.event, requestBody: JSON.stringify(payload) });
    },
    redeliver(id) {
      const known = deliveries.find((delivery) => delivery.id === id);
      return known === undefined
        ? Promise.reject(new Error(`the simulator has no delivery ${id}`))
        : send({ id, event: known.event, requestBody: known.requestBody });
    },
    list: () => [...deliveries],
    stop: () => stopping.abort(),
  };
}

function credentials(
  target: SimulatedHookOptions,
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const key = Buffer.from((target.signingToken ?? '').replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    ...(target.token === undefined ? {} : { 'x-gitlab-token': target.token }),
    ...(target.signingToken === undefined
      ? {}
      : {
          'webhook-id': id,
          'webhook-timestamp': String(seconds),
          'webhook-signature': `v1,${digest}`,
        }),
  };
}

function pullAttributes(context: GitLabContext, pull: SimPull): Record<string, unknown> {
  return {
    id: pull.id,
    iid: pull.iid,
    title: pull.title,
    state: pull.state,
    draft: pull.draft,
    work_in_progress: pull.draft,
    author_id: pull.author?.id ?? null,
    source_branch: pull.sourceBranch,
    target_branch: pull.targetBranch,
    source_project_id: pull.source?.id ?? null,
    target_project_id: pull.project.id,
    last_commit: { id: latestVersion(pull).head },
    url: pullUrl(pull, context.webUrl()),
    updated_at: isoTime(context.state.now()),
  };
}

function pullPayload(context: GitLabContext, pull: SimPull, event: HookEvent): Record<string, unknown> {
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: renderUser(pull.author),
    project: renderProject(pull.project, context.webUrl()),
    object_attributes: {
      ...pullAttributes(context, pull),
      action: event.event,
      ...(event.oldrev === undefined ? {} : { oldrev: event.oldrev }),
    },
    changes: event.changes ?? {},
  };
}

function notePayload(context: GitLabContext, pull: SimPull, event: HookEvent): Record<string, unknown> {
  const found = findNote(pull, event.noteId ?? 0);
  if (found === undefined) throw new Error(`the simulator has no note ${event.noteId ?? ''}`);
  const { discussion, note } = found;
  return {
    object_kind: 'note',
    event_type: note.internal ? 'confidential_note' : 'note',
    user: renderUser(note.author),
    project_id: pull.project.id,
    project: renderProject(pull.project, context.webUrl()),
    object_attributes: {
      id: note.id,
      note: note.body,
      noteable_type: 'MergeRequest',
      action: note.updatedAt > note.createdAt ? 'update' : 'create',
      discussion_id: discussion.id,
      type: note.type,
      system: note.system,
      internal: note.internal,
      created_at: isoTime(note.createdAt),
      updated_at: isoTime(note.updatedAt),
      url: `${pullUrl(pull, context.webUrl())}#note_${note.id}`,
    },
    merge_request: pullAttributes(context, pull),
  };
}

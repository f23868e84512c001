import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { GitLabInstance } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { WebhookEvent, WebhookSource } from '../ports.ts';
import { matchesRepository } from '../webhooks/repository-globs.ts';
import {
  hintsOfMergeRequest,
  hintsOfNote,
  refOf,
  requestOfMergeRequest,
  requestOfNote,
} from './webhook-events.ts';
import { Kind, MergeRequestPayload, NotePayload, ProjectPart } from './webhook-payloads.ts';
import { findSigners, readSigningKey } from './webhook-signature.ts';

/**
 * Deliveries of one GitLab instance, signed (Standard Webhooks) or with the secret token in clear. Loads no client
 * and opens no connection: it is on the path of every delivery. The event header is not signed and not read.
 * @param now Epoch ms, for the age of signed deliveries.
 */
export function createGitLabWebhookSource(
  instance: GitLabInstance,
  now: () => number = Date.now,
): WebhookSource {
  const secrets = {
    signingTokens: instance.signingTokens.filter(({ value }) => readSigningKey(value.reveal()) !== undefined),
    webhookTokens: instance.webhookTokens.filter(({ value }) => value.reveal() !== ''),
  };
  const all = [...secrets.signingTokens, ...secrets.webhookTokens];
  const hasLimits = all.some((secret) => secret.repositories !== undefined);
  return {
    isConfigured: all.length > 0,

    authenticate(headers, rawBody) {
      const signers = findSigners(secrets, headers, rawBody, now());
      if (signers.some((secret) => secret.repositories === undefined)) return true;
      if (signers.length === 0) return false;
      const project = ProjectPart.safeParse(memberOf(parseJson(rawBody), 'project'));
      const name = project.data?.path_with_namespace;
      return (
        name !== undefined && signers.some((secret) => matchesRepository(secret.repositories ?? [], name))
      );
    },

    // `X-Gitlab-Event-UUID` names a chain of events, so several deliveries share it.
    deliveryKey(headers, rawBody) {
      const hash = createHash('sha256').update(`gitlab\n${instance.id}\n`);
      const id = headers['webhook-id'] ?? headers['idempotency-key'] ?? '';
      return id === ''
        ? hash.update('body\n').update(rawBody).digest('hex')
        : hash.update(`id\n${id}`).digest('hex');
    },

    read(headers, rawBody) {
      const payload = parseJson(rawBody);
      if (payload === undefined) throw malformed('The body is no JSON object.');
      const event = readEvent(instance.id, payload);
      if (!hasLimits) return event;
      const signers = findSigners(secrets, headers, rawBody, undefined);
      const isUnlimited = signers.some((secret) => secret.repositories === undefined);
      const globs = signers.flatMap((secret) => secret.repositories ?? []);
      return isUnlimited || globs.length === 0 ? event : { ...event, signedFor: globs };
    },
  };
}

function readEvent(instance: string, payload: object): WebhookEvent {
  const { object_kind: kind } = parse(Kind, payload);
  switch (kind) {
    case 'merge_request': {
      const data = parse(MergeRequestPayload, payload);
      const { object_attributes: pull, project } = data;
      const name = `merge_request.${pull.action ?? 'test'}`;
      if (pull.target_project_id !== project.id) return ignored(name, 'other_project');
      return {
        name,
        pullRequest: refOf(instance, project, pull.iid),
        hints: hintsOfMergeRequest(data),
        request: requestOfMergeRequest(data),
      };
    }
    case 'note': {
      const data = parse(NotePayload, payload);
      const { project, merge_request: pull } = data;
      const name = `note.${data.object_attributes.action ?? 'create'}`;
      const request = requestOfNote(data);
      if (pull === undefined || pull === null) return ignored(name, 'not_a_pull_request');
      if (pull.target_project_id !== project.id) return ignored(name, 'other_project');
      return { name, pullRequest: refOf(instance, project, pull.iid), hints: hintsOfNote(data), request };
    }
    default:
      return ignored(kind.toLowerCase(), 'unsupported_event');
  }
}

function ignored(name: string, reason: string): WebhookEvent {
  return { name, hints: {}, request: { kind: 'ignore', reason } };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(`The payload lacks ${parsed.error.issues[0]?.path.join('.') ?? 'something'}.`);
}

function malformed(message: string): AppError {
  return new AppError({ kind: 'rejected', code: 'malformed_payload', message });
}

/** A JSON object, or undefined for anything else. */
function parseJson(body: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

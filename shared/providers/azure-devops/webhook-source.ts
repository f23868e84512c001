import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { AzureDevOpsInstance } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { WebhookEvent, WebhookSource } from '../ports.ts';
import { matchesRepository } from '../webhooks/repository-globs.ts';
import { createHookAuthenticator } from './webhook-credentials.ts';
import {
  hintsOf,
  ignore,
  refOf,
  requestOfComment,
  requestOfCreation,
  requestOfUpdate,
} from './webhook-events.ts';
import { CommentResource, Envelope, PullPart, RepositoryPart } from './webhook-payloads.ts';

/**
 * Service hook deliveries of one Azure DevOps instance. Loads no client and opens no connection: it is on the path
 * of every delivery. Nothing is signed, so whoever holds the secrets can say anything; see `signedFor`.
 */
export function createAzureDevOpsWebhookSource(instance: AzureDevOpsInstance): WebhookSource {
  const authenticator = createHookAuthenticator(instance);
  return {
    isConfigured: authenticator.isConfigured,

    authenticate(headers, rawBody) {
      const credentials = authenticator.check(headers);
      if (credentials === undefined) return false;
      if (credentials.repositories === undefined) return true;
      const globs = credentials.repositories;
      const names = readRepositoryNames(rawBody);
      return names.length > 0 && names.every((name) => matchesRepository(globs, name));
    },

    // A retried notification keeps both ids. Without them the bytes themselves must do.
    deliveryKey(_headers, rawBody) {
      const hash = createHash('sha256').update(`azure-devops\n${instance.id}\n`);
      const envelope = Envelope.safeParse(parseJson(rawBody));
      const { subscriptionId, notificationId } = envelope.data ?? {};
      return typeof subscriptionId === 'string' && typeof notificationId === 'number'
        ? hash.update(`${subscriptionId.toLowerCase()}\n${notificationId}`).digest('hex')
        : hash.update('body\n').update(rawBody).digest('hex');
    },

    read(headers, rawBody) {
      const payload = parseJson(rawBody);
      if (payload === undefined) throw malformed('The body is no JSON object.');
      const event = readEvent(instance.id, parse(Envelope, payload, 'payload'));
      const repositories = authenticator.check(headers)?.repositories;
      return repositories === undefined ? event : { ...event, signedFor: repositories };
    },
  };
}

function readEvent(instance: string, envelope: Envelope): WebhookEvent {
  const { resource, createdDate } = envelope;
  const name = envelope.eventType.toLowerCase();
  switch (name) {
    case 'git.pullrequest.created': {
      const pull = parse(PullPart, resource, 'resource');
      return {
        name,
        pullRequest: refOf(instance, pull),
        hints: hintsOf(pull, pull.createdBy, createdDate),
        request: requestOfCreation(name, pull),
      };
    }
    case 'git.pullrequest.updated': {
      const pull = parse(PullPart, resource, 'resource');
      return {
        name,
        pullRequest: refOf(instance, pull),
        hints: hintsOf(pull, undefined, createdDate),
        request: requestOfUpdate(name, pull),
      };
    }
    // Says that a merge was tried, after every push; the end of a pull request comes as `updated`.
    case 'git.pullrequest.merged':
      return ignored(name, 'merge_attempt');
    case 'ms.vss-code.git-pullrequest-comment-event': {
      if (envelope.resourceVersion !== '2.0') return ignored(name, 'unsupported_resource_version');
      const { comment, pullRequest } = parse(CommentResource, resource, 'resource');
      return {
        name,
        pullRequest: refOf(instance, pullRequest),
        hints: hintsOf(pullRequest, comment.author, createdDate),
        request: requestOfComment(name, comment),
      };
    }
    default:
      return ignored(name, 'unsupported_event');
  }
}

function ignored(name: string, reason: string): WebhookEvent {
  return { name, hints: {}, request: ignore(reason) };
}

/** Names that secrets with limits are checked against: wherever a payload may name its repository. */
function readRepositoryNames(rawBody: Uint8Array): string[] {
  const resource = memberOf(parseJson(rawBody), 'resource');
  const places = [resource, memberOf(resource, 'pullRequest')];
  return places.flatMap((place) => {
    const parsed = RepositoryPart.safeParse(memberOf(place, 'repository'));
    return parsed.success ? [`${parsed.data.project.name}/${parsed.data.name}`] : [];
  });
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(`The ${what} lacks ${parsed.error.issues[0]?.path.join('.') ?? 'something'}.`);
}

function malformed(message: string): AppError {
  return new AppError({ kind: 'rejected', code: 'malformed_payload', message });
}

function parseJson(body: Uint8Array): object | undefined {
  try {
    // Without its byte order mark, which TextDecoder removes.
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

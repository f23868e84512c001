import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { GitHubInstance, WebhookSecret } from '../../config/config.ts';
import { AppError } from '../../domain/app-error.ts';
import type { WebhookEvent, WebhookHeaders, WebhookSource } from '../ports.ts';
import { matchesRepository } from '../webhooks/repository-globs.ts';
import type { EventContext } from './webhook-events.ts';
import { hintsOf, hintsOfPull, refOf, requestOfComment, requestOfPullRequest } from './webhook-events.ts';
import {
  IssueCommentPayload,
  PullRequestPayload,
  RepositoryPart,
  ReviewCommentPayload,
  ReviewPayload,
} from './webhook-payloads.ts';
import { findSigners } from './webhook-signature.ts';

/**
 * Deliveries of one GitHub instance: `X-Hub-Signature-256` over the raw bytes, then the payload. Loads no client
 * and opens no connection: it is on the path of every delivery. Only the body is signed, so neither the event
 * header nor the delivery id is trusted: the first only chooses the schema, the second is not used.
 */
export function createGitHubWebhookSource(instance: GitHubInstance): WebhookSource {
  const secrets = instance.webhookSecrets.filter((secret) => secret.value.reveal() !== '');
  const hasLimits = secrets.some((secret) => secret.repositories !== undefined);
  const context: EventContext = {
    instance: instance.id,
    appId: instance.credential?.kind === 'app' ? instance.credential.appId : undefined,
  };
  const signersOf = (headers: WebhookHeaders, rawBody: Uint8Array): WebhookSecret[] =>
    findSigners(secrets, headers['x-hub-signature-256'], rawBody);
  return {
    isConfigured: secrets.length > 0,

    authenticate(headers, rawBody) {
      const signers = signersOf(headers, rawBody);
      if (signers.some((secret) => secret.repositories === undefined)) return true;
      if (signers.length === 0) return false;
      const name = readRepositoryName(headers, rawBody);
      return (
        name !== undefined && signers.some((secret) => matchesRepository(secret.repositories ?? [], name))
      );
    },

    deliveryKey(_headers, rawBody) {
      return createHash('sha256').update(`github\n${instance.id}\n`).update(rawBody).digest('hex');
    },

    read(headers, rawBody) {
      const event = readEvent(headers, rawBody, context);
      if (!hasLimits) return event;
      const signers = signersOf(headers, rawBody);
      const isUnlimited = signers.some((secret) => secret.repositories === undefined);
      const globs = signers.flatMap((secret) => secret.repositories ?? []);
      return isUnlimited || globs.length === 0 ? event : { ...event, signedFor: globs };
    },
  };
}

function readEvent(headers: WebhookHeaders, rawBody: Uint8Array, context: EventContext): WebhookEvent {
  const name = headers['x-github-event'] ?? '';
  if (!/^[a-z0-9_]{1,60}$/.test(name)) throw malformed('The event header is missing.');
  if (isForm(headers)) return ignored(name, 'form_encoded');
  const payload = parseJson(rawBody);
  if (payload === undefined) throw malformed('The body is no JSON object.');
  switch (name) {
    case 'pull_request': {
      const data = parse(PullRequestPayload, payload);
      const { pull_request: pull, sender } = data;
      return {
        name: `${name}.${data.action}`,
        pullRequest: refOf(context, data.repository, pull.number),
        hints: hintsOfPull(pull, sender, pull.updated_at),
        request: requestOfPullRequest(data, context),
      };
    }
    case 'issue_comment': {
      const { action, issue, comment, sender, repository } = parse(IssueCommentPayload, payload);
      const event = { name: `${name}.${action}`, hints: hintsOf(sender, comment.updated_at) };
      if (issue.pull_request === undefined || issue.pull_request === null)
        return { ...event, request: { kind: 'ignore', reason: 'not_a_pull_request' } };
      const facts = { cause: event.name, action, commentKind: 'general', text: comment, sender } as const;
      return {
        ...event,
        pullRequest: refOf(context, repository, issue.number),
        request: requestOfComment(facts, context),
      };
    }
    case 'pull_request_review_comment': {
      const data = parse(ReviewCommentPayload, payload);
      const { action, comment, sender, pull_request: pull } = data;
      const cause = `${name}.${action}`;
      return {
        name: cause,
        pullRequest: refOf(context, data.repository, pull.number),
        hints: hintsOfPull(pull, sender, comment.updated_at),
        request: requestOfComment({ cause, action, commentKind: 'review', text: comment, sender }, context),
      };
    }
    case 'pull_request_review': {
      const data = parse(ReviewPayload, payload);
      const { action, review, sender, pull_request: pull } = data;
      const cause = `${name}.${action}`;
      return {
        name: cause,
        pullRequest: refOf(context, data.repository, pull.number),
        hints: hintsOfPull(pull, sender, review.submitted_at),
        request: requestOfComment(
          { cause, action, commentKind: 'review-body', text: review, sender },
          context,
        ),
      };
    }
    case 'ping':
      return ignored(name, 'ping');
    default:
      return ignored(name, 'unsupported_event');
  }
}

function ignored(name: string, reason: string): WebhookEvent {
  return { name, hints: {}, request: { kind: 'ignore', reason } };
}

function parse<Schema extends z.ZodType>(schema: Schema, payload: object): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw malformed(`The payload lacks ${parsed.error.issues[0]?.path.join('.') ?? 'something'}.`);
}

function malformed(message: string): AppError {
  return new AppError({ kind: 'rejected', code: 'malformed_payload', message });
}

function isForm(headers: WebhookHeaders): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
}

/** The name a secret with limits is checked against; in a form the payload is one field. */
function readRepositoryName(headers: WebhookHeaders, rawBody: Uint8Array): string | undefined {
  const text = isForm(headers)
    ? (new URLSearchParams(new TextDecoder().decode(rawBody)).get('payload') ?? '')
    : rawBody;
  const payload = parseJson(text);
  const repository: unknown = payload === undefined ? undefined : Reflect.get(payload, 'repository');
  const parsed = RepositoryPart.safeParse(repository);
  return parsed.success ? parsed.data.full_name : undefined;
}

/** A JSON object, or undefined for anything else; duplicate keys and encodings are the parser's business alone. */
function parseJson(body: string | Uint8Array): object | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

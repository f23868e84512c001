import { z } from 'zod';
import { PROVIDER_IDS, type PullRequestRef } from '../domain/pull-request.ts';

export const MESSAGE_VERSION = 1;

const base = {
  v: z.literal(MESSAGE_VERSION),
  pr: z.object({
    provider: z.enum(PROVIDER_IDS),
    instance: z.string(),
    repositoryId: z.string(),
    number: z.int(),
    repository: z.string(),
  }),
  /** Times it went through the poison queue. */
  poisoned: z.int().optional(),
};

const WakeMessage = z.object({
  ...base,
  /** The append that this message was sent for; it waits for its row until `expires` (epoch ms). */
  delivery: z.string().optional(),
  expires: z.int().optional(),
});
const GuardMessage = z.object({
  ...base,
  /** Fence of the lease that this message takes over when its holder is gone. */
  guard: z.int(),
});

/** A message of gatehouse-wake: look at this pull request (wake), or see whether its holder lives (guard). */
export type SessionMessage = z.infer<typeof WakeMessage> | z.infer<typeof GuardMessage>;
const Message = z.union([GuardMessage, WakeMessage]);

export type ParsedMessage =
  | { readonly kind: 'message'; readonly message: SessionMessage }
  /** Written by a newer build: to be sent again as it is. */
  | { readonly kind: 'newer'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unreadable' };

const AnyVersion = z.looseObject({ v: z.int() });

/** Reads the body of a queue message as the trigger hands it over (already parsed JSON). */
export function parseMessage(body: unknown): ParsedMessage {
  const message = Message.safeParse(body);
  if (message.success) return { kind: 'message', message: message.data };
  const other = AnyVersion.safeParse(body);
  if (other.success && other.data.v > MESSAGE_VERSION) return { kind: 'newer', body: other.data };
  return { kind: 'unreadable' };
}

/** A wake that stands for an append which may not have happened yet. */
export function deliveryWake(pr: PullRequestRef, delivery: string, expires: number): SessionMessage {
  return { v: MESSAGE_VERSION, pr, delivery, expires };
}

export function plainWake(pr: PullRequestRef): SessionMessage {
  return { v: MESSAGE_VERSION, pr };
}

export function guardFor(pr: PullRequestRef, fence: number): SessionMessage {
  return { v: MESSAGE_VERSION, pr, guard: fence };
}

import { z } from 'zod';
import type { Account } from '../../domain/pull-request.ts';

/** A user as notes, merge requests and statuses name it. Null for accounts that are gone. */
export const User = z.object({ id: z.int(), username: z.string(), bot: z.boolean().nullish() }).nullish();

export const GHOST: Account = { id: 'ghost', login: 'ghost', isBot: false };

export function toAccount(user: z.output<typeof User>): Account {
  if (user === null || user === undefined) return GHOST;
  return { id: String(user.id), login: user.username, isBot: user.bot === true || isBotName(user.username) };
}

/**
 * Users that GitLab makes for project and group access tokens and for service accounts (GitLab documentation,
 * "Project access tokens", bot users).
 */
export function isBotName(username: string): boolean {
  return /^(?:(?:project|group)_\d+_bot|service_account_)/.test(username);
}

import { z } from 'zod';
import type { Account } from '../../domain/pull-request.ts';

/** Parts of GitHub's REST answers, only what is needed. `null` users are deleted accounts. */

export const User = z.object({ id: z.number(), login: z.string(), type: z.string().optional() }).nullable();

const RepositoryId = z.object({ id: z.number() });

export const Pull = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: z.string().nullish(),
  html_url: z.string(),
  user: User,
  changed_files: z.int().min(0),
  head: z.object({ ref: z.string(), sha: z.string(), repo: RepositoryId.nullable() }),
  base: z.object({ ref: z.string(), sha: z.string(), repo: RepositoryId }),
});

export const PullFile = z.object({
  sha: z.string().nullable(),
  filename: z.string().min(1),
  status: z.enum(['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged']),
  additions: z.int().min(0),
  deletions: z.int().min(0),
  contents_url: z.string(),
  patch: z.string().optional(),
  previous_filename: z.string().optional(),
});

export const GHOST: Account = { id: 'ghost', login: 'ghost', isBot: false };

export function toAccount(user: z.output<typeof User> | undefined): Account {
  if (user === null || user === undefined) return GHOST;
  return { id: String(user.id), login: user.login, isBot: user.type === 'Bot' };
}

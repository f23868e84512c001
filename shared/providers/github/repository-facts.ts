import { z } from 'zod';
import type { AncestryReader, CommitReader, PermissionReader, RepositoryPermission } from '../ports.ts';
import { isNotFound } from './general-comments.ts';
import type { GitHubClient } from './github-client.ts';
import { User, toAccount } from './schemas.ts';

const Permission = z.object({ permission: z.string(), user: User });

const PullCommit = z.object({
  sha: z.string(),
  author: User.optional(),
  commit: z.object({
    message: z.string(),
    author: z.object({ date: z.string().optional() }).nullish(),
  }),
});

const Comparison = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  merge_base_commit: z.object({ sha: z.string() }),
});

/**
 * What an account may do now. `permission` is one of admin, write, read and none, with maintain counted as write
 * and triage as read (REST documentation, "Get repository permissions for a user").
 */
export function createPermissionReader(client: GitHubClient): PermissionReader {
  return {
    async getPermission(ref, account) {
      const session = await client.forRepository(ref);
      try {
        const answer = await session.get(
          '/repos/{owner}/{repo}/collaborators/{username}/permission',
          { username: account.login },
          Permission,
        );
        // Logins can be given up and taken by others; the id is who was meant.
        return String(answer.user?.id) === account.id ? toPermission(answer.permission) : 'none';
      } catch (error) {
        if (isNotFound(error)) return 'none';
        throw error;
      }
    },
  };
}

function toPermission(permission: string): RepositoryPermission {
  switch (permission) {
    case 'admin':
    case 'write':
    case 'read':
      return permission;
    default:
      return 'none';
  }
}

export function createCommitReader(client: GitHubClient): CommitReader {
  return {
    async listCommits(ref) {
      const session = await client.forRepository(ref);
      const path = '/repos/{owner}/{repo}/pulls/{number}/commits';
      const commits = await session.list(path, { number: ref.number }, PullCommit);
      return commits.map(({ sha, author, commit }) => ({
        sha,
        message: commit.message,
        authoredAt: Date.parse(commit.author?.date ?? '') || 0,
        ...(author === undefined || author === null ? {} : { author: toAccount(author) }),
      }));
    },
  };
}

export function createAncestryReader(client: GitHubClient): AncestryReader {
  return {
    async compareCommits(ref, older, newer) {
      const session = await client.forRepository(ref);
      try {
        const answer = await session.get(
          '/repos/{owner}/{repo}/compare/{basehead}',
          { basehead: `${older}...${newer}`, per_page: 1 },
          Comparison,
        );
        return { relation: answer.status, mergeBaseSha: answer.merge_base_commit.sha };
      } catch (error) {
        if (isNotFound(error)) return { relation: 'unknown' };
        throw error;
      }
    },
  };
}

import { z } from 'zod';
import type {
  AncestryReader,
  CommitReader,
  PermissionReader,
  RepositoryDirectory,
  RepositoryPermission,
} from '../ports.ts';
import type { GitLabClient } from './gitlab-client.ts';
import { Project, pullPath } from './gitlab-client.ts';
import { isNotFound, isRefused } from './gitlab-errors.ts';
import { Pull } from './pull-request-reader.ts';

const Member = z.object({ id: z.int(), state: z.string().nullish(), access_level: z.int() });

const PullCommit = z.object({
  id: z.string(),
  message: z.string().nullish(),
  authored_date: z.string().nullish(),
});

const Commit = z.object({ id: z.string() });

/** What a member may do now, by direct or inherited membership (REST documentation, "Members API"). */
export function createPermissionReader(client: GitLabClient): PermissionReader {
  return {
    async getPermission(ref, account) {
      if (!/^\d{1,15}$/.test(account.id)) return 'none';
      const session = await client.forProject(ref.repositoryId);
      try {
        const member = await session.get(`/members/all/${account.id}`, {}, Member);
        const isActive = (member.state ?? 'active') === 'active' && String(member.id) === account.id;
        return isActive ? toPermission(member.access_level) : 'none';
      } catch (error) {
        if (isNotFound(error)) return 'none';
        throw error;
      }
    },
  };
}

/** 20 reporter, 30 developer, 40 maintainer, 50 owner; guests (10) and planners (15) do not see private code. */
function toPermission(level: number): RepositoryPermission {
  if (level >= 40) return 'admin';
  if (level >= 30) return 'write';
  return level >= 20 ? 'read' : 'none';
}

/** Authors of commits are names and addresses, which are no accounts. */
export function createCommitReader(client: GitLabClient): CommitReader {
  return {
    async listCommits(ref) {
      const session = await client.forProject(ref.repositoryId);
      const commits = await session.list(`${pullPath(ref)}/commits`, {}, PullCommit);
      return commits.toReversed().map(({ id, message, authored_date: authoredDate }) => ({
        sha: id,
        message: message ?? '',
        authoredAt: Date.parse(authoredDate ?? '') || 0,
      }));
    },
  };
}

/** By the merge base. GitLab answers 400 for a commit it does not have, 404 for two without a common ancestor. */
export function createAncestryReader(client: GitLabClient): AncestryReader {
  return {
    async compareCommits(ref, older, newer) {
      const session = await client.forProject(ref.repositoryId);
      try {
        const { id } = await session.get('/repository/merge_base', { refs: [older, newer] }, Commit);
        if (older === newer) return { relation: 'identical', mergeBaseSha: id };
        const relation = id === older ? 'ahead' : id === newer ? 'behind' : 'diverged';
        return { relation, mergeBaseSha: id };
      } catch (error) {
        if (isRefused(error, 400)) return { relation: 'unknown' };
        if (isNotFound(error)) return { relation: 'diverged' };
        throw error;
      }
    },
  };
}

/** From names to ids, and what there is to review at all. */
export function createRepositoryDirectory(client: GitLabClient): RepositoryDirectory {
  return {
    async locate(repository, number) {
      const { id, fullName } = await client.forProjectNamed(repository);
      return {
        provider: 'gitlab',
        instance: client.instance,
        repositoryId: id,
        number,
        repository: fullName,
      };
    },
    async listRepositories() {
      const projects = await client.root.list('/projects', { membership: true, simple: true }, Project);
      return projects.map(({ id, path_with_namespace: repository }) => ({
        repositoryId: String(id),
        repository,
      }));
    },
    async listOpenPullRequests(repository) {
      const session = await client.forProject(repository.repositoryId);
      const pulls = await session.list('/merge_requests', { state: 'opened' }, Pull);
      return pulls.map((pull) => ({
        ref: {
          provider: 'gitlab',
          instance: client.instance,
          repositoryId: session.id,
          number: pull.iid,
          repository: session.fullName,
        },
        headSha: pull.sha ?? '',
        baseRef: pull.target_branch,
        isDraft: pull.draft ?? false,
      }));
    },
  };
}

import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { RepositoryDirectory, RepositoryName } from '../ports.ts';
import type { GitHubClient, RepositoryNames } from './github-client.ts';
import { listInstallations } from './installations.ts';

const Repository = z.object({ id: z.number(), full_name: z.string() });

const OpenPull = z.object({
  number: z.number(),
  draft: z.boolean().optional(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string() }),
});

/** From names to ids, and what there is to review at all. */
export function createRepositoryDirectory(client: GitHubClient): RepositoryDirectory {
  const toRef = (names: RepositoryNames, number: number): PullRequestRef => ({
    provider: 'github',
    instance: client.instance,
    repositoryId: names.id,
    number,
    repository: names.fullName,
  });
  return {
    async locate(repository, number) {
      if (!/^[^/]+\/[^/]+$/.test(repository)) throw notARepository(client.instance);
      const { names } = await client.forRepositoryNamed(repository);
      return toRef(names, number);
    },

    async listRepositories() {
      if (client.credential === 'token')
        return (await client.self.list('/user/repos', {}, Repository)).map(toName);
      const found: RepositoryName[] = [];
      for (const installation of await listInstallations(client)) {
        const session = client.forInstallation(installation);
        const repositories = await session.list('/installation/repositories', {}, Repository, {
          key: 'repositories',
        });
        found.push(...repositories.map(toName));
      }
      return found;
    },

    async listOpenPullRequests(repository) {
      const session = await client.forRepository(repository);
      const pulls = await session.list('/repos/{owner}/{repo}/pulls', { state: 'open' }, OpenPull);
      return pulls.map((pull) => ({
        ref: toRef(session.names, pull.number),
        headSha: pull.head.sha,
        baseRef: pull.base.ref,
        isDraft: pull.draft ?? false,
      }));
    },
  };
}

function toName(repository: z.output<typeof Repository>): RepositoryName {
  return { repositoryId: String(repository.id), repository: repository.full_name };
}

function notARepository(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: 'A repository on GitHub is named owner/name.',
    details: { instance },
  });
}

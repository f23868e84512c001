import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { OpenPullRequest, RepositoryDirectory } from '../ports.ts';
import type { AzureDevOpsClient, RepositoryNames } from './azure-devops-client.ts';
import { Repository, toNames } from './azure-devops-client.ts';
import { branchOf } from './pull-request-reader.ts';

const Repositories = z.object({ value: z.array(Repository) });

const OpenPulls = z.object({
  value: z.array(
    z.object({
      pullRequestId: z.int(),
      isDraft: z.boolean().nullish(),
      targetRefName: z.string(),
      lastMergeSourceCommit: z.object({ commitId: z.string() }).nullish(),
    }),
  ),
});

const PAGE_SIZE = 100;
const MAX_PAGES = 200;

/** From names to ids, and what there is to review at all. */
export function createRepositoryDirectory(client: AzureDevOpsClient): RepositoryDirectory {
  const toRef = (names: RepositoryNames, number: number): PullRequestRef => ({
    provider: 'azure-devops',
    instance: client.instance,
    repositoryId: names.id,
    number,
    repository: names.fullName,
  });
  return {
    async locate(repository, number) {
      const [project, name, ...rest] = repository.split('/');
      if (project === undefined || name === undefined || name === '' || rest.length > 0)
        throw notARepository(client.instance);
      const { names } = await client.forRepositoryNamed(project, name);
      return toRef(names, number);
    },

    async listRepositories() {
      const { value } = await client.root.get('/_apis/git/repositories', {}, Repositories);
      return value.map((repository) => {
        const names = toNames(repository);
        return { repositoryId: names.id, repository: names.fullName };
      });
    },

    // The listing does not say whether there is more, so it is read until a page brings nothing new.
    async listOpenPullRequests(repository) {
      const session = await client.forRepository(repository);
      const found = new Map<number, OpenPullRequest>();
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { value } = await session.get(
          '/pullRequests',
          { 'searchCriteria.status': 'active', $top: PAGE_SIZE, $skip: page * PAGE_SIZE },
          OpenPulls,
        );
        const before = found.size;
        for (const pull of value)
          found.set(pull.pullRequestId, {
            ref: toRef(session.names, pull.pullRequestId),
            headSha: pull.lastMergeSourceCommit?.commitId ?? '',
            baseRef: branchOf(pull.targetRefName),
            isDraft: pull.isDraft ?? false,
          });
        if (found.size === before) break;
      }
      return [...found.values()];
    },
  };
}

function notARepository(instance: string): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: 'A repository on Azure DevOps is named project/repository.',
    details: { instance },
  });
}

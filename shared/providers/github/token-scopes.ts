import { z } from 'zod';
import { AppError, isAppError } from '../../domain/app-error.ts';
import type { PullRequestRef } from '../../domain/pull-request.ts';
import type { GitHubSession } from './session.ts';

/** What one installation token may reach. */
export interface TokenScope {
  /** Tokens are kept under it. */
  readonly key: string;
  /** For messages. */
  readonly name: string;
  /** Asks GitHub, as the App, which installation has it; never taken from a payload. */
  findInstallation(app: GitHubSession): Promise<number>;
  /** Body of the minting request. */
  readonly narrowTo: Readonly<Record<string, unknown>>;
}

/** Names a repository to sign in for. The id counts; the name only helps to find the installation. */
export type RepositoryHint = Pick<PullRequestRef, 'repositoryId' | 'repository'>;

const Installation = z.object({ id: z.number() });

/** One repository by id. A wrong or outdated name can at worst lead to an installation that refuses the id. */
export function repositoryScope(hint: RepositoryHint): TokenScope {
  const { repositoryId, repository } = hint;
  return {
    key: `repository ${repositoryId}`,
    name: `repository ${repository} (id ${repositoryId})`,
    narrowTo: { repository_ids: [Number(repositoryId)] },
    async findInstallation(app) {
      const [owner, repo, ...rest] = repository.split('/');
      if (owner !== undefined && repo !== undefined && rest.length === 0) {
        try {
          return await findByName(app, owner, repo);
        } catch (error) {
          if (!isAppError(error, 'permanent') || error.code !== 'not_found') throw error;
        }
      }
      // Renamed or moved since: the id still answers.
      const answer = await app.get(
        '/repositories/{repositoryId}/installation',
        { repositoryId },
        Installation,
      );
      return answer.id;
    },
  };
}

/** One repository by name, while its id is not known yet. */
export function namedScope(owner: string, repo: string): TokenScope {
  return {
    key: `name ${owner}/${repo}`.toLowerCase(),
    name: `repository ${owner}/${repo}`,
    narrowTo: { repositories: [repo] },
    findInstallation: (app) => findByName(app, owner, repo),
  };
}

/** All repositories of an installation, to list them; reads no content. */
export function installationScope(installationId: number): TokenScope {
  return {
    key: `installation ${installationId}`,
    name: `installation ${installationId}`,
    narrowTo: { permissions: { metadata: 'read', pull_requests: 'read' } },
    findInstallation: async () => installationId,
  };
}

async function findByName(app: GitHubSession, owner: string, repo: string): Promise<number> {
  return (await app.get('/repos/{owner}/{repo}/installation', { owner, repo }, Installation)).id;
}

export function notInstalled(scope: TokenScope): AppError {
  return new AppError({
    kind: 'permanent',
    code: 'app_not_installed',
    message:
      `The GitHub App is not installed on ${scope.name}, or its installation leaves it out. ` +
      'Install it there, or remove the repository from the settings.',
    details: { scope: scope.key },
  });
}

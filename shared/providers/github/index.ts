import type { GitHubInstance } from '../../config/config.ts';
import type { RandomSource } from '../../domain/clock.ts';
import type { Provider } from '../ports.ts';
import { createBatchReviewWriter } from './batch-reviews.ts';
import type { GitHubClientDeps } from './github-client.ts';
import { createGitHubClient } from './github-client.ts';
import { createIdentityReader } from './identity.ts';
import { createPullRequestReader } from './pull-request-reader.ts';
import { createSnapshotSource, createTreeReader } from './snapshot-source.ts';
import { createThreadReader } from './thread-reader.ts';

export interface GitHubProviderDeps extends GitHubClientDeps {
  readonly random: RandomSource;
}

/** "body is too long (maximum is 65536 characters)", as GitHub refuses it. */
const MAX_BODY_LENGTH = 65_536;

/**
 * GitHub, cloud or Enterprise Server, as one configured instance. Opens no connection until it is used.
 * @throws AppError `permanent` provider_credentials when the instance has no credential.
 */
export function createGitHubProvider(instance: GitHubInstance, deps: GitHubProviderDeps): Provider {
  const client = createGitHubClient(instance, deps);
  return {
    id: 'github',
    instance: instance.id,
    limits: { maxBodyLength: MAX_BODY_LENGTH },
    identity: createIdentityReader(client),
    pullRequests: createPullRequestReader(client),
    snapshots: createSnapshotSource(client),
    trees: createTreeReader(client),
    threads: createThreadReader(client),
    reviews: createBatchReviewWriter(client),
  };
}

import type { GitHubInstance } from '../../config/config.ts';
import type { RandomSource } from '../../domain/clock.ts';
import type { Provider } from '../ports.ts';
import { createBatchReviewWriter } from './batch-reviews.ts';
import { createCheckRunWriter } from './check-runs.ts';
import { createCommitStatusWriter } from './commit-statuses.ts';
import { createDeliveryReader } from './deliveries.ts';
import { createRepositoryDirectory } from './directory.ts';
import { createCommentEditor, createCommentReader, createGeneralCommentWriter } from './general-comments.ts';
import type { GitHubClientDeps } from './github-client.ts';
import { createGitHubClient } from './github-client.ts';
import { createIdentityReader } from './identity.ts';
import { createPendingReviewWriter } from './pending-reviews.ts';
import { createPullRequestReader } from './pull-request-reader.ts';
import { createReactionWriter } from './reactions.ts';
import { createAncestryReader, createCommitReader, createPermissionReader } from './repository-facts.ts';
import { createSnapshotSource, createTreeReader } from './snapshot-source.ts';
import { createThreadReader } from './thread-reader.ts';
import { createReplyWriter, createThreadResolver, createThreadWriter } from './thread-writers.ts';

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
  const identity = createIdentityReader(client);
  const { credential } = instance;
  return {
    id: 'github',
    instance: instance.id,
    limits: { maxBodyLength: MAX_BODY_LENGTH },
    identity,
    pullRequests: createPullRequestReader(client),
    snapshots: createSnapshotSource(client),
    trees: createTreeReader(client),
    threads: createThreadReader(client),
    reviews: createBatchReviewWriter(client),
    pendingReviews: createPendingReviewWriter(client),
    threadWriter: createThreadWriter(client),
    replies: createReplyWriter(client),
    threadResolver: createThreadResolver(client),
    comments: createCommentReader(client),
    generalComments: createGeneralCommentWriter(client),
    commentEditor: createCommentEditor(client),
    reactions: createReactionWriter(client),
    statuses:
      credential?.kind === 'app'
        ? createCheckRunWriter(client, credential.appId)
        : createCommitStatusWriter(client, identity),
    permissions: createPermissionReader(client),
    commits: createCommitReader(client),
    ancestry: createAncestryReader(client),
    directory: createRepositoryDirectory(client),
    ...(credential?.kind === 'app' ? { deliveries: createDeliveryReader(client) } : {}),
  };
}

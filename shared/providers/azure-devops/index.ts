import type { AzureDevOpsInstance } from '../../config/config.ts';
import type { Provider } from '../ports.ts';
import type { ProviderDeps } from '../registry.ts';
import type { AzureDevOpsClientDeps } from './azure-devops-client.ts';
import { createAzureDevOpsClient } from './azure-devops-client.ts';
import { createRepositoryDirectory } from './directory.ts';
import { createSnapshotSource, createTreeReader } from './git-content.ts';
import { createIdentityReader } from './identities.ts';
import type { Change } from './iterations.ts';
import { MARKER_GROWTH } from './marker-lines.ts';
import { createPromiseCache } from './promise-cache.ts';
import { createPullRequestReader } from './pull-request-reader.ts';
import { createAncestryReader, createCommitReader } from './repository-facts.ts';
import { createStatusWriter } from './statuses.ts';
import { createCommentReader, createThreadReader } from './thread-readers.ts';
import {
  createCommentEditor,
  createGeneralCommentWriter,
  createReactionWriter,
  createReplyWriter,
  createThreadResolver,
  createThreadWriter,
} from './thread-writers.ts';

export interface AzureDevOpsProviderDeps extends ProviderDeps, AzureDevOpsClientDeps {}

/** "Comment: 150,000 characters" (Azure DevOps documentation, "Service limits", pull requests). */
const MAX_COMMENT_LENGTH = 150_000;
/** Listings of changes that are kept, each of at most some thousand entries. */
const MAX_KEPT_CHANGES = 40;

/**
 * Azure DevOps, Services or Server, as one configured instance. Opens no connection until it is used. There are no
 * batch reviews and no drafts; what another account may do cannot be asked, so there is no permission reader.
 * @throws AppError `permanent` provider_credentials when the instance has no token and `deps` no identity.
 */
export function createAzureDevOpsProvider(
  instance: AzureDevOpsInstance,
  deps: AzureDevOpsProviderDeps,
): Provider {
  const client = createAzureDevOpsClient(instance, deps);
  const identity = createIdentityReader(client);
  const changes = createPromiseCache<readonly Change[]>(MAX_KEPT_CHANGES);
  return {
    id: 'azure-devops',
    instance: instance.id,
    limits: { maxBodyLength: MAX_COMMENT_LENGTH - MARKER_GROWTH },
    identity,
    pullRequests: createPullRequestReader(client, changes),
    snapshots: createSnapshotSource(client),
    trees: createTreeReader(client),
    threads: createThreadReader(client),
    threadWriter: createThreadWriter(client, changes),
    replies: createReplyWriter(client),
    threadResolver: createThreadResolver(client),
    comments: createCommentReader(client),
    generalComments: createGeneralCommentWriter(client),
    commentEditor: createCommentEditor(client),
    reactions: createReactionWriter(client),
    statuses: createStatusWriter(client, identity),
    commits: createCommitReader(client),
    ancestry: createAncestryReader(client),
    directory: createRepositoryDirectory(client),
  };
}

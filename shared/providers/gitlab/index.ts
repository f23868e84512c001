import type { GitLabInstance } from '../../config/config.ts';
import type { Provider } from '../ports.ts';
import type { ProviderDeps } from '../registry.ts';
import { createCommentReader, createThreadReader } from './discussions.ts';
import type { GitLabClientDeps } from './gitlab-client.ts';
import { createGitLabClient } from './gitlab-client.ts';
import { createIdentityReader } from './identity.ts';
import {
  createCommentEditor,
  createGeneralCommentWriter,
  createReactionWriter,
  createReplyWriter,
  createThreadResolver,
  createThreadWriter,
} from './note-writers.ts';
import { createPullRequestReader } from './pull-request-reader.ts';
import { createSnapshotSource, createTreeReader } from './repository-content.ts';
import {
  createAncestryReader,
  createCommitReader,
  createPermissionReader,
  createRepositoryDirectory,
} from './repository-facts.ts';
import { createStatusWriter } from './statuses.ts';
import { createDiffReader } from './versions.ts';

export interface GitLabProviderDeps extends ProviderDeps, GitLabClientDeps {}

/** "1,000,000 characters" for a note (GitLab documentation, "Application limits"). */
const MAX_NOTE_LENGTH = 1_000_000;

/**
 * GitLab, SaaS or self-managed, as one configured instance. Opens no connection until it is used.
 * @throws AppError `permanent` provider_credentials when the instance has no token.
 */
export function createGitLabProvider(instance: GitLabInstance, deps: GitLabProviderDeps): Provider {
  const client = createGitLabClient(instance, deps);
  const identity = createIdentityReader(client);
  const diffs = createDiffReader(client);
  return {
    id: 'gitlab',
    instance: instance.id,
    limits: { maxBodyLength: MAX_NOTE_LENGTH },
    identity,
    pullRequests: createPullRequestReader(client, diffs),
    snapshots: createSnapshotSource(client),
    trees: createTreeReader(client),
    threads: createThreadReader(client),
    threadWriter: createThreadWriter(client, diffs),
    replies: createReplyWriter(client),
    threadResolver: createThreadResolver(client),
    comments: createCommentReader(client),
    generalComments: createGeneralCommentWriter(client),
    commentEditor: createCommentEditor(client),
    reactions: createReactionWriter(client),
    statuses: createStatusWriter(client, identity),
    permissions: createPermissionReader(client),
    commits: createCommitReader(client),
    ancestry: createAncestryReader(client),
    directory: createRepositoryDirectory(client),
  };
}

import type {
  Account,
  ChangedFile,
  PullRequest,
  PullRequestRef,
} from '../../../shared/domain/pull-request.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import type { Provider, ProviderThread } from '../../../shared/providers/ports.ts';
import type { ExistingReview, NewInlineComment } from '../../../shared/providers/write-ports.ts';

export const US: Account = { id: '900', login: 'gatehouse[bot]', isBot: true };
export const AUTHOR: Account = { id: '17', login: 'mona', isBot: false };

export const REF: PullRequestRef = {
  provider: 'github',
  instance: 'main',
  repositoryId: '4711',
  repository: 'acme/widgets',
  number: 12,
};

/** Hunks: new 1-4 (2 added) with old 1-3, and new 20-22 with old 19-21. */
export const APP_PATCH = [
  '@@ -1,3 +1,4 @@',
  ' import a',
  '+import b',
  ' const x = 1',
  ' run(x)',
  '@@ -19,3 +20,3 @@',
  ' function f() {',
  '-  return 1',
  '+  return 2',
  ' }',
].join('\n');

export const FILES: readonly ChangedFile[] = [
  { path: 'src/app.ts', change: 'modified', additions: 2, deletions: 1, patch: APP_PATCH },
  { path: 'logo.png', change: 'added', additions: 0, deletions: 0 },
];

export const PULL_REQUEST: PullRequest = {
  ref: REF,
  title: 'Add b',
  description: 'Adds b.',
  state: 'open',
  isDraft: false,
  author: AUTHOR,
  isFork: false,
  headSha: 'a'.repeat(40),
  headRef: 'feature',
  baseSha: 'b'.repeat(40),
  baseRef: 'main',
  mergeBaseSha: 'b'.repeat(40),
  changedFiles: 2,
  webUrl: 'https://github.example/acme/widgets/pull/12',
};

export interface PostedInline extends NewInlineComment {
  readonly reviewId?: string;
}

/** A provider that is a small program: it keeps what was written and refuses what it is told to refuse. */
export interface FakeWorld {
  pullRequest: PullRequest;
  self: Account;
  readonly reviews: ExistingReview[];
  readonly inline: PostedInline[];
  readonly threads: ProviderThread[];
  readonly general: { readonly id: string; readonly body: string }[];
  readonly submitted: { readonly action: string; readonly body: string }[];
  pending: { id: string; body: string } | undefined;
  /** True when what is created pending can be seen by everybody. */
  leaksDrafts: boolean;
  /** Names of the writing methods in the order they were called. */
  readonly writes: string[];
  /** Called before each write takes effect; throw to refuse it. */
  beforeWrite: (method: string, argument: unknown) => void;
}

export function createWorld(): FakeWorld {
  return {
    pullRequest: PULL_REQUEST,
    self: US,
    reviews: [],
    inline: [],
    threads: [],
    general: [],
    submitted: [],
    pending: undefined,
    leaksDrafts: false,
    writes: [],
    beforeWrite: () => undefined,
  };
}

export function refusedByProvider(code = 'provider_refused'): AppError {
  return new AppError({ kind: 'rejected', code, message: 'The provider refused it.' });
}

type Capability =
  'reviews' | 'threadWriter' | 'generalComments' | 'replies' | 'threadResolver' | 'pendingReviews';
export const ALL_CAPABILITIES: readonly Capability[] = [
  'reviews',
  'threadWriter',
  'generalComments',
  'replies',
  'threadResolver',
  'pendingReviews',
];

export function createFakeProvider(
  world: FakeWorld,
  capabilities: readonly Capability[] = ALL_CAPABILITIES,
  maxBodyLength = 65_536,
): Provider {
  const write = (method: string, argument: unknown): void => {
    world.writes.push(method);
    world.beforeWrite(method, argument);
  };
  const nextId = (): string => String(world.writes.length);
  const comment = (body: string): ProviderThread['comments'][number] => {
    return {
      id: `c${nextId()}`,
      author: world.self,
      body,
      createdAt: 1_800_000_000_000,
      url: `u${nextId()}`,
    };
  };
  const provider: Provider = {
    id: 'github',
    instance: 'main',
    limits: { maxBodyLength },
    identity: { whoAmI: async () => world.self },
    pullRequests: {
      getPullRequest: async () => world.pullRequest,
      listChangedFiles: async () => [...FILES],
    },
    snapshots: {
      openArchive: async () => Promise.reject(new Error('not part of this fake')),
      readBlob: async () => Promise.reject(new Error('not part of this fake')),
      findEntry: async () => undefined,
    },
    threads: { listThreads: async () => [...world.threads] },
    reviews: {
      async createReview(_ref, review) {
        write('createReview', review);
        const reviewId = `r${nextId()}`;
        const url = `https://github.example/r/${reviewId}`;
        world.reviews.push({ reviewId, author: world.self, body: review.body, commit: review.commit, url });
        world.inline.push(...review.comments.map((item) => ({ ...item, reviewId })));
        return { reviewId, url };
      },
      listReviews: async () => [...world.reviews],
    },
    threadWriter: {
      async createThread(_ref, thread) {
        write('createThread', thread);
        const body = thread.kind === 'line' ? thread.comment.body : thread.body;
        const made = comment(body);
        const id = `t${nextId()}`;
        const path = thread.kind === 'line' ? thread.comment.path : thread.path;
        world.threads.push({ id, path, isResolved: false, isOutdated: false, comments: [made] });
        if (thread.kind === 'line') world.inline.push(thread.comment);
        return { commentId: made.id, threadId: id, url: made.url ?? '' };
      },
    },
    generalComments: {
      async createGeneralComment(_ref, body) {
        write('createGeneralComment', body);
        const id = `g${nextId()}`;
        world.general.push({ id, body });
        return { commentId: id, url: `https://github.example/g/${id}` };
      },
    },
    replies: {
      async reply(_ref, threadId, body) {
        write('reply', body);
        const index = world.threads.findIndex((thread) => thread.id === threadId);
        const thread = world.threads[index];
        if (thread === undefined) throw refusedByProvider('not_found');
        const made = comment(body);
        world.threads[index] = { ...thread, comments: [...thread.comments, made] };
        return { commentId: made.id, threadId, url: made.url ?? '' };
      },
    },
    threadResolver: {
      async setResolved(_ref, threadId, isResolved) {
        write('setResolved', threadId);
        const index = world.threads.findIndex((thread) => thread.id === threadId);
        const thread = world.threads[index];
        if (thread !== undefined) world.threads[index] = { ...thread, isResolved };
      },
    },
    comments: {
      getComment: async () => undefined,
      listGeneralComments: async () =>
        world.general.map(({ id, body }) => ({ ...comment(body), id, author: world.self })),
    },
    pendingReviews: pendingReviews(world, write),
  };
  const offered: Provider = { ...provider };
  for (const capability of ALL_CAPABILITIES)
    if (!capabilities.includes(capability)) Reflect.deleteProperty(offered, capability);
  return offered;
}

async function refuse(): Promise<never> {
  throw new Error('not part of this fake');
}

function pendingReviews(
  world: FakeWorld,
  write: (method: string, argument: unknown) => void,
): NonNullable<Provider['pendingReviews']> {
  return {
    findPendingReview: async () =>
      world.pending === undefined
        ? undefined
        : {
            reviewId: world.pending.id,
            commit: PULL_REQUEST.headSha,
            body: world.pending.body,
            comments: [],
          },
    async createPendingReview(_ref, review) {
      write('createPendingReview', review);
      world.pending = { id: 'p1', body: review.body };
      return { id: 'p1', isPending: !world.leaksDrafts };
    },
    async submitPendingReview(_ref, reviewId, action, body) {
      write('submitPendingReview', action);
      world.pending = undefined;
      world.submitted.push({ action, body });
      const url = `https://github.example/r/${reviewId}`;
      world.reviews.push({ reviewId, author: world.self, body, commit: PULL_REQUEST.headSha, url });
      return { reviewId, url };
    },
    addPendingComment: refuse,
    editPendingComment: refuse,
    deletePendingComment: refuse,
    discardPendingReview: refuse,
  };
}

import type { FaultInjector } from '../http/faults.ts';
import type { LoggedRequest } from '../http/request-log.ts';
import type { Route } from '../http/router.ts';
import { startSimulatorServer } from '../http/simulator-server.ts';
import type { LoggedWrite } from '../http/write-log.ts';
import { createWriteLog } from '../http/write-log.ts';
import { openRepository } from '../git/open-repository.ts';
import { credentialOf } from './access/authenticate.ts';
import { createTokenStore } from './access/tokens.ts';
import { createArchiveDownloads } from './archive-downloads.ts';
import type { GitHubContext } from './context.ts';
import { graphqlRoutes } from './graphql/routes-graphql.ts';
import type { GitHubSimulatorOptions } from './options.ts';
import { GITHUB_LIMITS } from './options.ts';
import type { PullControls } from './pull-controls.ts';
import { createPullControls } from './pull-controls.ts';
import { createRateLimits } from './rate-limits.ts';
import { githubError } from './rest/errors.ts';
import { accountRoutes } from './rest/routes-accounts.ts';
import { appRoutes } from './rest/routes-app.ts';
import { archiveRoutes } from './rest/routes-archive.ts';
import { compareRoutes } from './rest/routes-compare.ts';
import { contentsRoutes } from './rest/routes-contents.ts';
import { gitRoutes } from './rest/routes-git.ts';
import { issueCommentRoutes } from './rest/routes-issue-comments.ts';
import { pullRoutes } from './rest/routes-pulls.ts';
import { reactionRoutes } from './rest/routes-reactions.ts';
import { reviewCommentRoutes } from './rest/routes-review-comments.ts';
import { reviewRoutes } from './rest/routes-reviews.ts';
import { createPlaces } from './state/places.ts';
import type { UnknownField } from './unknown-field.ts';
import type { GitHubState } from './state/state.ts';
import { createState } from './state/state.ts';

export interface GitHubSimulator extends PullControls {
  /** Base address as on github.com; its GraphQL is `/graphql`. */
  readonly apiUrl: string;
  /** Base address as on an Enterprise Server (`.../api/v3`); its GraphQL is `/api/graphql`. */
  readonly enterpriseApiUrl: string;
  readonly webUrl: string;
  /** Host and port that archives come from, for `archiveHosts`. */
  readonly archiveOrigin: string;
  /** Value of the `x-simulator-key` header that opens the remote control below `/_simulator`. */
  readonly adminKey: string;
  readonly faults: FaultInjector;
  readonly state: GitHubState;
  requests(): readonly LoggedRequest[];
  writes(): readonly LoggedWrite[];
  /** Fields in request bodies that the real endpoints do not have. */
  unknownFields(): readonly UnknownField[];
  /** Requests for archives that wrongly carried a credential. */
  forwardedCredentials(): number;
  /** Every installation token issued so far stops working. */
  revokeInstallationTokens(): void;
  stop(): Promise<void>;
}

/** `/repositories/{id}/...` means the same as `/repos/{owner}/{name}/...`. */
function pathById(state: GitHubState, path: string): string {
  const match = /^\/repositories\/(\d+)\/(.*)$/.exec(path);
  const repository = state.repositories.find((candidate) => String(candidate.id) === match?.[1]);
  return repository === undefined ? path : `/repos/${repository.fullName}/${match?.[2] ?? ''}`;
}

/**
 * A GitHub that serves local git repositories over the REST and GraphQL shapes of the real one, on loopback.
 * @throws GitError not_a_repository
 */
export async function startGitHubSimulator(options: GitHubSimulatorOptions): Promise<GitHubSimulator> {
  const limits = { ...GITHUB_LIMITS, ...options.limits };
  const state = createState(options, limits);
  for (const repository of options.repositories) {
    const git = await openRepository(repository.dir, {
      changedFiles: {
        maxBytes: limits.maxBytes,
        maxLines: limits.maxLines,
        maxTotalBytes: limits.maxTotalBytes,
        detectCopies: options.detectCopies ?? false,
      },
    });
    state.addRepository(repository, git);
  }
  const tokens = createTokenStore(state);
  for (const token of options.tokens ?? []) tokens.addPersonal(token);
  const writes = createWriteLog();
  const downloads = createArchiveDownloads(state);
  const codeload = await startSimulatorServer({
    routes: ['legacy.tar.gz', 'legacy.zip'].map((kind) => ({
      method: 'GET',
      pattern: `/:owner/:name/${kind}/*ref`,
      handle: downloads.handle,
    })),
    notFound: () => ({ status: 404, text: '404: Not Found' }),
    now: () => state.now(),
  });
  const context: GitHubContext = {
    state,
    tokens,
    writes,
    options,
    places: createPlaces(),
    unknownFields: [],
    codeloadOrigin: () => codeload.origin,
  };
  const rateLimits = createRateLimits(state);
  const controls = createPullControls(context);
  const routes: Route[] = [
    ...appRoutes(context),
    ...accountRoutes(context),
    ...reviewCommentRoutes(context),
    ...reactionRoutes(context),
    ...pullRoutes(context),
    ...reviewRoutes(context),
    ...issueCommentRoutes(context),
    ...compareRoutes(context),
    ...contentsRoutes(context),
    ...gitRoutes(context),
    ...archiveRoutes(context, downloads),
    ...graphqlRoutes(context, rateLimits),
  ];
  const server = await startSimulatorServer(
    {
      routes: [
        ...routes.map((route): Route => ({
          ...route,
          handle: (request) => rateLimits.count(request) ?? route.handle(request),
        })),
        {
          method: 'GET',
          pattern: '/rate_limit',
          handle: (request) => {
            const core = rateLimits.describe(request);
            return { status: 200, json: { resources: { core, graphql: core }, rate: core } };
          },
        },
      ],
      prefixes: ['/api/v3'],
      rewritePath: (path) => pathById(state, path),
      notFound: () => githubError(404, 'Not Found'),
      commonHeaders: (request) => rateLimits.headers(request),
      onFault: async (action, request) => {
        if (action.kind === 'token-expired') tokens.revoke(credentialOf(request) ?? '');
        else await controls.pushHead(action.number, action.revision, action.repository);
      },
      now: () => state.now(),
      writes,
    },
    options.port,
  );
  return {
    ...controls,
    apiUrl: server.origin,
    enterpriseApiUrl: `${server.origin}/api/v3`,
    webUrl: server.origin,
    archiveOrigin: codeload.origin,
    adminKey: server.adminKey,
    faults: server.faults,
    state,
    requests: () => server.requests.list(),
    writes: () => writes.list(),
    unknownFields: () => [...context.unknownFields],
    forwardedCredentials: () => downloads.forwardedCredentials(),
    revokeInstallationTokens: () => tokens.revokeAllOfApp(),
    async stop() {
      await Promise.all([server.stop(), codeload.stop()]);
      for (const repository of state.repositories) repository.git.close();
    },
  };
}

import type { FaultInjector } from '../http/faults.ts';
import { createFaultInjector } from '../http/faults.ts';
import type { LoggedRequest } from '../http/request-log.ts';
import type { SimulatorServer } from '../http/simulator-server.ts';
import { startSimulatorServer } from '../http/simulator-server.ts';
import type { LoggedWrite } from '../http/write-log.ts';
import { createWriteLog } from '../http/write-log.ts';
import { openRepository } from '../git/open-repository.ts';
import { credentialOf } from './access/authenticate.ts';
import { createTokenStore } from './access/tokens.ts';
import { githubAdminRoutes } from './admin-routes.ts';
import { createArchiveDownloads } from './archive-downloads.ts';
import type { GitHubContext } from './context.ts';
import type { GitHubSimulatorOptions, SimulatedWebhookOptions } from './options.ts';
import { GITHUB_LIMITS } from './options.ts';
import type { PeopleControls } from './people-controls.ts';
import { createPeopleControls } from './people-controls.ts';
import type { PullControls } from './pull-controls.ts';
import { createPullControls } from './pull-controls.ts';
import type { PostedQueries } from './queries.ts';
import { createQueries } from './queries.ts';
import { createRateLimits } from './rate-limits.ts';
import { githubError } from './rest/errors.ts';
import { createUrls } from './rest/urls.ts';
import { githubRoutes } from './routes.ts';
import type { SimPull } from './state/model.ts';
import { createPlaces } from './state/places.ts';
import type { GitHubState } from './state/state.ts';
import { createState } from './state/state.ts';
import type { UnknownField } from './unknown-field.ts';
import { eventsOfWrite } from './webhooks/automatic-events.ts';
import type { WebhookDelivery } from './webhooks/deliveries.ts';
import { createWebhooks } from './webhooks/deliveries.ts';
import type { WebhookEvent } from './webhooks/payloads.ts';

export interface GitHubSimulator extends PullControls, PeopleControls, PostedQueries {
  /** Base address as on github.com; its GraphQL is `/graphql`. */
  readonly apiUrl: string;
  /** Base address as on an Enterprise Server (`.../api/v3`); its GraphQL is `/api/graphql`. */
  readonly enterpriseApiUrl: string;
  readonly webUrl: string;
  /** Origin that archives come from, for `archiveHosts`. */
  readonly archiveOrigin: string;
  /** Value of the `x-simulator-key` header that opens the remote control below `/_simulator`. */
  readonly adminKey: string;
  /** Faults of the API and of the download host (`match: { path: 'legacy.tar.gz' }`). */
  readonly faults: FaultInjector;
  readonly state: GitHubState;
  requests(): readonly LoggedRequest[];
  /** Requests to the download host. */
  archiveRequests(): readonly LoggedRequest[];
  writes(): readonly LoggedWrite[];
  /** Fields in request bodies that the real endpoints do not have. */
  unknownFields(): readonly UnknownField[];
  /** Requests for archives that wrongly carried a credential. */
  forwardedCredentials(): number;
  /** Every installation token issued so far stops working. */
  revokeInstallationTokens(): void;
  /** Where deliveries go from now on. */
  setWebhook(target: SimulatedWebhookOptions): void;
  /** Signs and sends one event; resolves with the answer, whatever it was. */
  deliverWebhook(event: WebhookEvent): Promise<WebhookDelivery>;
  /** Sends the same bytes again. */
  redeliver(deliveryId: number): Promise<WebhookDelivery>;
  deliveries(): readonly WebhookDelivery[];
  /** Resolves when no automatic delivery is on its way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** `/repositories/{id}/...` means the same as `/repos/{owner}/{name}/...`. */
function pathById(state: GitHubState, path: string): string {
  const match = /^\/repositories\/(\d+)\/(.*)$/.exec(path);
  const repository = state.repositories.find((candidate) => String(candidate.id) === match?.[1]);
  return repository === undefined ? path : `/repos/${repository.fullName}/${match?.[2] ?? ''}`;
}

async function loadState(options: GitHubSimulatorOptions): Promise<GitHubState> {
  const limits = { ...GITHUB_LIMITS, ...options.limits };
  const { maxBytes, maxLines, maxTotalBytes } = limits;
  const detectCopies = options.detectCopies ?? false;
  const state = createState(options, limits);
  for (const repository of options.repositories) {
    const changedFiles = { maxBytes, maxLines, maxTotalBytes, detectCopies };
    state.addRepository(repository, await openRepository(repository.dir, { changedFiles }));
  }
  return state;
}

/**
 * A GitHub that serves local git repositories over the REST and GraphQL shapes of the real one, on loopback.
 * @throws GitError not_a_repository
 */
export async function startGitHubSimulator(options: GitHubSimulatorOptions): Promise<GitHubSimulator> {
  const state = await loadState(options);
  const tokens = createTokenStore(state);
  for (const token of options.tokens ?? []) tokens.addPersonal(token);
  const writes = createWriteLog();
  const faults = createFaultInjector();
  const downloads = createArchiveDownloads(state);
  const codeload = await startSimulatorServer({
    routes: ['legacy.tar.gz', 'legacy.zip'].map((kind) => ({
      method: 'GET',
      pattern: `/:owner/:name/${kind}/*ref`,
      handle: downloads.handle,
    })),
    notFound: () => ({ status: 404, text: '404: Not Found' }),
    now: () => state.now(),
    faults,
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
  let origin = '';
  const rateLimits = createRateLimits(state);
  const controls = createPullControls(context);
  const findPull = (number: number, repository?: string): SimPull => controls.findPull(number, repository);
  const people = createPeopleControls(context, findPull);
  const queries = createQueries(context, findPull, () => createUrls(origin, origin));
  const webhooks = createWebhooks(context, () => origin);
  const underway = new Set<Promise<unknown>>();
  writes.onAdd((write) => {
    if (!webhooks.isAutomatic()) return;
    for (const event of eventsOfWrite(write, findPull)) {
      // A receiver that is down loses the event, as on GitHub; the list of deliveries tells.
      const delivery = webhooks.deliver(event).catch(() => undefined);
      underway.add(delivery);
      void delivery.finally(() => underway.delete(delivery));
    }
  });
  let server: SimulatorServer;
  try {
    server = await startSimulatorServer(
      {
        routes: githubRoutes(context, { downloads, rateLimits, webhooks }),
        adminRoutes: githubAdminRoutes(controls, queries, webhooks),
        prefixes: ['/api/v3'],
        rewritePath: (path) => pathById(state, path),
        notFound: () => githubError(404, 'Not Found'),
        commonHeaders: (request) => rateLimits.headers(request),
        onFault: async (action, request) => {
          if (action.kind === 'token-expired') tokens.revoke(credentialOf(request) ?? '');
          else await controls.pushHead(action.number, action.revision, action.repository);
        },
        now: () => state.now(),
        faults,
        writes,
      },
      options.port,
    );
  } catch (error) {
    await codeload.stop();
    throw error;
  }
  origin = server.origin;
  return {
    ...controls,
    ...people,
    ...queries,
    apiUrl: origin,
    enterpriseApiUrl: `${origin}/api/v3`,
    webUrl: origin,
    archiveOrigin: codeload.origin,
    adminKey: server.adminKey,
    faults,
    state,
    requests: () => server.requests.list(),
    archiveRequests: () => codeload.requests.list(),
    writes: () => writes.list(),
    unknownFields: () => [...context.unknownFields],
    forwardedCredentials: () => downloads.forwardedCredentials(),
    revokeInstallationTokens: () => tokens.revokeAllOfApp(),
    setWebhook: (target) => webhooks.setTarget(target),
    deliverWebhook: (event) => webhooks.deliver(event),
    redeliver: (id) => webhooks.redeliver(id),
    deliveries: () => webhooks.list(),
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    async stop() {
      webhooks.stop();
      await Promise.all([server.stop(), codeload.stop()]);
      for (const repository of state.repositories) repository.git.close();
    },
  };
}

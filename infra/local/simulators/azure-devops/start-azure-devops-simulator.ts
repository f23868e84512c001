import { openRepository } from '../git/open-repository.ts';
import type { FaultInjector } from '../http/faults.ts';
import type { LoggedRequest } from '../http/request-log.ts';
import type { SimulatorServer } from '../http/simulator-server.ts';
import { startSimulatorServer } from '../http/simulator-server.ts';
import type { LoggedWrite } from '../http/write-log.ts';
import { createWriteLog } from '../http/write-log.ts';
import { createAccess } from './access.ts';
import { eventsOfWrite } from './automatic-events.ts';
import type { AzureDevOpsContext } from './context.ts';
import { azureError } from './errors.ts';
import type { HookDelivery, HookEvent } from './hooks.ts';
import { createHooks } from './hooks.ts';
import type { AzureDevOpsSimulatorOptions, SimulatedHookOptions, SimulatedTokenOptions } from './options.ts';
import { AZURE_DEVOPS_LIMITS } from './options.ts';
import type { PullControls } from './pull-controls.ts';
import { createPullControls } from './pull-controls.ts';
import type { PostedQueries } from './queries.ts';
import { createQueries } from './queries.ts';
import type { SentBody, UnknownField } from './request-bodies.ts';
import { createRequestBodies } from './request-bodies.ts';
import { contentRoutes } from './routes-content.ts';
import { readingRoutes } from './routes-reading.ts';
import { statusRoutes } from './routes-statuses.ts';
import { threadRoutes } from './routes-threads.ts';
import type { AzureDevOpsState } from './state.ts';
import { createState, guidOf } from './state.ts';

export interface AzureDevOpsSimulator extends PullControls, PostedQueries {
  /** Base address of the organization; also of its web pages. */
  readonly apiUrl: string;
  readonly webUrl: string;
  /** Value of the `x-simulator-key` header that opens the remote control below `/_simulator`. */
  readonly adminKey: string;
  readonly faults: FaultInjector;
  readonly state: AzureDevOpsState;
  requests(): readonly LoggedRequest[];
  writes(): readonly LoggedWrite[];
  /** Fields in request bodies that the endpoints do not have. */
  unknownFields(): readonly UnknownField[];
  /** Every request body so far, with the name of its definition in the published specification. */
  sentBodies(): readonly SentBody[];
  addToken(token: SimulatedTokenOptions): void;
  revokeToken(token: string): void;
  /** The next answers are good, but ask to slow down. */
  askToSlowDown(seconds: number, answers: number): void;
  setHook(target: SimulatedHookOptions): void;
  /** Sends one notification; resolves with the answer, whatever it was. */
  deliverHook(event: HookEvent): Promise<HookDelivery>;
  /** Sends the same bytes again. */
  redeliver(notificationId: number): Promise<HookDelivery>;
  deliveries(): readonly HookDelivery[];
  /** Resolves when no automatic delivery is on its way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Paths without a project get `-` for one; the real service does not mind upper and lower case in them. */
function canonicalPath(path: string): string {
  const withProject = path.startsWith('/_apis/git/') ? `/-${path}` : path;
  return withProject.replace(/\/pullrequests(?=\/|$)/i, '/pullRequests');
}

async function loadState(options: AzureDevOpsSimulatorOptions): Promise<AzureDevOpsState> {
  const clock = options.clock ?? { now: () => Date.now() };
  const state = createState({ ...AZURE_DEVOPS_LIMITS, ...options.limits }, clock);
  for (const { dir, fullName, id, defaultBranch = 'main' } of options.repositories) {
    const [project = '', name = ''] = fullName.split('/');
    state.repositories.push({
      id: (id ?? guidOf(`repository ${fullName}`)).toLowerCase(),
      name,
      project: { id: guidOf(`project ${project}`), name: project },
      defaultBranch,
      git: await openRepository(dir),
      pulls: new Map(),
      permissions: new Map(),
    });
  }
  return state;
}

/**
 * An Azure DevOps that serves local git repositories over the REST shapes of the real one, on loopback.
 * @throws GitError not_a_repository
 */
export async function startAzureDevOpsSimulator(
  options: AzureDevOpsSimulatorOptions,
): Promise<AzureDevOpsSimulator> {
  const state = await loadState(options);
  const access = createAccess(state, options.signIn);
  for (const token of options.tokens ?? []) access.add(token);
  const writes = createWriteLog();
  const organization = `/${options.organization ?? 'acme'}`;
  let origin = '';
  let slow = { seconds: 0, answers: 0 };
  const context: AzureDevOpsContext = {
    state,
    access,
    writes,
    bodies: createRequestBodies(),
    baseUrl: () => `${origin}${organization}`,
  };
  const controls = createPullControls(state, writes);
  const hooks = createHooks(context, controls.findPull, options.hook);
  const underway = new Set<Promise<unknown>>();
  writes.onAdd((write) => {
    if (!hooks.isAutomatic()) return;
    const repository = state.repositories.find(({ id }) => id === write.details['repository']);
    for (const event of eventsOfWrite(write)) {
      const fullName =
        repository === undefined ? {} : { repository: `${repository.project.name}/${repository.name}` };
      const delivery = hooks.deliver({ ...event, ...fullName }).catch(() => undefined);
      underway.add(delivery);
      void delivery.finally(() => underway.delete(delivery));
    }
  });
  const server: SimulatorServer = await startSimulatorServer(
    {
      routes: [
        ...readingRoutes(context),
        ...contentRoutes(context),
        ...threadRoutes(context),
        ...statusRoutes(context),
      ],
      prefixes: [organization],
      rewritePath: canonicalPath,
      notFound: () =>
        azureError(404, 'VssResourceNotFoundException', 'The resource you are looking for does not exist.'),
      commonHeaders: () => {
        if (slow.answers === 0) return { 'x-tfs-processid': guidOf('process') };
        slow = { ...slow, answers: slow.answers - 1 };
        return { 'retry-after': String(slow.seconds), 'x-ratelimit-resource': 'core' };
      },
      onFault: async (action, request) => {
        if (action.kind === 'token-expired') access.revoke(request);
        else await controls.pushHead(action.number, action.revision, action.repository);
      },
      now: () => state.now(),
      writes,
    },
    options.port,
  );
  ({ origin } = server);
  return {
    ...controls,
    ...createQueries(controls.findPull, context.baseUrl),
    apiUrl: context.baseUrl(),
    webUrl: context.baseUrl(),
    adminKey: server.adminKey,
    faults: server.faults,
    state,
    requests: () => server.requests.list(),
    writes: () => writes.list(),
    unknownFields: () => context.bodies.unknownFields(),
    sentBodies: () => context.bodies.sent(),
    addToken: (token) => access.add(token),
    revokeToken: (token) => access.revokeToken(token),
    askToSlowDown(seconds, answers) {
      slow = { seconds, answers };
    },
    setHook: (target) => hooks.setTarget(target),
    deliverHook: (event) => hooks.deliver(event),
    redeliver: (id) => hooks.redeliver(id),
    deliveries: () => hooks.list(),
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    async stop() {
      hooks.stop();
      await server.stop();
      for (const repository of state.repositories) repository.git.close();
    },
  };
}

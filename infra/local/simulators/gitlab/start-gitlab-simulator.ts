import { openRepository } from '../git/open-repository.ts';
import type { FaultInjector } from '../http/faults.ts';
import type { LoggedRequest } from '../http/request-log.ts';
import { startSimulatorServer } from '../http/simulator-server.ts';
import type { LoggedWrite } from '../http/write-log.ts';
import { createWriteLog } from '../http/write-log.ts';
import { createAccess } from './access.ts';
import { eventsOfWrite } from './automatic-events.ts';
import type { GitLabContext } from './context.ts';
import { gitlabError } from './errors.ts';
import type { HookDelivery, HookEvent } from './hooks.ts';
import { createHooks } from './hooks.ts';
import type { GitLabSimulatorOptions, SimulatedHookOptions, SimulatedTokenOptions } from './options.ts';
import { GITLAB_LIMITS } from './options.ts';
import type { PullControls } from './pull-controls.ts';
import { createPullControls } from './pull-controls.ts';
import type { PostedQueries } from './queries.ts';
import { createQueries } from './queries.ts';
import type { UnknownField } from './request-bodies.ts';
import { createRequestBodies } from './request-bodies.ts';
import { contentRoutes } from './routes-content.ts';
import { noteRoutes } from './routes-notes.ts';
import { readingRoutes } from './routes-reading.ts';
import { statusRoutes } from './routes-statuses.ts';
import type { GitLabState } from './state.ts';
import { createProject, createState } from './state.ts';

export interface GitLabSimulator extends PullControls, PostedQueries {
  readonly apiUrl: string;
  readonly webUrl: string;
  /** Value of the `x-simulator-key` header that opens the remote control below `/_simulator`. */
  readonly adminKey: string;
  readonly faults: FaultInjector;
  readonly state: GitLabState;
  requests(): readonly LoggedRequest[];
  writes(): readonly LoggedWrite[];
  /** Fields in request bodies that the endpoints do not have. */
  unknownFields(): readonly UnknownField[];
  addToken(token: SimulatedTokenOptions): void;
  revokeToken(token: string): void;
  setHook(target: SimulatedHookOptions): void;
  /** Sends one event; resolves with the answer, whatever it was. */
  deliverWebhook(event: HookEvent): Promise<HookDelivery>;
  /** Sends the same bytes again. */
  redeliver(id: string): Promise<HookDelivery>;
  deliveries(): readonly HookDelivery[];
  /** Resolves when no automatic delivery is on its way. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const API = '/api/v4';

async function loadState(options: GitLabSimulatorOptions): Promise<GitLabState> {
  const clock = options.clock ?? { now: () => Date.now() };
  const state = createState({ ...GITLAB_LIMITS, ...options.limits }, clock);
  for (const [index, { dir, fullName, id, defaultBranch = 'main' }] of options.repositories.entries())
    state.projects.push(createProject(id ?? index + 1, fullName, defaultBranch, await openRepository(dir)));
  return state;
}

/**
 * A GitLab that serves local git repositories over the REST shapes of the real one (version 4), on loopback.
 * @throws GitError not_a_repository
 */
export async function startGitLabSimulator(options: GitLabSimulatorOptions): Promise<GitLabSimulator> {
  const state = await loadState(options);
  const access = createAccess(state);
  for (const token of options.tokens ?? []) access.add(token);
  const writes = createWriteLog();
  let origin = '';
  const context: GitLabContext = {
    state,
    access,
    writes,
    bodies: createRequestBodies(),
    webUrl: () => origin,
  };
  const controls = createPullControls(state, writes);
  const hooks = createHooks(context, controls.findPull, options.hook);
  const underway = new Set<Promise<unknown>>();
  writes.onAdd((write) => {
    if (!hooks.isAutomatic()) return;
    const project = state.projects.find(({ id }) => id === write.details['repository']);
    if (project === undefined) return;
    for (const event of eventsOfWrite(write)) {
      const delivery = hooks.deliver({ ...event, repository: project.fullName }).catch(() => undefined);
      underway.add(delivery);
      void delivery.finally(() => underway.delete(delivery));
    }
  });
  const server = await startSimulatorServer(
    {
      routes: [
        ...readingRoutes(context),
        ...contentRoutes(context),
        ...noteRoutes(context),
        ...statusRoutes(context),
      ],
      prefixes: [API],
      notFound: () => gitlabError(404, '404 Not Found'),
      commonHeaders: () => ({ 'x-gitlab-meta': '{"version":"1"}' }),
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
    ...createQueries(controls.findPull, () => origin),
    apiUrl: `${origin}${API}`,
    webUrl: origin,
    adminKey: server.adminKey,
    faults: server.faults,
    state,
    requests: () => server.requests.list(),
    writes: () => writes.list(),
    unknownFields: () => context.bodies.unknownFields(),
    addToken: (token) => access.add(token),
    revokeToken: (token) => access.revokeToken(token),
    setHook: (target) => hooks.setTarget(target),
    deliverWebhook: (event) => hooks.deliver(event),
    redeliver: (id) => hooks.redeliver(id),
    deliveries: () => hooks.list(),
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    async stop() {
      hooks.stop();
      await server.stop();
      for (const git of new Set(state.projects.map((project) => project.git))) git.close();
    },
  };
}

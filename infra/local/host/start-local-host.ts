import path from 'node:path';
import type { Clock } from '../../../shared/domain/clock.ts';
import { createAdminRoutes } from './admin-routes.ts';
import { readBodyLimit } from './body-limit.ts';
import { installFakeCore } from './fake-core.ts';
import {
  describeFunctions,
  summarizeFunction,
  type CatalogFunction,
  type HostEnvironment,
} from './function-catalog.ts';
import { createFunctionKeys, type FunctionKeys } from './function-keys.ts';
import { createHostLog, type HostLogSink } from './host-log.ts';
import { readHostJson, readHostSettings, type HostJson } from './host-settings.ts';
import { createHttpCalls } from './http-calls.ts';
import { startHttpFront } from './http-front.ts';
import { invokeFunction, type InvocationInput, type InvocationResult } from './invoke-function.ts';
import { loadApp } from './load-app.ts';
import { createManualInvocation } from './manual-invocation.ts';
import { startQueueListeners } from './queue-listeners.ts';
import type { FunctionSummary } from './ready-line.ts';
import { createRouteTable } from './route-table.ts';
import { openStreamProxy } from './stream-proxy.ts';
import { systemClock } from './system-clock.ts';
import { startTimers } from './start-timers.ts';

/** The real host's fixed times, which tests scale down. */
export interface HostTimings {
  /** How long a received message stays hidden, renewed at half; whole seconds. Default: 10 min. */
  readonly messageVisibilityMs?: number;
  /** Renewals speed up to this interval after failures. Default: 1 min. */
  readonly minRenewalMs?: number;
}

export interface LocalHostOptions {
  /** Folder of package.json and host.json. */
  readonly appRoot: string;
  /** Path or glob relative to `appRoot`, e.g. `functions/*.ts`; default: `main` of package.json. */
  readonly entry?: string;
  /** Content of host.json; default: the file in `appRoot`. */
  readonly hostJson?: HostJson;
  /** Default: a free port. */
  readonly port?: number;
  readonly timings?: HostTimings;
  readonly onLog?: HostLogSink;
  readonly clock?: Clock;
  /** Where connection and %SETTING% names are looked up; default: this process's environment. */
  readonly environment?: HostEnvironment;
  /** Folder that remembers when timers are due; without it no run counts as missed. */
  readonly timerStateDir?: string;
}

export interface LocalHost {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly functions: readonly FunctionSummary[];
  readonly keys: FunctionKeys;
  /** Runs a timer function now; rejects when it fails or does not exist. */
  invokeTimer(name: string): Promise<void>;
  /** Ends intake, then waits for everything that runs. */
  stop(): Promise<void>;
}

/**
 * Loads a Functions app and serves it in this process, once per process: registration is global to it.
 * @throws HostRefusal for an app that Azure would not run, or that needs what the local host does not imitate.
 */
export async function startLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const { appRoot, clock = systemClock, environment = process.env } = options;
  const now = (): number => clock.now();
  const log = createHostLog(options.onLog ?? (() => undefined), now);
  const settings = readHostSettings(
    options.hostJson ?? (await readHostJson(path.join(appRoot, 'host.json'))),
  );
  const bodyLimitBytes = readBodyLimit(environment['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT']);

  const app = installFakeCore(log);
  await loadApp(path.resolve(appRoot), options.entry, app, log);
  app.lock();
  const catalog = describeFunctions(app.functions.values(), environment);
  const functions = catalog.map(summarizeFunction);
  const httpFunctions = catalog.filter((item) => item.trigger === 'http');
  const routes = createRouteTable(
    httpFunctions.map((item) => ({ functionName: item.name, ...item })),
    settings.routePrefix,
  );
  const keys = createFunctionKeys(catalog.map(({ name }) => name));
  await app.runHooks('appStart', {
    hookData: {},
    appHookData: app.appHookData,
    functionAppDirectory: appRoot,
  });
  const proxy = app.model === undefined ? undefined : await openStreamProxy(app.model);

  const running = new Set<Promise<unknown>>();
  const invoke = (target: CatalogFunction, input: InvocationInput): Promise<InvocationResult> => {
    const run = invokeFunction(app, target.registered, input, log, now);
    const settled = run.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return run;
  };
  const listeners = await startQueueListeners({
    functions: catalog.filter((item) => item.trigger === 'queue'),
    settings: settings.queues,
    environment,
    visibilityMs: options.timings?.messageVisibilityMs ?? 600_000,
    minRenewalMs: options.timings?.minRenewalMs ?? 60_000,
    clock,
    random: () => Math.random(),
    log,
    invoke,
  });
  const timers = startTimers({ ...options, functions: catalog, clock, log, invoke });
  const runByName = createManualInvocation({ functions: catalog, timers: timers.drivers, invoke });
  const stopIntake = async (): Promise<void> => {
    await Promise.all([listeners.stop(), timers.stop()]);
  };
  const front = await startHttpFront({
    port: options.port ?? 0,
    routes,
    keys,
    bodyLimitBytes,
    log,
    call: createHttpCalls({
      functions: new Map(httpFunctions.map((item) => [item.name, item])),
      proxy,
      invoke,
      log,
    }),
    admin: createAdminRoutes({ functions, run: runByName }),
  }).catch(async (error: unknown) => {
    await stopIntake();
    throw error;
  });
  log('information', `${catalog.length} function(s): ${catalog.map(({ name }) => name).join(', ')}`);

  const stop = async (): Promise<void> => {
    await Promise.all([front.stop(), stopIntake()]);
    while (running.size > 0) await Promise.all(running);
    await app.runHooks('appTerminate', { hookData: {}, appHookData: app.appHookData });
    await proxy?.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: front.url,
    functions,
    keys,
    invokeTimer: async (name) => {
      if (!timers.drivers.has(name)) throw new Error(`no timer function "${name}"`);
      await runByName(name);
    },
    stop: () => (stopped ??= stop()),
  };
}

import path from 'node:path';
import type { Clock } from '../../../shared/domain/clock.ts';
import { createAdminRoutes } from './admin-routes.ts';
import { readBodyLimit } from './body-limit.ts';
import { installFakeCore } from './fake-core.ts';
import { describeFunctions, type CatalogFunction, type HostEnvironment } from './function-catalog.ts';
import { createFunctionKeys, type FunctionKeys } from './function-keys.ts';
import { createHostLog, type HostLogSink } from './host-log.ts';
import { readHostJson, readHostSettings, type HostJson } from './host-settings.ts';
import { createHttpCalls } from './http-calls.ts';
import { startHttpFront } from './http-front.ts';
import { invokeFunction, type InvocationInput, type InvocationResult } from './invoke-function.ts';
import { loadApp } from './load-app.ts';
import type { FunctionSummary } from './ready-line.ts';
import { createRouteTable } from './route-table.ts';
import { openStreamProxy } from './stream-proxy.ts';
import { systemClock } from './system-clock.ts';

export interface LocalHostOptions {
  /** Folder of package.json and host.json. */
  readonly appRoot: string;
  /** Path or glob relative to `appRoot`, e.g. `functions/*.ts`; default: `main` of package.json. */
  readonly entry?: string;
  /** Content of host.json; default: the file in `appRoot`. */
  readonly hostJson?: HostJson;
  /** Default: a free port. */
  readonly port?: number;
  readonly onLog?: HostLogSink;
  readonly clock?: Clock;
  /** Where connection and %SETTING% names are looked up; default: this process's environment. */
  readonly environment?: HostEnvironment;
}

export interface LocalHost {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly functions: readonly FunctionSummary[];
  readonly keys: FunctionKeys;
  /** Ends intake, then waits for everything that runs. */
  stop(): Promise<void>;
}

/**
 * Loads a Functions app and serves it in this process, once per process: registration is global to it.
 * @throws HostRefusal for an app that Azure would not run, or that needs what the local host does not imitate.
 */
export async function startLocalHost(options: LocalHostOptions): Promise<LocalHost> {
  const { appRoot, clock = systemClock, environment = process.env } = options;
  const log = createHostLog(options.onLog ?? (() => undefined), () => clock.now());
  const settings = readHostSettings(
    options.hostJson ?? (await readHostJson(path.join(appRoot, 'host.json'))),
  );
  const bodyLimitBytes = readBodyLimit(environment['FUNCTIONS_REQUEST_BODY_SIZE_LIMIT']);

  const app = installFakeCore(log);
  await loadApp(path.resolve(appRoot), options.entry, app, log);
  app.lock();
  const catalog = describeFunctions(app.functions.values(), environment);
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
    const run = invokeFunction(app, target.registered, input, log, () => clock.now());
    const settled = run.catch(() => undefined).finally(() => running.delete(settled));
    running.add(settled);
    return run;
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
    admin: createAdminRoutes({ functions: catalog.map(summarize) }),
  });
  log('information', `${catalog.length} function(s): ${catalog.map(({ name }) => name).join(', ')}`);

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await front.stop();
    while (running.size > 0) await Promise.all(running);
    await app.runHooks('appTerminate', { hookData: {}, appHookData: app.appHookData });
    await proxy?.close();
  };
  return {
    url: front.url,
    functions: catalog.map(summarize),
    keys,
    stop: () => (stopped ??= stop()),
  };
}

function summarize(item: CatalogFunction): FunctionSummary {
  const { name, trigger } = item;
  if (item.trigger === 'http') return { name, trigger, route: item.route, methods: [...item.methods] };
  if (item.trigger === 'queue') return { name, trigger, queueName: item.queueName };
  return { name, trigger, schedule: item.schedule };
}

import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { prepareLocalStorage } from '../../../shared/runtime.ts';
import { startAzurite } from '../azurite.ts';
import { spawnLocalHost, type SpawnedHost } from '../host/spawn-host.ts';
import { startOfflineReviewer } from '../simulators/offline-reviewer/start-offline-reviewer.ts';
import { appRecords, type AppRecord } from './app-records.ts';
import type { StackRepository } from './github-stack.ts';

const APP_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Who answers the model's calls. */
export type StackModel =
  | { readonly kind: 'offline' }
  | { readonly kind: 'anthropic'; readonly apiKey: string; readonly baseUrl?: string };

/** A simulated provider and the settings that connect the app to it. */
export interface AppProvider {
  readonly settings: Readonly<Record<string, string>>;
  readonly simulator: { stop(): Promise<void> };
  /** Tells the simulator where the app listens. */
  connect(hostUrl: string): void;
}

export interface LocalStackOptions<Provider extends AppProvider> {
  readonly startProvider: (repositories: readonly StackRepository[]) => Promise<Provider>;
  readonly repositories: readonly StackRepository[];
  readonly model: StackModel;
  /** Further settings, which win. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Another host.json, e.g. with shorter waits. */
  readonly hostJsonFile?: string;
  /** Called before each part is started. */
  readonly onStart?: (part: string) => void;
}

/** The whole product on this machine: storage, provider, model and the app in its host. */
export interface LocalStack<Provider extends AppProvider> {
  readonly provider: Provider;
  readonly host: SpawnedHost;
  readonly storageConnectionString: string;
  readonly modelUrl: string;
  /** What the app logged so far. */
  records(): AppRecord[];
  stop(): Promise<void>;
}

/** Starts all parts on free loopback ports. Whatever was started is stopped again when a later part fails. */
export async function startLocalStack<Provider extends AppProvider>(
  options: LocalStackOptions<Provider>,
): Promise<LocalStack<Provider>> {
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of started.splice(0).toReversed()) await end();
  };
  const announce = options.onStart ?? (() => {});
  try {
    announce('storage, provider and model');
    const [azurite, provider, model] = await Promise.all([
      startAzurite({ inMemory: true }).then((part) => (started.push(() => part.stop()), part)),
      options
        .startProvider(options.repositories)
        .then((part) => (started.push(() => part.simulator.stop()), part)),
      startModel(options.model).then((part) => (started.push(() => part.stop()), part)),
    ]);
    const settings = {
      GATEHOUSE_STORAGE: azurite.connectionString,
      AzureWebJobsStorage: azurite.connectionString,
      GATEHOUSE_MARKER_KEYS: randomBytes(32).toString('hex'),
      SWEEP_SCHEDULE: '0 7 * * * *',
      ...provider.settings,
      ...model.settings,
      ...options.settings,
    };
    await prepareLocalStorage(loadConfig(settings));
    announce('the app in its host');
    const host = await spawnLocalHost({
      appRoot: APP_ROOT,
      entry: 'functions/*.ts',
      env: settings,
      ...(options.hostJsonFile === undefined ? {} : { hostJsonFile: options.hostJsonFile }),
    });
    started.push(() => host.stop());
    provider.connect(host.url);
    return {
      provider,
      host,
      storageConnectionString: azurite.connectionString,
      modelUrl: model.url,
      records: () => appRecords(host.logs),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface StartedModel {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

async function startModel(model: StackModel): Promise<StartedModel> {
  if (model.kind === 'anthropic') {
    const url = model.baseUrl ?? 'https://api.anthropic.com';
    return {
      url,
      settings: { ANTHROPIC_API_KEY: model.apiKey, ANTHROPIC_BASE_URL: url },
      stop: async () => {},
    };
  }
  const apiKey = randomBytes(24).toString('hex');
  const reviewer = await startOfflineReviewer({ apiKey });
  return {
    url: reviewer.url,
    settings: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: reviewer.url },
    stop: () => reviewer.stop(),
  };
}

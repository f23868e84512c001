import { systemClock } from '../../../infra/local/host/system-clock.ts';
import type { AzureDevOpsSimulatorOptions } from '../../../infra/local/simulators/azure-devops/options.ts';
import type { NewPullRequest } from '../../../infra/local/simulators/azure-devops/pull-controls.ts';
import type { AzureDevOpsSimulator } from '../../../infra/local/simulators/azure-devops/start-azure-devops-simulator.ts';
import { startAzureDevOpsSimulator } from '../../../infra/local/simulators/azure-devops/start-azure-devops-simulator.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { Clock } from '../../../shared/domain/clock.ts';
import type { PullRequestRef } from '../../../shared/domain/pull-request.ts';
import type { EntraCredential } from '../../../shared/providers/azure-devops/authorization.ts';
import { createAzureDevOpsProvider } from '../../../shared/providers/azure-devops/index.ts';
import type { Provider } from '../../../shared/providers/ports.ts';
import type { RecordedLog } from '../../unit/providers/recorded-log.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';
import type { TestRepository } from '../../support/git.ts';
import { createRepository } from '../../support/git.ts';

export const REPOSITORY_ID = '4bc14d40-c903-45e2-872e-0462c7748079';
export const FULL_NAME = 'Fabrikam Fiber/Shop';
export const TOKEN = 'test-personal-token';

export interface AzureWorld extends AsyncDisposable {
  readonly git: TestRepository;
  readonly simulator: AzureDevOpsSimulator;
  readonly provider: Provider;
  readonly log: RecordedLog;
  readonly base: string;
  readonly head: string;
  /** The pull request from base to head. */
  readonly ref: PullRequestRef;
  /** Another provider on the same simulator. */
  connect(options?: ConnectOptions): Provider;
}

export interface ConnectOptions {
  readonly id?: string;
  readonly token?: string;
  readonly credential?: EntraCredential;
  readonly clock?: Clock;
  readonly apiUrl?: string;
}

export interface WorldOptions {
  /** Commits on `main`. */
  readonly before?: (git: TestRepository) => void;
  /** Commits on the pull request's branch. */
  readonly after?: (git: TestRepository) => void;
  readonly pull?: Partial<NewPullRequest>;
  readonly simulator?: Partial<AzureDevOpsSimulatorOptions>;
}

/** Numbered lines, so that a test can name what a line says. */
export function lines(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
}

/** A simulator over a real repository with one pull request, and our adapter signed in to it. */
export async function createAzureWorld(options: WorldOptions = {}): Promise<AzureWorld> {
  const git = createRepository();
  git.write('src/app.ts', lines(20));
  options.before?.(git);
  const base = git.commit('base');
  git.git('checkout', '-q', '-b', 'feature');
  git.write('src/app.ts', lines(20).replace('line 10\n', 'line ten\nline ten and a half\n'));
  options.after?.(git);
  const head = git.commit('head');
  const simulator = await startAzureDevOpsSimulator({
    repositories: [{ dir: git.directory, fullName: FULL_NAME, id: REPOSITORY_ID }],
    tokens: [{ token: TOKEN, login: 'gatehouse@example.com', kind: 'personal' }],
    ...options.simulator,
  });
  const pull = await simulator.createPullRequest({
    base: 'main',
    head: 'feature',
    title: 'Say ten',
    ...options.pull,
  });
  const log = createRecordedLog();
  const connect = (given: ConnectOptions = {}): Provider =>
    createAzureDevOpsProvider(
      {
        id: given.id ?? 'azure',
        provider: 'azure-devops',
        webUrl: new URL(simulator.webUrl),
        apiUrl: new URL(given.apiUrl ?? simulator.apiUrl),
        archiveHosts: [],
        repositories: ['**'],
        token: given.credential === undefined ? new Secret(given.token ?? TOKEN) : undefined,
        hookUser: undefined,
        hookPasswords: [],
        hookHeaderSecrets: [],
      },
      {
        clock: given.clock ?? systemClock,
        random: { number: () => 0.5, hex: (bytes) => 'ab'.repeat(bytes) },
        log,
        retryBaseMs: 1,
        ...(given.credential === undefined ? {} : { credential: given.credential }),
      },
    );
  return {
    git,
    simulator,
    provider: connect(),
    log,
    base,
    head,
    ref: {
      provider: 'azure-devops',
      instance: 'azure',
      repositoryId: REPOSITORY_ID,
      number: pull.number,
      repository: FULL_NAME,
    },
    connect,
    async [Symbol.asyncDispose]() {
      await simulator.stop();
      git.dispose();
    },
  };
}

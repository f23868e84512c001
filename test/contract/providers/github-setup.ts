import { generateKeyPairSync } from 'node:crypto';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import type { GitHubSimulatorOptions } from '../../../infra/local/simulators/github/options.ts';
import type { GitHubSimulator } from '../../../infra/local/simulators/github/start-github-simulator.ts';
import { startGitHubSimulator } from '../../../infra/local/simulators/github/start-github-simulator.ts';
import type { GitHubCredential, GitHubInstance } from '../../../shared/config/config.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { Clock, RandomSource } from '../../../shared/domain/clock.ts';
import type { PullRequestRef } from '../../../shared/domain/pull-request.ts';
import { createGitHubProvider } from '../../../shared/providers/github/index.ts';
import type { Provider } from '../../../shared/providers/ports.ts';
import type { RecordedLog } from '../../unit/providers/recorded-log.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';
import type { TestRepository } from '../../support/git.ts';
import { createRepository } from '../../support/git.ts';

export const REPOSITORY_ID = 812_345;
export const FULL_NAME = 'acme/shop';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

const TOKEN = 'github_pat_test0000000000000000000000';

export interface GitHubWorld extends AsyncDisposable {
  readonly git: TestRepository;
  readonly simulator: GitHubSimulator;
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
  readonly credential?: 'app' | 'token';
  readonly enterprise?: boolean;
  readonly clock?: Clock;
  readonly pacing?: boolean;
}

export interface WorldOptions {
  /** Commits on `main`. */
  readonly before?: (git: TestRepository) => void;
  /** Commits on the pull request's branch. */
  readonly after?: (git: TestRepository) => void;
  readonly pull?: Partial<Parameters<GitHubSimulator['createPullRequest']>[0]>;
  readonly simulator?: Partial<GitHubSimulatorOptions>;
}

const random: RandomSource = { number: () => 0.5, hex: (bytes) => 'ab'.repeat(bytes) };

/** Numbered lines, so that a test can name what a line says. */
export function lines(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
}

/** A simulator over a real repository with one pull request, and our adapter signed in to it as an App. */
export async function createGitHubWorld(options: WorldOptions = {}): Promise<GitHubWorld> {
  const git = createRepository();
  git.write('src/app.ts', lines(20));
  options.before?.(git);
  const base = git.commit('base');
  git.git('checkout', '-q', '-b', 'feature');
  git.write('src/app.ts', lines(20).replace('line 10\n', 'line ten\nline ten and a half\n'));
  options.after?.(git);
  const head = git.commit('head');
  const simulator = await startGitHubSimulator({
    repositories: [{ dir: git.directory, fullName: FULL_NAME, id: REPOSITORY_ID }],
    app: { appId: 4711, publicKeyPem: keys.publicKey, slug: 'gatehouse' },
    tokens: [{ token: TOKEN, login: 'ada' }],
    ...options.simulator,
  });
  simulator.setPermission('ada', 'write');
  const pull = await simulator.createPullRequest({
    base: 'main',
    head: 'feature',
    title: 'Say ten',
    ...options.pull,
  });
  const log = createRecordedLog();
  const connect = (given: ConnectOptions = {}): Provider =>
    createGitHubProvider(createInstance(simulator, given), {
      clock: given.clock ?? systemClock,
      random,
      log,
      tuning: { retryBaseMs: 1, pacing: given.pacing ?? false },
    });
  return {
    git,
    simulator,
    provider: connect(),
    log,
    base,
    head,
    ref: {
      provider: 'github',
      instance: 'github',
      repositoryId: String(REPOSITORY_ID),
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

function createInstance(simulator: GitHubSimulator, options: ConnectOptions): GitHubInstance {
  const credential: GitHubCredential =
    options.credential === 'token'
      ? { kind: 'token', token: new Secret(TOKEN) }
      : { kind: 'app', appId: '4711', privateKey: new Secret(keys.privateKey) };
  return {
    id: 'github',
    provider: 'github',
    webUrl: new URL(simulator.webUrl),
    apiUrl: new URL(options.enterprise === true ? simulator.enterpriseApiUrl : simulator.apiUrl),
    archiveHosts: [new URL(simulator.archiveOrigin).host],
    repositories: ['acme/*'],
    credential,
    webhookSecrets: [],
  };
}

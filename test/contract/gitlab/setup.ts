import { systemClock } from '../../../infra/local/host/system-clock.ts';
import type { GitLabSimulatorOptions } from '../../../infra/local/simulators/gitlab/options.ts';
import type { NewPullRequest } from '../../../infra/local/simulators/gitlab/pull-controls.ts';
import type { GitLabSimulator } from '../../../infra/local/simulators/gitlab/start-gitlab-simulator.ts';
import { startGitLabSimulator } from '../../../infra/local/simulators/gitlab/start-gitlab-simulator.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { PullRequestRef } from '../../../shared/domain/pull-request.ts';
import { createGitLabProvider } from '../../../shared/providers/gitlab/index.ts';
import type { Provider } from '../../../shared/providers/ports.ts';
import type { TestRepository } from '../../support/git.ts';
import { createRepository } from '../../support/git.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';

export const FULL_NAME = 'acme/tools/shop';
export const TOKEN = 'glpat-test-token';
export const LOGIN = 'project_7_bot_1';

export interface GitLabWorld extends AsyncDisposable {
  readonly git: TestRepository;
  readonly simulator: GitLabSimulator;
  readonly provider: Provider;
  readonly base: string;
  readonly head: string;
  readonly ref: PullRequestRef;
  /** Another provider on the same simulator. */
  connect(options?: { id?: string; token?: string; apiUrl?: string }): Provider;
  /** A request of its own, signed in. */
  ask(method: string, path: string, body?: unknown, token?: string): Promise<Response>;
}

export interface WorldOptions {
  /** Commits on `main`. */
  readonly before?: (git: TestRepository) => void;
  /** Commits on the merge request's branch. */
  readonly after?: (git: TestRepository) => void;
  readonly pull?: Partial<NewPullRequest>;
  readonly simulator?: Partial<GitLabSimulatorOptions>;
}

/** Numbered lines, so that a test can name what a line says. */
export function lines(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
}

/** A simulator over a real repository with one merge request, and our adapter signed in to it. */
export async function createGitLabWorld(options: WorldOptions = {}): Promise<GitLabWorld> {
  const git = createRepository();
  git.write('src/app.ts', lines(40));
  options.before?.(git);
  const base = git.commit('base');
  git.git('checkout', '-q', '-b', 'feature');
  git.write('src/app.ts', lines(40).replace('line 10\n', 'line ten\nline ten and a half\n'));
  options.after?.(git);
  const head = git.commit('head');
  const simulator = await startGitLabSimulator({
    repositories: [{ dir: git.directory, fullName: FULL_NAME, id: 7 }],
    tokens: [{ token: TOKEN, login: LOGIN }],
    ...options.simulator,
  });
  const pull = await simulator.createPullRequest({
    base: 'main',
    head: 'feature',
    title: 'Say ten',
    ...options.pull,
  });
  const connect: GitLabWorld['connect'] = (given = {}) =>
    createGitLabProvider(
      {
        id: given.id ?? 'gitlab',
        provider: 'gitlab',
        webUrl: new URL(simulator.webUrl),
        apiUrl: new URL(given.apiUrl ?? simulator.apiUrl),
        archiveHosts: [],
        repositories: ['**'],
        token: new Secret(given.token ?? TOKEN),
        signingTokens: [],
        webhookTokens: [],
      },
      {
        clock: systemClock,
        random: { number: () => 0.5, hex: (bytes) => 'ab'.repeat(bytes) },
        log: createRecordedLog(),
        retryBaseMs: 1,
      },
    );
  return {
    git,
    simulator,
    provider: connect(),
    base,
    head,
    ref: {
      provider: 'gitlab',
      instance: 'gitlab',
      repositoryId: '7',
      number: pull.iid,
      repository: FULL_NAME,
    },
    connect,
    ask: (method, path, body, token = TOKEN) =>
      fetch(`${simulator.apiUrl}/projects/7${path}`, {
        method,
        headers: { 'private-token': token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async [Symbol.asyncDispose]() {
      await simulator.stop();
      git.dispose();
    },
  };
}

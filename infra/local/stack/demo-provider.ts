import { startAzureDevOpsStack } from './azure-devops-stack.ts';
import { startGitHubStack, type StackRepository } from './github-stack.ts';
import { startGitLabStack } from './gitlab-stack.ts';
import type { AppProvider } from './start-local-stack.ts';

export const DEMO_PROVIDERS = ['github', 'azure-devops', 'gitlab'] as const;
export type DemoProviderId = (typeof DEMO_PROVIDERS)[number];

export interface DemoPullRequest {
  readonly base: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
}

/** A comment as the provider shows it. */
export interface ShownComment {
  readonly path: string;
  /** Null for a comment on the whole file. */
  readonly line: number | null;
  readonly side: string;
  readonly body: string;
}

/** What the demo does with a provider, whichever it is. */
export interface DemoProvider extends AppProvider {
  readonly webhookPath: string;
  readonly apiUrl: string;
  readonly webUrl: string;
  openPullRequest(pull: DemoPullRequest): Promise<number>;
  /** Delivers the signed event of a new pull request. */
  announce(number: number): Promise<{ readonly statusCode: number; readonly responseBody: string }>;
  comments(number: number): Promise<readonly ShownComment[]>;
  /** Everything written at the provider so far. */
  writes(): readonly { readonly at: number; readonly kind: string }[];
}

/** Starts the simulated provider that the demo runs on, over one repository. */
export function startDemoProvider(
  provider: DemoProviderId,
): (repositories: readonly StackRepository[]) => Promise<DemoProvider> {
  switch (provider) {
    case 'github':
      return startGitHub;
    case 'azure-devops':
      return startAzureDevOps;
    case 'gitlab':
      return startGitLab;
  }
}

async function startGitHub(repositories: readonly StackRepository[]): Promise<DemoProvider> {
  const stack = await startGitHubStack(repositories);
  const { simulator } = stack;
  return {
    ...stack,
    webhookPath: `webhooks/${stack.instance}`,
    apiUrl: simulator.apiUrl,
    webUrl: simulator.webUrl,
    openPullRequest: async (pull) => {
      const names = { baseName: 'main', headName: 'change', author: 'dana' };
      return (await simulator.createPullRequest({ ...pull, ...names })).number;
    },
    announce: async (number) => {
      const delivery = await simulator.deliverWebhook({ event: 'pull_request', action: 'opened', number });
      return { statusCode: delivery.statusCode ?? 0, responseBody: delivery.responseBody };
    },
    comments: (number) => simulator.comments(number),
    writes: () => simulator.writes(),
  };
}

async function startAzureDevOps(repositories: readonly StackRepository[]): Promise<DemoProvider> {
  const stack = await startAzureDevOpsStack(repositories);
  const { simulator } = stack;
  return {
    ...stack,
    webhookPath: `webhooks/${stack.instance}`,
    apiUrl: simulator.apiUrl,
    webUrl: simulator.webUrl,
    openPullRequest: async (pull) => (await simulator.createPullRequest(pull)).number,
    announce: (number) => simulator.deliverHook({ event: 'created', number }),
    comments: (number) => simulator.comments(number),
    writes: () => simulator.writes(),
  };
}

async function startGitLab(repositories: readonly StackRepository[]): Promise<DemoProvider> {
  const stack = await startGitLabStack(repositories);
  const { simulator } = stack;
  return {
    ...stack,
    webhookPath: `webhooks/${stack.instance}`,
    apiUrl: simulator.apiUrl,
    webUrl: simulator.webUrl,
    openPullRequest: async (pull) => (await simulator.createPullRequest(pull)).iid,
    announce: (number) => simulator.deliverWebhook({ event: 'open', number }),
    comments: async (number) => simulator.comments(number),
    writes: () => simulator.writes(),
  };
}

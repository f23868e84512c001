import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { startGitHubSimulator, type GitHubSimulator } from '../simulators/github/start-github-simulator.ts';

const APP = { id: 4711, slug: 'gatehouse-local' } as const;
const INSTANCE = 'github';

/** A simulated GitHub over local repositories, and the settings that make the app a GitHub App on them. */
export interface GitHubStack {
  readonly simulator: GitHubSimulator;
  readonly instance: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly webhookSecret: string;
  /** Tells the simulator where the app listens. */
  connect(hostUrl: string): void;
}

export interface StackRepository {
  /** Any local git repository. */
  readonly dir: string;
  /** `owner/name` on the simulator. */
  readonly fullName: string;
}

/** Starts the simulator with a key pair, a webhook secret and an App of its own; nothing of it outlives the process. */
export async function startGitHubStack(repositories: readonly StackRepository[]): Promise<GitHubStack> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const secret = randomBytes(32).toString('hex');
  const simulator = await startGitHubSimulator({
    repositories: repositories.map((repository) => ({ ...repository, private: true })),
    app: { appId: APP.id, publicKeyPem: publicKey, slug: APP.slug },
  });
  return {
    simulator,
    instance: INSTANCE,
    webhookSecret: secret,
    settings: {
      GATEHOUSE_INSTANCES: JSON.stringify([
        {
          id: INSTANCE,
          provider: 'github',
          webUrl: simulator.webUrl,
          apiUrl: simulator.enterpriseApiUrl,
          archiveHosts: [new URL(simulator.archiveOrigin).host],
          repositories: repositories.map(({ fullName }) => fullName),
        },
      ]),
      GITHUB_APP_ID: String(APP.id),
      GITHUB_APP_PRIVATE_KEY: Buffer.from(privateKey).toString('base64'),
      GITHUB_WEBHOOK_SECRETS: secret,
    },
    connect: (hostUrl) => simulator.setWebhook({ url: `${hostUrl}/webhooks/${INSTANCE}`, secrets: [secret] }),
  };
}

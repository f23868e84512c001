import { randomBytes } from 'node:crypto';
import {
  startAzureDevOpsSimulator,
  type AzureDevOpsSimulator,
} from '../simulators/azure-devops/start-azure-devops-simulator.ts';

const INSTANCE = 'azure-devops';
const HOOK_USER = 'gatehouse';
/** Of a service account rather than a person, so that what it writes is told from what people write. */
const LOGIN = 'gatehouse-local';

/** A simulated Azure DevOps over local repositories, and the settings that sign the app in to it. */
export interface AzureDevOpsStack {
  readonly simulator: AzureDevOpsSimulator;
  readonly instance: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Tells the simulator where the app listens. */
  connect(hostUrl: string): void;
}

export interface AzureDevOpsStackRepository {
  /** Any local git repository. */
  readonly dir: string;
  /** `project/name` on the simulator. */
  readonly fullName: string;
}

/** Starts the simulator with a token and hook secrets of its own; nothing of it outlives the process. */
export async function startAzureDevOpsStack(
  repositories: readonly AzureDevOpsStackRepository[],
): Promise<AzureDevOpsStack> {
  const token = randomBytes(32).toString('hex');
  const password = randomBytes(32).toString('hex');
  const header = randomBytes(32).toString('hex');
  const simulator = await startAzureDevOpsSimulator({
    repositories,
    tokens: [{ token, login: LOGIN, kind: 'personal' }],
  });
  return {
    simulator,
    instance: INSTANCE,
    settings: {
      GATEHOUSE_INSTANCES: JSON.stringify([
        {
          id: INSTANCE,
          provider: 'azure-devops',
          webUrl: simulator.webUrl,
          apiUrl: simulator.apiUrl,
          repositories: repositories.map(({ fullName }) => fullName),
        },
      ]),
      AZURE_DEVOPS_TOKEN: token,
      AZURE_DEVOPS_HOOK_USER: HOOK_USER,
      AZURE_DEVOPS_HOOK_PASSWORDS: password,
      AZURE_DEVOPS_HOOK_HEADER_SECRETS: header,
    },
    connect: (hostUrl) =>
      simulator.setHook({
        url: `${hostUrl}/webhooks/${INSTANCE}`,
        user: HOOK_USER,
        password,
        headers: { 'X-Gatehouse-Secret': header },
      }),
  };
}

import { randomBytes } from 'node:crypto';
import { startGitLabSimulator, type GitLabSimulator } from '../simulators/gitlab/start-gitlab-simulator.ts';

const INSTANCE = 'gitlab';
/** As GitLab names the user of a project access token. */
const LOGIN = 'project_1_bot_gatehouse';

/** A simulated GitLab over local repositories, and the settings that sign the app in to it. */
export interface GitLabStack {
  readonly simulator: GitLabSimulator;
  readonly instance: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Tells the simulator where the app listens. */
  connect(hostUrl: string): void;
}

export interface GitLabStackRepository {
  /** Any local git repository. */
  readonly dir: string;
  /** `group/name` on the simulator. */
  readonly fullName: string;
}

/** Starts the simulator with a token and a signing key of its own; nothing of it outlives the process. */
export async function startGitLabStack(repositories: readonly GitLabStackRepository[]): Promise<GitLabStack> {
  const token = randomBytes(32).toString('hex');
  const signingToken = `whsec_${randomBytes(32).toString('base64')}`;
  const simulator = await startGitLabSimulator({ repositories, tokens: [{ token, login: LOGIN }] });
  return {
    simulator,
    instance: INSTANCE,
    settings: {
      GATEHOUSE_INSTANCES: JSON.stringify([
        {
          id: INSTANCE,
          provider: 'gitlab',
          webUrl: simulator.webUrl,
          apiUrl: simulator.apiUrl,
          repositories: repositories.map(({ fullName }) => fullName),
        },
      ]),
      GITLAB_TOKEN: token,
      GITLAB_SIGNING_TOKENS: signingToken,
    },
    connect: (hostUrl) => simulator.setHook({ url: `${hostUrl}/webhooks/${INSTANCE}`, signingToken }),
  };
}

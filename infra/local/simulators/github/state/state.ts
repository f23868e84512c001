import type { GitRepository } from '../../git/open-repository.ts';
import type { GitHubLimits, GitHubSimulatorOptions, SimulatedRepositoryOptions } from '../options.ts';
import type { IdSource } from './ids.ts';
import { createIds } from './ids.ts';
import type { PermissionLevel, SimRepository, SimUser } from './model.ts';

export interface SimApp {
  readonly id: number;
  readonly nodeId: string;
  readonly clientId: string;
  readonly slug: string;
  readonly publicKeyPem: string;
  readonly bot: SimUser;
  readonly owner: SimUser;
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>;
}

export interface SimInstallation {
  readonly id: number;
  readonly account: SimUser;
  readonly repositories: SimRepository[];
  suspended: boolean;
}

/** Everything the simulator knows, in one place; all of it lives and ends with one simulator. */
export interface GitHubState {
  readonly ids: IdSource;
  readonly limits: GitHubLimits;
  readonly app: SimApp | undefined;
  readonly installations: SimInstallation[];
  readonly repositories: SimRepository[];
  now(): number;
  /** The account with this login, made when it is new. */
  ensureUser(login: string): SimUser;
  findUser(login: string): SimUser | undefined;
  /** Names compare case-insensitively. */
  findRepository(fullName: string): SimRepository | undefined;
  addRepository(options: SimulatedRepositoryOptions, git: GitRepository): SimRepository;
  permissionOf(repository: SimRepository, user: SimUser): PermissionLevel;
}

const REVIEWER_PERMISSIONS = {
  metadata: 'read',
  contents: 'read',
  pull_requests: 'write',
  checks: 'write',
  statuses: 'write',
  issues: 'write',
} as const;

export function createState(options: GitHubSimulatorOptions, limits: GitHubLimits): GitHubState {
  const ids = createIds();
  const users = new Map<string, SimUser>();
  const repositories: SimRepository[] = [];
  const installations: SimInstallation[] = [];

  function ensureUser(login: string): SimUser {
    const known = users.get(login.toLowerCase());
    if (known !== undefined) return known;
    const id = ids.account();
    const isBot = login.endsWith('[bot]');
    const user: SimUser = {
      id,
      nodeId: ids.node(isBot ? 'BOT' : 'U', id),
      login,
      type: isBot ? 'Bot' : 'User',
    };
    users.set(login.toLowerCase(), user);
    return user;
  }
  function installationFor(owner: SimUser): SimInstallation {
    const known = installations.find((installation) => installation.account === owner);
    if (known !== undefined) return known;
    const installation: SimInstallation = {
      id: ids.next(),
      account: owner,
      repositories: [],
      suspended: false,
    };
    installations.push(installation);
    return installation;
  }
  const appOptions = options.app;
  const app: SimApp | undefined =
    appOptions === undefined
      ? undefined
      : {
          id: appOptions.appId,
          nodeId: ids.node('A', appOptions.appId),
          clientId: appOptions.clientId ?? `Iv23li${appOptions.appId}`,
          slug: appOptions.slug,
          publicKeyPem: appOptions.publicKeyPem,
          bot: ensureUser(`${appOptions.slug}[bot]`),
          owner: ensureUser('app-owner'),
          permissions: appOptions.permissions ?? REVIEWER_PERMISSIONS,
        };

  return {
    ids,
    limits,
    app,
    installations,
    repositories,
    now: () => options.clock?.now() ?? Date.now(),
    ensureUser,
    findUser: (login) => users.get(login.toLowerCase()),
    findRepository: (fullName) =>
      repositories.find((repository) => repository.fullName.toLowerCase() === fullName.toLowerCase()),
    addRepository(settings, git) {
      const [ownerName = 'owner', name = 'repository'] = settings.fullName.split('/');
      const owner = ensureUser(ownerName);
      const id = settings.id ?? ids.next();
      const installation =
        app === undefined || settings.appInstalled === false ? undefined : installationFor(owner);
      const repository: SimRepository = {
        id,
        nodeId: ids.node('R', id),
        owner,
        name,
        fullName: `${ownerName}/${name}`,
        private: settings.private ?? false,
        defaultBranch: settings.defaultBranch ?? 'main',
        git,
        installationId: installation?.id,
        pulls: new Map(),
        permissions: new Map(),
        checkRuns: [],
        statuses: [],
      };
      installation?.repositories.push(repository);
      repositories.push(repository);
      return repository;
    },
    permissionOf(repository, user) {
      if (user === repository.owner) return 'admin';
      return repository.permissions.get(user.login.toLowerCase()) ?? (repository.private ? 'none' : 'read');
    },
  };
}

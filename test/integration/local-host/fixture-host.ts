import { fileURLToPath } from 'node:url';
import {
  spawnLocalHost,
  type SpawnedHost,
  type SpawnHostOptions,
} from '../../../infra/local/host/spawn-host.ts';

export const fixtureRoot = fileURLToPath(new URL('../../fixtures/host-app', import.meta.url));

/** The fixture app in a host of its own. */
export function spawnFixture(options: Partial<SpawnHostOptions> = {}): Promise<SpawnedHost> {
  return spawnLocalHost({ appRoot: fixtureRoot, env: {}, ...options });
}

/** Messages that handlers wrote with `context.log`. */
export function userLogs(host: SpawnedHost): string[] {
  return host.logs.filter(({ category }) => category === 'user').map(({ message }) => message);
}

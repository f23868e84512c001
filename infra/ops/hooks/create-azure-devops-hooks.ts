import type { AzureDevOpsInstance } from '../../../shared/config/config.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import {
  adviseOn,
  AZURE_HOOKS,
  AzureRepositories,
  AzureRepository,
  AzureSubscription,
  AzureSubscriptions,
  createSubscription,
  findSubscription,
  listAzureRepositories,
  listSubscriptions,
  readAzureRepository,
  type AzurePlace,
} from './azure-devops-hooks.ts';
import type { HookPlace } from './hook-place.ts';
import type { OnHookResult } from './hook-result.ts';
import { chooseAzureSecrets } from './hook-secrets.ts';
import { createInstanceClient, type InstanceClient, type InstanceClientOptions } from './instance-client.ts';

const NEEDS =
  'AZURE_DEVOPS_TOKEN must have the scope Code: Read, and its account the permission "Edit subscriptions", ' +
  'which project administrators have.';

/** @throws AppError `rejected` when a setting is missing, else as the client. Nothing is created before all is read. */
export async function createAzureDevOpsHooks(
  instance: AzureDevOpsInstance,
  places: readonly HookPlace[],
  options: Pick<InstanceClientOptions, 'secrets' | 'transport'> & {
    readonly url: URL;
    readonly dryRun: boolean;
  },
  onResult: OnHookResult,
): Promise<void> {
  const { url, dryRun, ...transport } = options;
  const secretsOf = new Map(places.map((place) => [place, chooseAzureSecrets(instance, place)]));
  const authorization = authorizationOf(instance);
  const client = createInstanceClient({ instance, authorization, needs: NEEDS, ...transport });
  const targets = await Promise.all(
    [...secretsOf].map(async ([place, secrets]) => ({ place, secrets, at: await locate(client, place) })),
  );
  const { value: existing } = await client.send(listSubscriptions(), AzureSubscriptions);
  for (const { place, secrets, at } of targets) {
    for (const hook of AZURE_HOOKS) {
      const named = { place: place.name, hook: hook.name };
      const found = findSubscription(existing, hook, at, url);
      if (found !== undefined) {
        const advice = adviseOn(found, secrets.user);
        if (advice === undefined) onResult({ ...named, state: 'exists', id: found.id });
        else onResult({ ...named, state: 'needs_a_hand', id: found.id, advice });
      } else if (dryRun) onResult({ ...named, state: 'missing' });
      else {
        const made = await client.send(createSubscription(hook, at, url, secrets), AzureSubscription);
        existing.push(made);
        onResult({ ...named, state: 'created', id: made.id });
      }
    }
  }
}

/** Personal access tokens have no dots; a token of Entra is a JWT. */
function authorizationOf({ id, token }: AzureDevOpsInstance): string {
  const value = token?.reveal();
  if (value === undefined) {
    throw new AppError({
      kind: 'rejected',
      code: 'settings',
      message:
        `Instance ${id} has no token, and this command cannot use the app's managed identity. ` +
        'Set AZURE_DEVOPS_TOKEN for this run alone; a subscription ends with the account that made it.',
    });
  }
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value)
    ? `Bearer ${value}`
    : `Basic ${Buffer.from(`:${value}`).toString('base64')}`;
}

async function locate(client: InstanceClient, place: HookPlace): Promise<AzurePlace> {
  const [project = '', repository = ''] = place.name.split('/');
  if (place.kind === 'repository') {
    const found = await client.send(readAzureRepository(project, repository), AzureRepository);
    return { projectId: found.project.id, repositoryId: found.id };
  }
  const { value } = await client.send(listAzureRepositories(project), AzureRepositories);
  const projectId = value[0]?.project.id;
  if (projectId !== undefined) return { projectId, repositoryId: undefined };
  throw new AppError({
    kind: 'permanent',
    code: 'not_found',
    message: `Project ${project} has no repository that the token may see. ${NEEDS}`,
  });
}

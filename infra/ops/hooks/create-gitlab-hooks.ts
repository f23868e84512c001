import type { GitLabInstance } from '../../../shared/config/config.ts';
import { AppError } from '../../../shared/domain/app-error.ts';
import {
  adviseOnGitLabHook,
  createGitLabHook,
  findGitLabHook,
  GitLabHook,
  GitLabHooks,
  HOOKS_PER_PAGE,
  listGitLabHooks,
} from './gitlab-hooks.ts';
import type { HookPlace } from './hook-place.ts';
import type { OnHookResult } from './hook-result.ts';
import { chooseGitLabSecrets } from './hook-secrets.ts';
import { createInstanceClient, type InstanceClient, type InstanceClientOptions } from './instance-client.ts';

const NEEDS =
  'GITLAB_TOKEN must have the scope api and the role Maintainer of the project, or Owner of the group; ' +
  'webhooks of groups need GitLab Premium.';
const MAX_PAGES = 50;

/** @throws AppError `rejected` when a setting is missing, else as the client. */
export async function createGitLabHooks(
  instance: GitLabInstance,
  places: readonly HookPlace[],
  options: Pick<InstanceClientOptions, 'secrets' | 'transport'> & {
    readonly url: URL;
    readonly dryRun: boolean;
  },
  onResult: OnHookResult,
): Promise<void> {
  const { url, dryRun, ...transport } = options;
  const secretsOf = new Map(places.map((place) => [place, chooseGitLabSecrets(instance, place)]));
  if (instance.token === undefined)
    throw new AppError({ kind: 'rejected', code: 'settings', message: `Set GITLAB_TOKEN. ${NEEDS}` });
  const authorization = `Bearer ${instance.token.reveal()}`;
  const client = createInstanceClient({ instance, authorization, needs: NEEDS, ...transport });
  for (const [place, secrets] of secretsOf) {
    const named = { place: place.name, hook: 'merge requests and comments' };
    const found = findGitLabHook(await listAll(client, place), url);
    if (found === undefined && dryRun) {
      onResult({ ...named, state: 'missing' });
      continue;
    }
    const hook = found ?? (await client.send(createGitLabHook(place, url, secrets), GitLabHook));
    const advice = adviseOnGitLabHook(hook, secrets);
    const id = String(hook.id);
    if (advice !== undefined) onResult({ ...named, state: 'needs_a_hand', id, advice });
    else onResult({ ...named, state: found === undefined ? 'created' : 'exists', id });
  }
}

async function listAll(client: InstanceClient, place: HookPlace): Promise<readonly GitLabHook[]> {
  const hooks: GitLabHook[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await client.send(listGitLabHooks(place, page), GitLabHooks);
    hooks.push(...found);
    if (found.length < HOOKS_PER_PAGE) return hooks;
  }
  throw new AppError({
    kind: 'permanent',
    code: 'too_many_hooks',
    message: `${place.name} has more webhooks than can be looked through; make the webhook by hand.`,
  });
}

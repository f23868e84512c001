import { z } from 'zod';
import type { AzureHookSecrets } from './hook-secrets.ts';
import type { HookRequest } from './instance-client.ts';

/**
 * The service hook subscriptions of one place, and the requests that list and create them.
 * Source: Azure DevOps REST API 7.1, "Service Hooks"; documentation, "Service hooks events" and "consumers".
 */

/** Name of the custom header, as the app expects it. */
export const HOOK_HEADER = 'X-Gatehouse-Secret';

export interface AzureHook {
  readonly name: string;
  readonly eventType: string;
  /** Filter of `git.pullrequest.updated`; a payload does not say which change it tells of. */
  readonly notificationType?: string;
  readonly resourceVersion: string;
}

/** Votes and reviewers are left out: an update during a review makes it start again. */
export const AZURE_HOOKS: readonly AzureHook[] = [
  { name: 'pull request created', eventType: 'git.pullrequest.created', resourceVersion: '1.0' },
  {
    name: 'source branch updated',
    eventType: 'git.pullrequest.updated',
    notificationType: 'PushNotification',
    resourceVersion: '1.0',
  },
  {
    name: 'status changed',
    eventType: 'git.pullrequest.updated',
    notificationType: 'StatusUpdateNotification',
    resourceVersion: '1.0',
  },
  // Version 1.0 names neither the pull request nor the thread.
  { name: 'comment', eventType: 'ms.vss-code.git-pullrequest-comment-event', resourceVersion: '2.0' },
];

/** Ids of the project and, for a single repository, of the repository. */
export interface AzurePlace {
  readonly projectId: string;
  readonly repositoryId: string | undefined;
}

const VERSION = 'api-version=7.1';

const Inputs = z.record(z.string(), z.string().nullish()).nullish();

export const AzureSubscription = z.object({
  id: z.string(),
  eventType: z.string(),
  consumerId: z.string(),
  resourceVersion: z.string().nullish(),
  status: z.string().nullish(),
  publisherInputs: Inputs,
  consumerInputs: Inputs,
});
export type AzureSubscription = z.infer<typeof AzureSubscription>;
export const AzureSubscriptions = z.object({ value: z.array(AzureSubscription) });

export const AzureRepository = z.object({ id: z.string(), project: z.object({ id: z.string() }) });
export const AzureRepositories = z.object({ value: z.array(AzureRepository) });

export function listSubscriptions(): HookRequest {
  const query = `publisherId=tfs&consumerId=webHooks&consumerActionId=httpRequest&${VERSION}`;
  return { method: 'GET', path: `/_apis/hooks/subscriptions?${query}` };
}

export function readAzureRepository(project: string, repository: string): HookRequest {
  const path = `/${encodeURIComponent(project)}/_apis/git/repositories/${encodeURIComponent(repository)}`;
  return { method: 'GET', path: `${path}?${VERSION}` };
}

/** For the id of the project: a token that may read code may read this. */
export function listAzureRepositories(project: string): HookRequest {
  return { method: 'GET', path: `/${encodeURIComponent(project)}/_apis/git/repositories?${VERSION}` };
}

export function createSubscription(
  hook: AzureHook,
  place: AzurePlace,
  url: URL,
  secrets: AzureHookSecrets,
): HookRequest {
  const { projectId, repositoryId } = place;
  return {
    method: 'POST',
    path: `/_apis/hooks/subscriptions?${VERSION}`,
    body: {
      publisherId: 'tfs',
      eventType: hook.eventType,
      resourceVersion: hook.resourceVersion,
      consumerId: 'webHooks',
      consumerActionId: 'httpRequest',
      publisherInputs: {
        projectId,
        ...(repositoryId === undefined ? {} : { repository: repositoryId }),
        ...(hook.notificationType === undefined ? {} : { notificationType: hook.notificationType }),
      },
      consumerInputs: {
        url: url.href,
        httpHeaders: `${HOOK_HEADER}:${secrets.headerSecret}`,
        basicAuthUsername: secrets.user,
        basicAuthPassword: secrets.password,
        // With less the thread of a comment and the state of a pull request are missing.
        resourceDetailsToSend: 'all',
        messagesToSend: 'none',
        detailedMessagesToSend: 'none',
      },
    },
  };
}

/** The subscription that already tells of `hook` for all of `place`; one for the whole project covers each of its repositories. */
export function findSubscription(
  existing: readonly AzureSubscription[],
  hook: AzureHook,
  place: AzurePlace,
  url: URL,
): AzureSubscription | undefined {
  const found = existing.filter((candidate) => {
    const filter = (name: string): string => candidate.publisherInputs?.[name] ?? '';
    const repository = filter('repository').toLowerCase();
    return (
      candidate.consumerId === 'webHooks' &&
      candidate.eventType === hook.eventType &&
      URL.parse(candidate.consumerInputs?.['url'] ?? '')?.href === url.href &&
      filter('projectId').toLowerCase() === place.projectId.toLowerCase() &&
      (repository === '' || repository === place.repositoryId?.toLowerCase()) &&
      filter('notificationType') === (hook.notificationType ?? '') &&
      ['branch', 'pullrequestCreatedBy', 'pullrequestReviewersContains'].every(
        (name) => filter(name) === '',
      ) &&
      (hook.resourceVersion === '1.0' || candidate.resourceVersion === hook.resourceVersion)
    );
  });
  return found.find(({ status }) => isEnabled(status)) ?? found[0];
}

/** What is wrong with a subscription that exists, as far as it can be seen; its password cannot. */
export function adviseOn(subscription: AzureSubscription, user: string): string | undefined {
  const { status, consumerInputs } = subscription;
  const input = (name: string): string => consumerInputs?.[name] ?? '';
  if (!isEnabled(status)) return `It is ${status}: enable it in Project settings, Service hooks.`;
  if (!['', 'all'].includes(input('resourceDetailsToSend').toLowerCase()))
    return 'Set its "Resource details to send" to All.';
  if (input('basicAuthUsername') !== user) return 'Set its user name to AZURE_DEVOPS_HOOK_USER.';
  const headers = input('httpHeaders');
  return /^\*+$/.test(headers) || headers.toLowerCase().includes(`${HOOK_HEADER.toLowerCase()}:`)
    ? undefined
    : `Give it the header ${HOOK_HEADER} with a value of AZURE_DEVOPS_HOOK_HEADER_SECRETS.`;
}

/** On probation the service itself tries again. */
function isEnabled(status: string | null | undefined): boolean {
  return status === undefined || status === null || status === 'enabled' || status === 'onProbation';
}

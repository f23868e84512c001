import type { AzureDevOpsInstance } from '../../../shared/config/config.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { WebhookHeaders } from '../../../shared/providers/ports.ts';

export const REPOSITORY_ID = '4bc14d40-c903-45e2-872e-0462c7748079';
export const HEAD = '53d54ac915144006c2c9e90d2c7d3880920db49c';

export function azureInstance(change: Partial<AzureDevOpsInstance> = {}): AzureDevOpsInstance {
  return {
    id: 'azure',
    provider: 'azure-devops',
    webUrl: new URL('https://dev.azure.com/fabrikam'),
    apiUrl: new URL('https://dev.azure.com/fabrikam'),
    archiveHosts: [],
    repositories: ['Fabrikam/*'],
    token: undefined,
    hookUser: 'gatehouse',
    hookPasswords: [{ value: new Secret('pässword') }],
    hookHeaderSecrets: [{ value: new Secret('header') }],
    ...change,
  };
}

export function headers(
  user = 'gatehouse',
  password = 'pässword',
  secret: string | undefined = 'header',
): WebhookHeaders {
  return {
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    ...(secret === undefined ? {} : { 'x-gatehouse-secret': secret }),
  };
}

export function bytes(payload: unknown): Uint8Array {
  return new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload));
}

export function pull(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    pullRequestId: 22,
    status: 'active',
    isDraft: false,
    sourceRefName: 'refs/heads/feature',
    targetRefName: 'refs/heads/main',
    createdBy: { id: 'a-person', displayName: 'Jamal', uniqueName: 'jamal@fabrikam.com' },
    lastMergeSourceCommit: { commitId: HEAD },
    repository: { id: REPOSITORY_ID.toUpperCase(), name: 'Shop', project: { id: 'p', name: 'Fabrikam' } },
    ...change,
  };
}

export function envelope(eventType: string, resource: unknown, change: Record<string, unknown> = {}) {
  return {
    subscriptionId: 'B2F7A9A4-0000-4000-8000-000000000001',
    notificationId: 7,
    id: 'an-event',
    eventType,
    publisherId: 'tfs',
    resource,
    resourceVersion: '1.0',
    createdDate: '2026-05-01T10:00:00Z',
    ...change,
  };
}

export function commentEvent(comment: Record<string, unknown> = {}, change: Record<string, unknown> = {}) {
  return envelope(
    'ms.vss-code.git-pullrequest-comment-event',
    {
      comment: {
        id: 3,
        parentCommentId: 1,
        author: { id: 'a-person', displayName: 'Jamal', uniqueName: 'jamal@fabrikam.com' },
        content: 'Why?',
        commentType: 'text',
        lastContentUpdatedDate: '2026-05-01T09:59:59.1Z',
        _links: {
          threads: {
            href: `https://dev.azure.com/fabrikam/_apis/git/repositories/${REPOSITORY_ID}/pullRequests/22/threads/141415813`,
          },
        },
        ...comment,
      },
      pullRequest: pull(),
    },
    { resourceVersion: '2.0', ...change },
  );
}

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  AZURE_HOOKS,
  createSubscription,
  findSubscription,
  HOOK_HEADER,
  type AzureSubscription,
} from '../../../infra/ops/hooks/azure-devops-hooks.ts';
import { SECRET_HEADER } from '../../../shared/providers/azure-devops/webhook-credentials.ts';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import { loadPublishedSchema } from '../../contract/azure-devops/published-schema.ts';
import { azureInstance, bytes, headers, pull } from '../azure-devops/deliveries.ts';

const PLACE = { projectId: 'aaaa', repositoryId: 'bbbb' };
const URL_OF_APP = new URL('https://gatehouse.example/webhooks/azure');
const SECRETS = { user: 'gatehouse', password: 'p', headerSecret: 'h' };

const Body = z.looseObject({
  publisherInputs: z.record(z.string(), z.string()),
  consumerInputs: z.record(z.string(), z.string()),
});
const bodies = AZURE_HOOKS.map((hook) =>
  Body.parse(createSubscription(hook, PLACE, URL_OF_APP, SECRETS).body),
);

describe('the subscriptions', () => {
  it('are named events that the app reads, each filter once', () => {
    expect(AZURE_HOOKS.map(({ eventType, notificationType }) => [eventType, notificationType])).toEqual([
      ['git.pullrequest.created', undefined],
      ['git.pullrequest.updated', 'PushNotification'],
      ['git.pullrequest.updated', 'StatusUpdateNotification'],
      ['ms.vss-code.git-pullrequest-comment-event', undefined],
    ]);
    const source = createAzureDevOpsWebhookSource(azureInstance());
    const comment = {
      id: 1,
      content: 'Why?',
      commentType: 'text',
      _links: { threads: { href: 'https://dev.azure.com/x/pullRequests/22/threads/7' } },
    };
    for (const { eventType, resourceVersion } of AZURE_HOOKS) {
      const resource = eventType.includes('comment') ? { comment, pullRequest: pull() } : pull();
      const event = source.read(headers(), bytes({ eventType, resourceVersion, resource }));
      expect(event.request.kind, eventType).toBe('job');
    }
  });

  it('carry the header that the app looks for', () => {
    expect(HOOK_HEADER.toLowerCase()).toBe(SECRET_HEADER);
  });

  it('have the published shape', () => {
    const names = [
      'publisherId',
      'eventType',
      'resourceVersion',
      'consumerId',
      'consumerActionId',
      'publisherInputs',
      'consumerInputs',
    ];
    const check = loadPublishedSchema('ado-serviceHooks-7.1.json');
    for (const body of bodies) {
      expect(Object.keys(body).toSorted()).toEqual(names.toSorted());
      // The inputs are maps of texts, which the schema of the body's members does not describe.
      const members = { ...body, publisherInputs: {}, consumerInputs: {} };
      expect(check?.('Subscription', members) ?? []).toEqual([]);
      expect(check?.('Subscription', { ...members, resourceversion: '2.0' }) ?? ['unknown']).toHaveLength(1);
    }
    expect(bodies.map(({ publisherInputs }) => publisherInputs['repository'])).toEqual(
      Array<string>(4).fill('bbbb'),
    );
  });
});

describe('findSubscription', () => {
  const [created, pushed, , comment] = AZURE_HOOKS;
  if (created === undefined || pushed === undefined || comment === undefined) throw new Error('no hooks');
  const existing = (change: Partial<AzureSubscription> = {}): AzureSubscription => ({
    id: 's',
    eventType: 'git.pullrequest.created',
    consumerId: 'webHooks',
    resourceVersion: '1.0',
    status: 'enabled',
    publisherInputs: { projectId: 'AAAA', repository: 'BBBB', branch: '' },
    consumerInputs: { url: 'https://gatehouse.example/webhooks/azure' },
    ...change,
  });
  const finds = (change: Partial<AzureSubscription>, hook = created): boolean =>
    findSubscription([existing(change)], hook, PLACE, URL_OF_APP) !== undefined;

  it('takes one that tells of all that is wanted', () => {
    expect(finds({})).toBe(true);
    expect(finds({ publisherInputs: { projectId: 'aaaa', repository: '' } })).toBe(true);
    expect(finds({ publisherInputs: { projectId: 'aaaa' } })).toBe(true);
  });

  it('takes none of another address, place, filter or version', () => {
    const projectId = 'aaaa';
    expect(finds({ consumerInputs: { url: 'https://other.example/webhooks/azure' } })).toBe(false);
    expect(finds({ publisherInputs: { projectId: 'cccc' } })).toBe(false);
    expect(finds({ publisherInputs: { projectId, repository: 'cccc' } })).toBe(false);
    expect(finds({ publisherInputs: { projectId, branch: 'main' } })).toBe(false);
    expect(finds({ publisherInputs: { projectId, pullrequestCreatedBy: 'group' } })).toBe(false);
    expect(finds({ eventType: 'git.pullrequest.merged' })).toBe(false);
    const updated = { eventType: 'git.pullrequest.updated' };
    expect(finds({ ...updated, publisherInputs: { projectId } }, pushed)).toBe(false);
    expect(
      finds({ ...updated, publisherInputs: { projectId, notificationType: 'PushNotification' } }, pushed),
    ).toBe(true);
    expect(finds({ eventType: comment.eventType }, comment)).toBe(false);
    expect(finds({ eventType: comment.eventType, resourceVersion: '2.0' }, comment)).toBe(true);
    const whole = { projectId, repositoryId: undefined };
    expect(findSubscription([existing()], created, whole, URL_OF_APP)).toBeUndefined();
  });

  it('prefers one that is enabled', () => {
    const list = [existing({ id: 'off', status: 'disabledByUser' }), existing({ id: 'on' })];
    expect(findSubscription(list, created, PLACE, URL_OF_APP)?.id).toBe('on');
  });
});

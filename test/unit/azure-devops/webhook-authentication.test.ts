import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import { azureInstance, bytes, commentEvent, envelope, headers, pull } from './deliveries.ts';

const source = createAzureDevOpsWebhookSource(azureInstance());
const created = bytes(envelope('git.pullrequest.created', pull()));

describe('the credentials of a delivery', () => {
  it('are user, password and secret header, all three', () => {
    expect(source.authenticate(headers(), created)).toBe(true);
    expect(source.read(headers(), created).signedFor).toBeUndefined();
  });

  it.each([
    ['without any', {}],
    ['with another user', headers('someone')],
    ['with another password', headers('gatehouse', 'wrong')],
    ['with an empty password', headers('gatehouse', '')],
    ['with another header', headers('gatehouse', 'pässword', 'wrong')],
    ['without the header', { authorization: headers()['authorization'] }],
    ['with the header alone', { 'x-gatehouse-secret': 'header' }],
    ['with another scheme', { ...headers(), authorization: 'Bearer abc' }],
    [
      'with something behind the credentials',
      { ...headers(), authorization: `${headers()['authorization']} x` },
    ],
  ])('do not hold %s', (_what, given) => {
    expect(source.authenticate(given, created)).toBe(false);
  });

  it('hold under any of several, so that each can be rotated', () => {
    const rotating = createAzureDevOpsWebhookSource(
      azureInstance({
        hookPasswords: [{ value: new Secret('new') }, { value: new Secret('old') }],
        hookHeaderSecrets: [{ value: new Secret('next') }, { value: new Secret('last') }],
      }),
    );
    expect(rotating.authenticate(headers('gatehouse', 'old', 'next'), created)).toBe(true);
    expect(rotating.authenticate(headers('gatehouse', 'new', 'last'), created)).toBe(true);
    expect(rotating.authenticate(headers('gatehouse', 'next', 'old'), created)).toBe(false);
  });

  it.each([
    ['user', { hookUser: undefined }],
    ['password', { hookPasswords: [{ value: new Secret('') }] }],
    ['header', { hookHeaderSecrets: [] }],
  ])('are not configured without a %s, and then nothing holds', (_what, change) => {
    const open = createAzureDevOpsWebhookSource(azureInstance(change));
    expect(open.isConfigured).toBe(false);
    expect(open.authenticate(headers('', '', ''), created)).toBe(false);
    expect(open.authenticate(headers('gatehouse', '', 'header'), created)).toBe(false);
  });
});

describe('secrets that are limited to repositories', () => {
  const limitedBy = (passwords: string[] | undefined, headerGlobs: string[] | undefined) =>
    createAzureDevOpsWebhookSource(
      azureInstance({
        hookPasswords: [
          { value: new Secret('pässword'), ...(passwords === undefined ? {} : { repositories: passwords }) },
        ],
        hookHeaderSecrets: [
          {
            value: new Secret('header'),
            ...(headerGlobs === undefined ? {} : { repositories: headerGlobs }),
          },
        ],
      }),
    );

  it('hold for their own repositories, which the event then says', () => {
    const limited = limitedBy(['fabrikam/sh*'], undefined);
    expect(limited.authenticate(headers(), created)).toBe(true);
    expect(limited.read(headers(), created).signedFor).toEqual(['fabrikam/sh*']);
    expect(limited.authenticate(headers(), bytes(commentEvent()))).toBe(true);
  });

  it('hold for no other repository and for no event without one', () => {
    const limited = limitedBy(undefined, ['fabrikam/other']);
    expect(limited.authenticate(headers(), created)).toBe(false);
    expect(limited.authenticate(headers(), bytes(commentEvent()))).toBe(false);
    expect(limited.authenticate(headers(), bytes('{}'))).toBe(false);
    expect(limited.authenticate(headers(), bytes('no JSON'))).toBe(false);
  });

  it('hold only for what both say when both are limited', () => {
    const both = limitedBy(['fabrikam/shop', 'fabrikam/a'], ['fabrikam/b', 'fabrikam/shop']);
    expect(both.authenticate(headers(), created)).toBe(true);
    expect(both.read(headers(), created).signedFor).toEqual(['fabrikam/shop']);
    expect(limitedBy(['fabrikam/shop'], ['fabrikam/*']).authenticate(headers(), created)).toBe(false);
  });

  it('are not fooled by a second repository beside the one that is read', () => {
    const limited = limitedBy(['fabrikam/other'], undefined);
    const event = commentEvent();
    const own = { id: '4bc14d40-c903-45e2-872e-0462c7748079', name: 'other', project: { name: 'fabrikam' } };
    const forged = { ...event, resource: { ...(event.resource as object), repository: own } };
    expect(limited.authenticate(headers(), bytes(forged))).toBe(false);
  });
});

describe('the key of a delivery', () => {
  const key = (payload: unknown): string => source.deliveryKey({}, bytes(payload));
  const first = envelope('git.pullrequest.created', pull());

  it('is the same for a retry of the notification, whatever else changed', () => {
    expect(key(first)).toMatch(/^[0-9a-f]{64}$/);
    expect(key({ ...first, createdDate: '2026-05-01T10:00:09Z', id: 'other' })).toBe(key(first));
  });

  it('differs by notification, by subscription and by instance', () => {
    const keys = [
      key(first),
      key({ ...first, notificationId: 8 }),
      key({ ...first, subscriptionId: 'B2F7A9A4-0000-4000-8000-000000000002' }),
      createAzureDevOpsWebhookSource(azureInstance({ id: 'other' })).deliveryKey({}, bytes(first)),
      key({ ...first, subscriptionId: undefined }),
      key('no JSON'),
    ];
    expect(new Set(keys).size).toBe(6);
  });
});

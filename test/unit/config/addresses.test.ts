import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { COMPLETE, GITHUB_INSTANCE } from './complete-settings.ts';

const AZURE = { WEBSITE_INSTANCE_ID: 'a1b2' };
const AZURITE =
  'DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:1/d;QueueEndpoint=http://127.0.0.1:2/d;TableEndpoint=http://localhost:3/d;';

const WITHOUT_ENDPOINTS = {
  ...COMPLETE,
  GATEHOUSE_STORAGE__queueServiceUri: undefined,
  GATEHOUSE_STORAGE__tableServiceUri: undefined,
};

describe('addresses of services', () => {
  const instanceAt = (url: string) => ({
    GATEHOUSE_INSTANCES: JSON.stringify([{ ...GITHUB_INSTANCE, apiUrl: url }]),
  });

  it.each([
    'https://api.example',
    'https://api.example:8443/v3',
    'http://127.0.0.1:4000',
    'http://localhost:4000/x',
    'http://[::1]:4000',
  ])('%s is taken on a developer machine', (url) => {
    const config = loadConfig({ ...COMPLETE, ...instanceAt(url), ANTHROPIC_BASE_URL: url });
    expect(config.problems).toEqual([]);
    expect(config.instances[0]?.apiUrl.href).toBe(new URL(url).href);
    expect(config.model?.baseUrl.href).toBe(new URL(url).href);
  });

  it.each([
    ['http://api.example', 'Use https (http only to loopback, never in Azure).'],
    ['http://127.0.0.1.api.example', 'Use https (http only to loopback, never in Azure).'],
    ['http://localhost.api.example', 'Use https (http only to loopback, never in Azure).'],
    ['http://10.0.0.1', 'Use https (http only to loopback, never in Azure).'],
    ['http://0.0.0.0', 'Use https (http only to loopback, never in Azure).'],
    ['ftp://api.example', 'Use https (http only to loopback, never in Azure).'],
    ['file:///etc/passwd', 'Use https (http only to loopback, never in Azure).'],
    ['https://user:word@api.example', 'Take the user name and password out of the address.'],
    ['api.example', 'Write an absolute address such as https://host.'],
  ])('%s is refused, for providers and for the model', (url, advice) => {
    const config = loadConfig({ ...COMPLETE, ...instanceAt(url), ANTHROPIC_BASE_URL: url });
    expect(config.instances).toEqual([]);
    expect(config.model).toBeUndefined();
    expect(config.problems).toEqual([
      { setting: 'GATEHOUSE_INSTANCES', governs: 'webhooks/main', advice: `Entry 1, apiUrl: ${advice}` },
      { setting: 'ANTHROPIC_BASE_URL', governs: 'review', advice },
    ]);
  });

  it('is never plain http in Azure, loopback included', () => {
    const url = 'http://127.0.0.1:4000';
    const config = loadConfig({ ...COMPLETE, ...AZURE, ...instanceAt(url), ANTHROPIC_BASE_URL: url });
    expect(config.instances).toEqual([]);
    expect(config.model).toBeUndefined();
  });
});

describe('storage', () => {
  it('is two endpoints and the identity', () => {
    const { storage } = loadConfig({ ...COMPLETE, GATEHOUSE_STORAGE__clientId: 'client-1' });
    expect(storage).toEqual({
      kind: 'identity',
      queueServiceUri: new URL('https://account.queue.core.windows.net'),
      tableServiceUri: new URL('https://account.table.core.windows.net'),
      clientId: 'client-1',
    });
  });

  it.each([AZURITE, 'UseDevelopmentStorage=true', 'UseDevelopmentStorage=true;'])(
    'may be Azurite: %s',
    (text) => {
      const config = loadConfig({ ...WITHOUT_ENDPOINTS, GATEHOUSE_STORAGE: text });
      expect(config.problems).toEqual([]);
      expect(config.storage).toMatchObject({ kind: 'connection-string' });
      expect(config.secrets.map((secret) => secret.reveal())).toContain(text);
    },
  );

  it.each([
    [
      'a real account',
      'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=a2V5;EndpointSuffix=core.windows.net',
    ],
    ['a real queue', AZURITE.replace('http://127.0.0.1:2/d', 'https://a.queue.core.windows.net')],
    ['a second queue that is real', `${AZURITE}QueueEndpoint=https://a.queue.core.windows.net;`],
    ['queues derived from the account name', AZURITE.replace(/QueueEndpoint=[^;]+;/, '')],
    ['tables derived from the account name', AZURITE.replace(/TableEndpoint=[^;]+;/, '')],
    ['an endpoint suffix besides', `${AZURITE}EndpointSuffix=core.windows.net`],
    ['a proxy elsewhere', 'UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://10.0.0.1'],
    ['a host that looks local', AZURITE.replace('localhost', 'localhost.example')],
    ['no connection string', 'hello'],
  ])('is refused as a connection string to %s', (_name, text) => {
    const config = loadConfig({ ...WITHOUT_ENDPOINTS, GATEHOUSE_STORAGE: text });
    expect(config.storage).toBeUndefined();
    expect(config.problems.map(({ setting, governs }) => [setting, governs])).toEqual([
      ['GATEHOUSE_STORAGE', 'storage'],
    ]);
    expect(JSON.stringify(config.problems)).not.toContain('a2V5');
  });

  it('is never a connection string in Azure', () => {
    expect(
      loadConfig({ ...WITHOUT_ENDPOINTS, ...AZURE, GATEHOUSE_STORAGE: AZURITE }).storage,
    ).toBeUndefined();
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InstanceConfig } from '../../../shared/config/config.ts';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { COMPLETE, GITHUB_INSTANCE } from './complete-settings.ts';

const { privateKey: PEM, publicKey: PUBLIC_PEM } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

const EAST = {
  ...GITHUB_INSTANCE,
  id: 'east-1',
  webUrl: 'https://git.east',
  apiUrl: 'https://git.east/api/v3',
};
const TWO_GITHUBS = JSON.stringify([GITHUB_INSTANCE, EAST]);

function load(changes: Readonly<Record<string, string | undefined>>) {
  return loadConfig({ ...COMPLETE, ...changes });
}

/** What an instance holds besides addresses, every secret in clear and undefined parts left out, to compare. */
function secretsOf(instance: InstanceConfig | undefined): unknown {
  if (instance === undefined) return undefined;
  const { webUrl: _web, apiUrl: _api, archiveHosts: _hosts, repositories: _repositories, ...rest } = instance;
  return JSON.parse(JSON.stringify(reveal(rest)));
}

function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== 'object' || value === null) return value;
  if ('reveal' in value && typeof value.reveal === 'function') return value.reveal();
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reveal(inner)]));
}

describe('instances', () => {
  it('reads one of each provider', () => {
    const config = load({
      GATEHOUSE_INSTANCES: JSON.stringify([
        GITHUB_INSTANCE,
        { ...GITHUB_INSTANCE, id: 'ado', provider: 'azure-devops' },
        { ...GITHUB_INSTANCE, id: 'lab', provider: 'gitlab', archiveHosts: undefined },
      ]),
      AZURE_DEVOPS_HOOK_USER: 'hooks',
      AZURE_DEVOPS_HOOK_PASSWORDS: 'old-password,new-password',
      AZURE_DEVOPS_HOOK_HEADER_SECRETS: '["header, with a comma"]',
      GITLAB_TOKEN: 'lab-token',
      GITLAB_SIGNING_TOKENS: 'whsec_a',
      GITLAB_WEBHOOK_TOKENS: '[{"value": "scoped", "repositories": ["acme/one"]}]',
    });
    expect(config.problems).toEqual([]);
    expect(config.instances.map(secretsOf)).toEqual([
      {
        id: 'main',
        provider: 'github',
        credential: { kind: 'token', token: 'token-of-main' },
        webhookSecrets: [{ value: 'hook-one' }, { value: 'hook-two' }],
      },
      {
        id: 'ado',
        provider: 'azure-devops',
        hookUser: 'hooks',
        hookPasswords: [{ value: 'old-password' }, { value: 'new-password' }],
        hookHeaderSecrets: [{ value: 'header, with a comma' }],
      },
      {
        id: 'lab',
        provider: 'gitlab',
        token: 'lab-token',
        signingTokens: [{ value: 'whsec_a' }],
        webhookTokens: [{ value: 'scoped', repositories: ['acme/one'] }],
      },
    ]);
    expect(config.instances[2]?.archiveHosts).toEqual([]);
  });

  it('gives a second instance of a provider only what carries its suffix', () => {
    const alone = load({ GATEHOUSE_INSTANCES: TWO_GITHUBS });
    expect(secretsOf(alone.instances[1])).toEqual({ id: 'east-1', provider: 'github', webhookSecrets: [] });
    expect(alone.problems.map(({ setting, governs }) => [setting, governs])).toEqual([
      ['GITHUB_WEBHOOK_SECRETS__EAST_1', 'webhooks/east-1'],
      ['GITHUB_APP_ID__EAST_1', 'review/east-1'],
    ]);
    const both = load({
      GATEHOUSE_INSTANCES: TWO_GITHUBS,
      GITHUB_TOKEN__EAST_1: 'token-of-east',
      GITHUB_WEBHOOK_SECRETS__EAST_1: 'hook-of-east',
    });
    expect(both.problems).toEqual([]);
    expect(secretsOf(both.instances[1])).toMatchObject({
      credential: { kind: 'token', token: 'token-of-east' },
      webhookSecrets: [{ value: 'hook-of-east' }],
    });
    expect(secretsOf(both.instances[0])).toMatchObject({ credential: { token: 'token-of-main' } });
  });

  it('lets the first instance carry its suffix too, whatever the order', () => {
    const config = load({
      GATEHOUSE_INSTANCES: JSON.stringify([EAST]),
      GITHUB_TOKEN__EAST_1: 'token-of-east',
      GITHUB_WEBHOOK_SECRETS__EAST_1: 'hook-of-east',
    });
    expect(secretsOf(config.instances[0])).toMatchObject({ credential: { token: 'token-of-east' } });
  });

  it.each([
    ['an address that is refused', { ...GITHUB_INSTANCE, apiUrl: 'http://api.github.com' }],
    ['a field that is wrong', { ...GITHUB_INSTANCE, repositories: [] }],
    ['a provider that is misspelt', { ...GITHUB_INSTANCE, provider: 'githb' }],
    ['no provider at all', 'github'],
  ])('never hands the secrets of an entry with %s to the next entry', (_name, broken) => {
    const config = load({ GATEHOUSE_INSTANCES: JSON.stringify([broken, EAST]) });
    expect(config.instances.map(secretsOf)).toEqual([
      { id: 'east-1', provider: 'github', webhookSecrets: [] },
    ]);
  });

  it('leaves out an entry that repeats an id', () => {
    const config = load({ GATEHOUSE_INSTANCES: JSON.stringify([GITHUB_INSTANCE, { ...EAST, id: 'main' }]) });
    expect(config.instances.map(({ webUrl }) => webUrl.href)).toEqual(['https://github.com/']);
    expect(config.problems).toEqual([
      {
        setting: 'GATEHOUSE_INSTANCES',
        governs: 'webhooks/main',
        advice: 'Entry 2 repeats an id; ids are unique.',
      },
    ]);
  });

  it('names a secret whose suffix belongs to nobody', () => {
    const { problems } = load({
      GITHUB_TOKEN__WEST: 'x',
      GITHUB_TOKEN__main: 'y',
      GITHUB_WEBHOOK_SECRETS__: 'z',
    });
    expect(problems.map(({ setting, governs }) => [setting, governs])).toEqual([
      ['GITHUB_TOKEN__WEST', 'review'],
      ['GITHUB_TOKEN__main', 'review'],
      ['GITHUB_WEBHOOK_SECRETS__', 'webhooks'],
    ]);
  });
});

describe('a GitHub App key', () => {
  it.each([
    ['as PEM', PEM],
    ['as PEM with \\n written out', PEM.replaceAll('\n', '\\n')],
    ['as base64', Buffer.from(PEM).toString('base64')],
    [
      'as base64 over several lines',
      Buffer.from(PEM)
        .toString('base64')
        .replaceAll(/(.{64})/g, '$1\n'),
    ],
  ])('is read %s, and both what was written and what it means are secret', (_name, text) => {
    const config = load({ GITHUB_TOKEN: undefined, GITHUB_APP_ID: '17', GITHUB_APP_PRIVATE_KEY: text });
    expect(config.problems).toEqual([]);
    expect(secretsOf(config.instances[0])).toMatchObject({
      credential: { kind: 'app', appId: '17', privateKey: PEM.trim() },
    });
    const kept = config.secrets.map((secret) => secret.reveal());
    expect(kept).toContain(text.trim());
    expect(kept).toContain(PEM.trim());
  });

  it.each([
    ['cut short', PEM.slice(0, 400)],
    ['a public key', PUBLIC_PEM],
    ['no PEM', 'not a key'],
    ['base64 of something else', Buffer.from('hello').toString('base64')],
  ])('that is %s closes the reviews of its instance and stays secret', (_name, text) => {
    const config = load({ GITHUB_TOKEN: undefined, GITHUB_APP_ID: '17', GITHUB_APP_PRIVATE_KEY: text });
    expect(config.problems.map(({ setting, governs }) => [setting, governs])).toEqual([
      ['GITHUB_APP_PRIVATE_KEY', 'review/main'],
    ]);
    expect(config.instances[0]).toMatchObject({ credential: undefined });
    expect(config.secrets.map((secret) => secret.reveal())).toContain(text.trim());
  });
});

describe('a list of secrets', () => {
  const listOf = (text: string): unknown => secretsOf(load({ GITHUB_WEBHOOK_SECRETS: text }).instances[0]);

  it.each([
    ['a,b', [{ value: 'a' }, { value: 'b' }]],
    ['  a ,, b\n c ', [{ value: 'a' }, { value: 'b' }, { value: 'c' }]],
    ['["a,b", "c"]', [{ value: 'a,b' }, { value: 'c' }]],
    [
      '["a", {"value": "b", "repositories": ["x/y"]}]',
      [{ value: 'a' }, { value: 'b', repositories: ['x/y'] }],
    ],
  ])('%s', (text, expected) => {
    expect(listOf(text)).toMatchObject({ webhookSecrets: expected });
  });

  it.each([
    '["a"',
    '[1]',
    '[""]',
    '{"value": "a", "repositories": ["x/y"]}',
    '"a", "b"',
    '[{"value": "a", "repositories": []}]',
    '[{"value": "a", "repository": "x/y"}]',
  ])('%s is no list: no secret is made of its pieces', (text) => {
    expect(listOf(text)).toMatchObject({ webhookSecrets: [] });
    const config = load({ GITHUB_WEBHOOK_SECRETS: text });
    expect(config.problems.map(({ setting, governs }) => [setting, governs])).toEqual([
      ['GITHUB_WEBHOOK_SECRETS', 'webhooks/main'],
    ]);
  });
});

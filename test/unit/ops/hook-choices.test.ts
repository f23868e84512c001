import { describe, expect, it } from 'vitest';
import { parseHookArguments } from '../../../infra/ops/hooks/hook-arguments.ts';
import { choosePlaces } from '../../../infra/ops/hooks/hook-place.ts';
import { chooseAzureSecrets, chooseGitLabSecrets } from '../../../infra/ops/hooks/hook-secrets.ts';
import { hookUrl } from '../../../infra/ops/hooks/hook-url.ts';
import type { AzureDevOpsInstance, GitLabInstance, WebhookSecret } from '../../../shared/config/config.ts';
import { Secret } from '../../../shared/config/secret.ts';
import { azureInstance } from '../azure-devops/deliveries.ts';

const secret = (value: string, repositories?: string[]): WebhookSecret => ({
  value: new Secret(value),
  ...(repositories === undefined ? {} : { repositories }),
});

function gitlabInstance(change: Partial<GitLabInstance> = {}): GitLabInstance {
  return {
    id: 'lab',
    provider: 'gitlab',
    webUrl: new URL('https://gitlab.com'),
    apiUrl: new URL('https://gitlab.com/api/v4'),
    archiveHosts: [],
    repositories: ['acme/**'],
    token: undefined,
    signingTokens: [],
    webhookTokens: [],
    ...change,
  };
}

describe('parseHookArguments', () => {
  it('reads the options', () => {
    const argv = ['--instance', 'azure', '--project', '/Shop/', '--url', 'https://x', '--dry-run', '--json'];
    expect(parseHookArguments(argv)).toEqual({
      instance: 'azure',
      place: { option: 'project', name: 'Shop' },
      url: 'https://x',
      dryRun: true,
      json: true,
    });
    expect(parseHookArguments(['--help'])).toBeUndefined();
  });

  it.each([
    [['--project', 'a'], '--instance names'],
    [['--instance', 'a', '--project', 'p', '--repository', 'r'], 'exclude each other'],
    [['--instance', 'a', '--group', '/'], '--group takes a name'],
    [['--instance', 'a', 'more'], 'more'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseHookArguments(argv)).toThrow(message);
  });
});

describe('choosePlaces', () => {
  const azure = azureInstance({ repositories: ['Fabrikam/*', 'Other/Tools'] });
  const gitlab = gitlabInstance({ repositories: ['acme/**', 'beta/team/app', 'gamma/*'] });

  it('takes the places of the settings', () => {
    expect(choosePlaces(azure, undefined)).toEqual([
      { kind: 'container', name: 'Fabrikam' },
      { kind: 'repository', name: 'Other/Tools' },
    ]);
    expect(choosePlaces(gitlab, undefined)).toEqual([
      { kind: 'container', name: 'acme' },
      { kind: 'repository', name: 'beta/team/app' },
      { kind: 'container', name: 'gamma' },
    ]);
  });

  it.each([['*/*'], ['**'], ['acme/web-*'], ['*']])('asks for a place where the settings say %s', (glob) => {
    expect(() => choosePlaces(azureInstance({ repositories: [glob] }), undefined)).toThrow(/Say it with/);
  });

  it('reads the option as the provider means it', () => {
    expect(choosePlaces(azure, { option: 'project', name: 'Shop' })).toEqual([
      { kind: 'container', name: 'Shop' },
    ]);
    expect(choosePlaces(gitlab, { option: 'project', name: 'a/b/c' })).toEqual([
      { kind: 'repository', name: 'a/b/c' },
    ]);
    expect(choosePlaces(gitlab, { option: 'group', name: 'a' })).toEqual([{ kind: 'container', name: 'a' }]);
    expect(() => choosePlaces(azure, { option: 'group', name: 'a' })).toThrow('--group is for GitLab');
    expect(() => choosePlaces(azure, { option: 'project', name: 'a/b' })).toThrow('takes one name');
    expect(() => choosePlaces(azure, { option: 'repository', name: 'b' })).toThrow('project/repository');
    expect(() => choosePlaces(gitlab, { option: 'repository', name: 'b' })).toThrow('group/project');
  });
});

describe('chooseAzureSecrets', () => {
  const place = { kind: 'container', name: 'Shop' } as const;
  const choose = (change: Partial<AzureDevOpsInstance>): unknown => {
    const { password, headerSecret } = chooseAzureSecrets(azureInstance(change), place);
    return [password, headerSecret];
  };

  it('prefers secrets that vouch for this place alone, but only pairs that vouch for all of it', () => {
    const plain = secret('plain');
    const shop = secret('shop', ['shop/*']);
    const part = secret('part', ['Shop/web']);
    const pattern = secret('pattern', ['Sh*p/*']);
    expect(choose({ hookPasswords: [plain, part, shop] })).toEqual(['shop', 'header']);
    expect(choose({ hookPasswords: [part, plain] })).toEqual(['plain', 'header']);
    // Both limited, by globs that are not literally the same: the app would take nothing from such a pair.
    expect(choose({ hookPasswords: [shop], hookHeaderSecrets: [pattern, plain] })).toEqual(['shop', 'plain']);
    expect(() => choose({ hookPasswords: [shop], hookHeaderSecrets: [pattern] })).toThrow(
      'vouch for all of Shop',
    );
    expect(() => choose({ hookPasswords: [part] })).toThrow('vouch for all of Shop');
  });

  it.each([
    [{ hookUser: undefined }, 'Set AZURE_DEVOPS_HOOK_USER'],
    [{ hookUser: 'a:b' }, 'AZURE_DEVOPS_HOOK_USER holds'],
    [{ hookPasswords: [secret('with space')] }, 'AZURE_DEVOPS_HOOK_PASSWORDS holds'],
    [{ hookPasswords: [secret('p'.repeat(257))] }, 'AZURE_DEVOPS_HOOK_PASSWORDS holds'],
    [{ hookHeaderSecrets: [] }, 'Set AZURE_DEVOPS_HOOK_HEADER_SECRETS'],
    [{ hookHeaderSecrets: [secret('a\r\nX-Other:b')] }, 'AZURE_DEVOPS_HOOK_HEADER_SECRETS holds'],
  ])('refuses what cannot work: case %#', (change, message) => {
    expect(() => choose(change)).toThrow(message);
  });

  it('takes a password of 256 characters', () => {
    expect(choose({ hookPasswords: [secret('p'.repeat(256))] })).toEqual(['p'.repeat(256), 'header']);
  });
});

describe('chooseGitLabSecrets', () => {
  it('needs a secret that vouches for groups within a group, too', () => {
    const group = { kind: 'container', name: 'acme' } as const;
    const direct = gitlabInstance({ webhookTokens: [secret('t', ['acme/*'])] });
    expect(() => chooseGitLabSecrets(direct, group)).toThrow('vouch for all of acme');
    const all = gitlabInstance({ webhookTokens: [secret('t', ['acme/**'])] });
    expect(chooseGitLabSecrets(all, group)).toEqual({ signingToken: undefined, token: 't' });
  });
});

describe('hookUrl', () => {
  it.each([
    ['https://app.example', 'https://app.example/webhooks/azure'],
    ['https://app.example/', 'https://app.example/webhooks/azure'],
    ['https://proxy.example/base/?q#f', 'https://proxy.example/base/webhooks/azure'],
    ['https://app.example/webhooks/azure', 'https://app.example/webhooks/azure'],
  ])('of %s is %s', (given, expected) => {
    expect(hookUrl('azure', given, new URL('https://other.example')).href).toBe(expected);
  });

  it('falls back to the setting, and takes nothing but https', () => {
    expect(hookUrl('a', undefined, new URL('https://other.example')).href).toBe(
      'https://other.example/webhooks/a',
    );
    expect(() => hookUrl('a', undefined, undefined)).toThrow('GATEHOUSE_PUBLIC_URL');
    expect(() => hookUrl('a', 'http://app.example', undefined)).toThrow('https');
    expect(() => hookUrl('a', 'https://u:p@app.example', undefined)).toThrow('no user name');
  });
});

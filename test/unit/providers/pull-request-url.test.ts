import { describe, expect, it } from 'vitest';
import {
  formatPullRequestUrl,
  parsePullRequestTarget,
  parsePullRequestUrl,
} from '../../../shared/providers/pull-request-url.ts';

const instances = [
  { id: 'github', provider: 'github', webUrl: new URL('https://github.com') },
  { id: 'ghes', provider: 'github', webUrl: new URL('https://git.corp.example') },
  { id: 'ado', provider: 'azure-devops', webUrl: new URL('https://dev.azure.com/Fabrikam') },
  { id: 'ado-old', provider: 'azure-devops', webUrl: new URL('https://contoso.visualstudio.com') },
  { id: 'tfs', provider: 'azure-devops', webUrl: new URL('https://tfs.corp.example/tfs/DefaultCollection') },
  { id: 'gitlab', provider: 'gitlab', webUrl: new URL('https://gitlab.com') },
  { id: 'lab', provider: 'gitlab', webUrl: new URL('https://corp.example/gitlab/') },
] as const;

describe('the address of a pull request', () => {
  it.each([
    ['https://github.com/acme/shop/pull/12', 'github', 'acme/shop', 12],
    ['  https://github.com/acme/shop/pull/12/files?w=1#diff-1 ', 'github', 'acme/shop', 12],
    ['https://GitHub.com/acme/shop/pull/12/commits/abc', 'github', 'acme/shop', 12],
    ['https://git.corp.example/acme/shop/pull/7', 'ghes', 'acme/shop', 7],
    [
      'https://dev.azure.com/fabrikam/My%20Project/_git/My%20Repo/pullrequest/3?_a=files',
      'ado',
      'My Project/My Repo',
      3,
    ],
    ['https://dev.azure.com/Fabrikam/_git/Shop/pullRequest/3', 'ado', 'Shop/Shop', 3],
    ['https://fabrikam.visualstudio.com/Web/_git/Shop/pullrequest/4', 'ado', 'Web/Shop', 4],
    ['https://fabrikam.visualstudio.com/DefaultCollection/Web/_git/Shop/pullrequest/4', 'ado', 'Web/Shop', 4],
    ['https://contoso.visualstudio.com/_git/Shop/pullrequest/5', 'ado-old', 'Shop/Shop', 5],
    ['https://dev.azure.com/contoso/Web/_git/Shop/pullrequest/5', 'ado-old', 'Web/Shop', 5],
    ['https://tfs.corp.example/tfs/DefaultCollection/Web/_git/Shop/pullrequest/6', 'tfs', 'Web/Shop', 6],
    ['https://gitlab.com/group/sub/deep/shop/-/merge_requests/8/diffs', 'gitlab', 'group/sub/deep/shop', 8],
    ['https://gitlab.com/group/shop/merge_requests/8', 'gitlab', 'group/shop', 8],
    ['https://gitlab.com/merge_requests/shop/-/merge_requests/9', 'gitlab', 'merge_requests/shop', 9],
    ['https://corp.example/gitlab/group/shop/-/merge_requests/10', 'lab', 'group/shop', 10],
  ])('%s', (url, instance, repository, number) => {
    expect(parsePullRequestUrl(url, instances)).toMatchObject({ instance, repository, number });
  });

  it.each([
    'https://github.com/acme/shop/issues/12',
    'https://github.com/acme/shop/pull/0',
    'https://github.com/acme/shop/pull/12x',
    'https://github.com/acme/shop/pull/99999999999',
    'https://github.com/acme/pull/12',
    'https://github.com/acme%2F..%2Fother/shop/pull/12',
    'https://github.com/acme/%2E%2E/pull/12',
    'https://github.com/acme/sh%00p/pull/12',
    'https://github.com/acme/sh%zzp/pull/12',
    'https://user:pw@github.com/acme/shop/pull/12',
    'ftp://github.com/acme/shop/pull/12',
    'github.com/acme/shop/pull/12',
    'acme/shop#12',
    `https://github.com/acme/shop/pull/12?${'x'.repeat(2_000)}`,
    '',
    'https://dev.azure.com/fabrikam/a/b/_git/Shop/pullrequest/3',
    'https://tfs.corp.example/tfs/DefaultCollection/Web/_git/Shop/commit/6',
    'https://gitlab.com/shop/-/merge_requests/8',
  ])('is not %j', (url) => {
    expect(() => parsePullRequestUrl(url, instances)).toThrow(
      expect.objectContaining({ kind: 'rejected', code: expect.stringMatching(/^pull_request_url_/) }),
    );
  });

  it.each([
    'https://evil.example/acme/shop/pull/12',
    'http://github.com/acme/shop/pull/12',
    'https://github.com:444/acme/shop/pull/12',
    'https://dev.azure.com/other/Web/_git/Shop/pullrequest/3',
    'https://fabrikam.visualstudio.com.evil.example/Web/_git/Shop/pullrequest/4',
    'https://tfs.corp.example/tfs/Other/Web/_git/Shop/pullrequest/6',
    'https://corp.example/group/shop/-/merge_requests/10',
  ])('%s is at no configured instance, and the error says which there are', (url) => {
    expect(() => parsePullRequestUrl(url, instances)).toThrow(
      expect.objectContaining({
        kind: 'rejected',
        code: 'pull_request_url_unknown_host',
        message: expect.stringContaining('Configured: github.com'),
      }),
    );
  });

  it.each([
    ['github', 'acme/shop', 'https://github.com/acme/shop/pull/12'],
    [
      'ado',
      'My Project/My Repo',
      'https://dev.azure.com/Fabrikam/My%20Project/_git/My%20Repo/pullrequest/12',
    ],
    ['tfs', 'Web/Shop', 'https://tfs.corp.example/tfs/DefaultCollection/Web/_git/Shop/pullrequest/12'],
    ['lab', 'group/sub/shop', 'https://corp.example/gitlab/group/sub/shop/-/merge_requests/12'],
  ])('of %s is written so that it is read the same', (id, repository, expected) => {
    const instance = instances.find((one) => one.id === id) ?? instances[0];
    const address = { provider: instance.provider, instance: id, repository, number: 12 };
    expect(formatPullRequestUrl(address, instance)).toBe(expected);
    expect(parsePullRequestUrl(expected, instances)).toEqual(address);
  });
});

describe('the target of a route', () => {
  it.each([
    ['acme/shop/12', { repository: 'acme/shop', number: 12 }],
    ['group/sub/shop/1', { repository: 'group/sub/shop', number: 1 }],
    ['My%20Project/Repo/3', { repository: 'My Project/Repo', number: 3 }],
    ['12', undefined],
    ['acme/shop/', undefined],
    ['acme/shop/0', undefined],
    ['acme//shop/1', undefined],
    ['acme/../shop/1', undefined],
    ['acme/%2e%2e/1', undefined],
    ['acme/a%2Fb/1', undefined],
    ['acme/%zz/1', undefined],
  ])('%s', (target, expected) => {
    expect(parsePullRequestTarget(target)).toEqual(expected);
  });
});

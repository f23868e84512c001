import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../shared/domain/app-error.ts';
import type { AddressedInstance } from '../../../shared/providers/pull-request-url.ts';
import { formatPullRequestUrl, parsePullRequestUrl } from '../../../shared/providers/pull-request-url.ts';

const instances: readonly AddressedInstance[] = [
  { id: 'github', provider: 'github', webUrl: new URL('https://github.com') },
  { id: 'ado', provider: 'azure-devops', webUrl: new URL('https://dev.azure.com/fabrikam') },
  { id: 'gitlab', provider: 'gitlab', webUrl: new URL('https://corp.example/gitlab') },
];

const name = fc
  .string({
    unit: fc.constantFrom('a', 'Z', '0', '-', '_', '.', ' ', 'ü', '%', '+', '&'),
    minLength: 1,
    maxLength: 8,
  })
  .filter((text) => text !== '.' && text !== '..' && text !== '_git' && text !== '-');

describe('addresses', () => {
  it('are read as they were written, whatever the names', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...instances),
        name,
        name,
        fc.integer({ min: 1, max: 2 ** 31 }),
        (instance, owner, repo, number) => {
          const address = {
            provider: instance.provider,
            instance: instance.id,
            repository: `${owner}/${repo}`,
            number,
          };
          expect(parsePullRequestUrl(formatPullRequestUrl(address, instance), instances)).toEqual(address);
        },
      ),
    );
  });

  it('are read or refused, whatever is given', () => {
    const given = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.webPath().map((path) => `https://github.com${path}`),
    );
    fc.assert(
      fc.property(given, (text) => {
        expect(outcome(text)).toMatch(/^(?:github|ado|gitlab|rejected)$/);
      }),
    );
  });
});

function outcome(text: string): string {
  try {
    return parsePullRequestUrl(text, instances).instance;
  } catch (error) {
    return isAppError(error) ? error.kind : String(error);
  }
}

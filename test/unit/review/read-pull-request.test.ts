import { describe, expect, it } from 'vitest';
import type { PullRequest } from '../../../shared/domain/pull-request.ts';
import type { Provider } from '../../../shared/providers/ports.ts';
import { readPullRequest } from '../../../shared/review/read-pull-request.ts';
import type { PullRequestState } from '../../../shared/sessions/ports.ts';

const OPEN: PullRequest = {
  ref: {
    provider: 'github',
    instance: 'github',
    repositoryId: '7',
    number: 3,
    repository: 'acme/payments',
  },
  title: 'A change',
  description: '',
  state: 'open',
  isDraft: false,
  author: { id: '1', login: 'dana', isBot: false },
  isFork: false,
  headSha: 'a'.repeat(40),
  headRef: 'change',
  baseSha: 'b'.repeat(40),
  baseRef: 'main',
  mergeBaseSha: 'b'.repeat(40),
  changedFiles: 1,
  webUrl: 'https://github.com/acme/payments/pull/3',
};

async function reasonFor(
  change: Partial<PullRequest>,
  ids: Readonly<Record<string, string>> = {},
  state: PullRequestState = {},
): Promise<string | undefined> {
  const pullRequest = { ...OPEN, ...change };
  const provider: Pick<Provider, 'pullRequests' | 'identity'> = {
    pullRequests: { getPullRequest: async () => pullRequest, listChangedFiles: async () => [] },
    identity: { whoAmI: async () => ({ id: '99', login: 'gatehouse', isBot: true }) },
  };
  const reading = await readPullRequest(provider, pullRequest.ref, state, { ids });
  return reading.kind === 'skip' ? reading.reason : undefined;
}

describe('an event is only a hint: the provider says what is reviewed', () => {
  it('reviews an open pull request', async () => {
    expect(await reasonFor({})).toBeUndefined();
  });

  it.each([
    ['closed', { state: 'closed' }],
    ['merged', { state: 'merged' }],
    ['draft', { isDraft: true }],
    ['no_changes', { changedFiles: 0 }],
  ] as const)('skips as %s', async (reason, change) => {
    expect(await reasonFor(change)).toBe(reason);
  });

  it('skips while paused, and what was completed already', async () => {
    expect(await reasonFor({}, {}, { paused: true })).toBe('paused');
    const done = { lastCompletedHead: 'a'.repeat(40), lastCompletedBase: 'b'.repeat(40) };
    expect(await reasonFor({}, {}, done)).toBe('nothing_new');
    expect(await reasonFor({}, {}, { ...done, lastCompletedBase: 'c'.repeat(40) })).toBeUndefined();
  });
});

describe('a secret that is limited to some repositories cannot sign for another one by its id', () => {
  it('skips when the name behind the id is outside the limit', async () => {
    expect(await reasonFor({}, { signedFor: '["acme/website"]' })).toBe('not_signed_for');
    expect(await reasonFor({}, { signedFor: '["acme/*"]' })).toBeUndefined();
  });
});

describe('a review request is for whoever was asked', () => {
  it('skips when that was somebody else', async () => {
    expect(await reasonFor({}, { requestedReviewerId: '12' })).toBe('reviewer_not_us');
    expect(await reasonFor({}, { requestedReviewerId: '99' })).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { createApplyControl } from '../../../shared/conversation/apply-control.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { PullRequest } from '../../../shared/domain/pull-request.ts';
import type { Provider, RepositoryPermission } from '../../../shared/providers/ports.ts';
import type { ControlDecision } from '../../../shared/sessions/ports.ts';

const AUTHOR = '1';
const STRANGER = '2';

interface Situation {
  readonly action: string;
  readonly actor?: string;
  readonly ids?: Readonly<Record<string, string>>;
  readonly pull?: Partial<Pick<PullRequest, 'state' | 'isDraft'>>;
  readonly permission?: RepositoryPermission;
}

async function decide(situation: Situation): Promise<ControlDecision> {
  const { action, actor = STRANGER, permission = 'read' } = situation;
  const ref = {
    provider: 'github',
    instance: 'github',
    repositoryId: '7',
    number: 3,
    repository: 'acme/payments',
  } as const;
  const pullRequest: PullRequest = {
    ref,
    title: '',
    description: '',
    state: 'open',
    isDraft: false,
    author: { id: AUTHOR, login: 'dana', isBot: false },
    isFork: false,
    headSha: 'a'.repeat(40),
    headRef: 'change',
    baseSha: 'b'.repeat(40),
    baseRef: 'main',
    mergeBaseSha: 'b'.repeat(40),
    changedFiles: 1,
    webUrl: '',
    ...situation.pull,
  };
  const provider: Pick<Provider, 'pullRequests' | 'permissions'> = {
    pullRequests: { getPullRequest: async () => pullRequest, listChangedFiles: async () => [] },
    permissions: { getPermission: async () => permission },
  };
  const job = (ticket: number, kind: Job['kind'], jobClass: Job['class'], ids: Job['ids']): Job => ({
    ticket,
    kind,
    class: jobClass,
    cause: 'test',
    ids,
    attempts: 0,
    notBefore: 0,
    firstFailedAt: 0,
  });
  const push = job(4, 'review.full', 'push', {});
  const control = job(5, 'control', 'control', {
    action,
    actorId: actor,
    actorLogin: 'somebody',
    ...situation.ids,
  });
  const apply = createApplyControl({ providerFor: async () => provider });
  return apply(control, { pr: ref, partitionKey: 'p', state: {}, running: push, earlier: [push] });
}

const NOT_CONFIRMED = { kind: 'ignored', reason: 'not_confirmed' };

describe('a control job takes effect only when the provider confirms its claim', () => {
  it.each([
    ['closed', { state: 'closed' }],
    ['closed', { state: 'merged' }],
    ['merged', { state: 'merged' }],
    ['draft', { isDraft: true }],
  ] as const)('%s holds for %o', async (action, pull) => {
    expect(await decide({ action, pull })).toMatchObject({ kind: 'applied', stopsRun: true });
  });

  it.each(['closed', 'merged', 'draft'])('%s on an open pull request is ignored', async (action) => {
    expect(await decide({ action })).toEqual(NOT_CONFIRMED);
  });

  it('an unknown action is ignored', async () => {
    expect(await decide({ action: 'approve', actor: AUTHOR })).toEqual(NOT_CONFIRMED);
  });

  it('an event signed for another repository is ignored', async () => {
    const ids = { signedFor: '["acme/website"]' };
    expect(await decide({ action: 'stop', actor: AUTHOR, ids })).toEqual(NOT_CONFIRMED);
  });
});

describe('a stranger cannot silence reviews', () => {
  it.each(['stop', 'pause', 'resume'])('%s by a reader is ignored', async (action) => {
    expect(await decide({ action, permission: 'read' })).toEqual(NOT_CONFIRMED);
    expect(await decide({ action, permission: 'none' })).toEqual(NOT_CONFIRMED);
  });

  it.each(['write', 'admin'] as const)('stop by somebody with %s access holds', async (permission) => {
    expect(await decide({ action: 'stop', permission })).toEqual({
      kind: 'applied',
      state: {},
      removed: [4],
      stopsRun: true,
    });
  });

  it('pause by the author holds and stops the review of a push', async () => {
    expect(await decide({ action: 'pause', actor: AUTHOR })).toEqual({
      kind: 'applied',
      state: { paused: true },
      removed: [4],
      stopsRun: true,
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { NewJob } from '../../../shared/domain/job.ts';
import type { IngressFacts } from '../../../shared/ingress/decide.ts';
import { decide } from '../../../shared/ingress/decide.ts';
import type { WebhookEvent } from '../../../shared/providers/ports.ts';
import { isInSignedScope } from '../../../shared/providers/signed-scope.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const DAY = 86_400_000;

const push: NewJob = { kind: 'review.full', class: 'push', cause: 'pull_request.opened', ids: {} };
const command: NewJob = { kind: 'comment', class: 'command', cause: 'issue_comment.created', ids: {} };
const control: NewJob = {
  kind: 'control',
  class: 'control',
  cause: 'pull_request.closed',
  ids: { action: 'closed' },
};

const pullRequest = {
  provider: 'github',
  instance: 'github',
  repositoryId: '1',
  number: 7,
  repository: 'acme/shop',
} as const;

function asked(requestedReviewerId: string): NewJob {
  return { ...command, ids: { requestedReviewerId } };
}

function event(job: NewJob, hints: WebhookEvent['hints'] = {}): WebhookEvent {
  return { name: job.cause, pullRequest, hints, request: { kind: 'job', job } };
}

function facts(given: WebhookEvent, change: Partial<IngressFacts> = {}): IngressFacts {
  return { event: given, repositories: ['acme/*'], now: NOW, retentionMs: 30 * DAY, ...change };
}

describe('deciding an authenticated event', () => {
  it.each([
    ['a push', push],
    ['a command', command],
    ['a control', control],
  ])('enqueues %s with its job unchanged', (_what, job) => {
    expect(decide(facts(event(job)))).toEqual({ kind: 'enqueue', pullRequest, job });
  });

  it('passes on the reason of an event that asks for nothing', () => {
    const ping: WebhookEvent = { name: 'ping', hints: {}, request: { kind: 'ignore', reason: 'ping' } };
    expect(decide(facts(ping))).toEqual({ kind: 'ignore', reason: 'ping' });
  });

  it.each([
    [
      'of a repository that is not covered',
      event(push),
      { repositories: ['other/*', 'acme'] },
      'repository_not_covered',
    ],
    ['older than the retention', event(push, { occurredAt: NOW - 30 * DAY - 1 }), {}, 'too_old'],
    ['of a draft', event(push, { isDraft: true }), {}, 'draft'],
    ['of a closed pull request', event(push, { state: 'closed' }), {}, 'not_open'],
    ['of a merged pull request', event(push, { state: 'merged' }), {}, 'not_open'],
    [
      'to a branch that is not covered',
      event(push, { targetBranch: 'dev' }),
      { branches: ['main', 'release/**'] },
      'branch_not_covered',
    ],
  ])('ignores a push %s', (_what, given, change, reason) => {
    expect(decide(facts(given, change))).toEqual({ kind: 'ignore', reason });
  });

  it('takes an event exactly as old as the retention', () => {
    expect(decide(facts(event(push, { occurredAt: NOW - 30 * DAY }))).kind).toBe('enqueue');
  });

  it('takes a push to a covered branch', () => {
    const given = event(push, { targetBranch: 'release/1/x' });
    expect(decide(facts(given, { branches: ['release/**'] })).kind).toBe('enqueue');
  });

  it.each([
    ['command', command],
    ['control', control],
  ])('takes a %s also on drafts and closed pull requests', (_what, job) => {
    expect(decide(facts(event(job, { isDraft: true, state: 'closed' }))).kind).toBe('enqueue');
  });

  it('ignores what our bot account wrote, but not its pushes', () => {
    const ownAccount = { id: '55', login: 'gatehouse[bot]', isBot: true };
    const hints = { sender: ownAccount };
    expect(decide(facts(event(command, hints), { ownAccount }))).toEqual({
      kind: 'ignore',
      reason: 'own_event',
    });
    expect(decide(facts(event(push, hints), { ownAccount })).kind).toBe('enqueue');
  });

  it('takes comments of an account that is shared with a person: the marker tells those apart', () => {
    const ownAccount = { id: '55', login: 'ada', isBot: false };
    expect(decide(facts(event(command, { sender: ownAccount }), { ownAccount })).kind).toBe('enqueue');
  });

  it('takes a review request only when it was us who were asked', () => {
    const ownAccount = { id: '55', login: 'gatehouse', isBot: false };
    expect(decide(facts(event(asked('55')), { ownAccount })).kind).toBe('enqueue');
    expect(decide(facts(event(asked('56')), { ownAccount }))).toEqual({
      kind: 'ignore',
      reason: 'own_event',
    });
  });

  it('sends the limits of the signing secret along, for the worker to check the real name against', () => {
    const decision = decide(facts({ ...event(push), signedFor: ['acme/shop', 'acme/till-*'] }));
    if (decision.kind !== 'enqueue') throw new Error('expected a job');
    expect(decision.job.ids).toEqual({ signedFor: '["acme/shop","acme/till-*"]' });
    expect(isInSignedScope(decision.job, 'Acme/Till-2')).toBe(true);
    expect(isInSignedScope(decision.job, 'acme/pay')).toBe(false);
    expect(isInSignedScope(push, 'acme/pay')).toBe(true);
  });
});

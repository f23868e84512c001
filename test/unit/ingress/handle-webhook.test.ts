import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/domain/app-error.ts';
import { handleWebhook } from '../../../shared/ingress/handle-webhook.ts';
import type { HandleWebhookDeps } from '../../../shared/ingress/ports.ts';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import type { AcceptedJob } from '../../../shared/sessions/append.ts';
import { createRecordedLog } from '../providers/recorded-log.ts';
import {
  bytes,
  commentPayload,
  githubInstance,
  headersFor,
  pullRequestPayload,
} from './github-deliveries.ts';

function createIngress(change: Partial<HandleWebhookDeps> = {}, instance = githubInstance()) {
  const jobs: AcceptedJob[] = [];
  const keys = new Set<string>();
  const log = createRecordedLog();
  const deps: HandleWebhookDeps = {
    findInstance: async (id) =>
      id === instance.id
        ? { source: createGitHubWebhookSource(instance), repositories: instance.repositories }
        : undefined,
    append: async (job) => {
      if (keys.has(job.deliveryKey)) return 'duplicate';
      keys.add(job.deliveryKey);
      jobs.push(job);
      return 'appended';
    },
    clock: { now: () => Date.parse('2026-11-30T12:00:00Z'), sleep: async () => undefined },
    log,
    retentionDays: 30,
    ...change,
  };
  const deliver = (event: string, payload: unknown, headers: Record<string, string | undefined> = {}) => {
    const body = typeof payload === 'string' ? bytes(payload) : bytes(JSON.stringify(payload));
    return handleWebhook(deps, {
      instance: 'github',
      headers: { ...headersFor(event, body), ...headers },
      body,
    });
  };
  return { deps, jobs, log, deliver };
}

describe('answering a delivery', () => {
  it('answers 202 once the job is durable', async () => {
    const { deliver, jobs, log } = createIngress();
    expect(await deliver('pull_request', pullRequestPayload('opened'))).toEqual({
      status: 202,
      body: { accepted: true, duplicate: false, event: 'pull_request.opened', job: 'review.full' },
    });
    expect(jobs).toMatchObject([
      {
        pr: { repositoryId: '812345', number: 7, repository: 'acme/shop' },
        deliveryKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        job: { kind: 'review.full', class: 'push' },
      },
    ]);
    expect(log.lines).toMatchObject([
      { level: 'info', event: 'webhook.accepted', fields: { reason: 'appended', instance: 'github' } },
    ]);
  });

  it('answers a repeated delivery 202 and says that it is one', async () => {
    const { deliver, jobs } = createIngress();
    await deliver('pull_request', pullRequestPayload('opened'));
    const again = await deliver('pull_request', pullRequestPayload('opened'), {
      'x-github-delivery': 'other',
    });
    expect(again).toMatchObject({ status: 202, body: { accepted: true, duplicate: true } });
    expect(jobs).toHaveLength(1);
  });

  it('answers every bad signature with one and the same 401 and stores nothing', async () => {
    const { deliver, jobs, log } = createIngress();
    const headers = [undefined, '', 'sha256=00', `sha256=${'0'.repeat(64)}`, 'sha1=x', 'sha256=zz'];
    for (const header of headers) {
      const reply = await deliver('pull_request', pullRequestPayload('opened'), {
        'x-hub-signature-256': header,
      });
      expect(reply).toEqual({ status: 401, body: { accepted: false, reason: 'unauthorized' } });
    }
    expect(jobs).toEqual([]);
    expect(log.lines.map((line) => line.fields['reason'])).toEqual(headers.map(() => 'bad_signature'));
  });

  it('answers 404 for an unknown instance and for one without a secret, and tells them apart in the log only', async () => {
    const { deps, log } = createIngress();
    const request = { headers: {}, body: bytes('{}') };
    const unknown = await handleWebhook(deps, { ...request, instance: 'nowhere' });
    const bare = createIngress({}, githubInstance({ webhookSecrets: [] }));
    const closed = await handleWebhook(bare.deps, { ...request, instance: 'github' });
    expect(unknown).toEqual({ status: 404, body: { accepted: false, reason: 'not_found' } });
    expect(closed).toEqual(unknown);
    expect(log.lines[0]?.fields['reason']).toBe('unknown_instance');
    expect(bare.log.lines[0]?.fields['reason']).toBe('no_secret');
  });

  it.each([
    ['a ping', 'ping', { zen: 'x' }, 'ping'],
    ['an unknown event', 'deployment', { a: 1 }, 'unsupported_event'],
    ['malformed JSON', 'pull_request', '{"action":', 'malformed_payload'],
    ['a payload without a pull request', 'pull_request', { action: 'opened' }, 'malformed_payload'],
    ['a draft', 'pull_request', draft(), 'draft'],
    [
      'an uncovered repository',
      'pull_request',
      pullRequestPayload('opened', { repository: { id: 2, full_name: 'other/x' } }),
      'repository_not_covered',
    ],
    [
      'our own comment',
      'issue_comment',
      commentPayload('<!-- gatehouse:0123456789abcdef01234567 -->\nx'),
      'own_event',
    ],
  ])('answers 200 with a reason for %s and enqueues nothing', async (_what, event, payload, reason) => {
    const { deliver, jobs, log } = createIngress();
    expect(await deliver(event, payload)).toEqual({ status: 200, body: { accepted: false, reason } });
    expect(jobs).toEqual([]);
    expect(log.lines).toMatchObject([{ event: 'webhook.ignored', fields: { reason } }]);
  });

  it('answers 200 with a reason for a form-encoded delivery', async () => {
    const { deliver } = createIngress();
    const reply = await deliver('pull_request', 'payload=%7B%7D', {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    });
    expect(reply).toEqual({ status: 200, body: { accepted: false, reason: 'form_encoded' } });
  });

  it.each([
    ['storage trouble', new AppError({ kind: 'transient', code: 'storage_unavailable', message: 'x' })],
    [
      'a storage setting that is wrong',
      new AppError({ kind: 'permanent', code: 'storage_denied', message: 'x' }),
    ],
    ['a refusal where none can be', new AppError({ kind: 'rejected', code: 'body_too_odd', message: 'x' })],
    ['a bug', new TypeError('undefined is not a function')],
  ])('answers 503 with Retry-After for %s: never 500, never 202', async (_what, error) => {
    const { deliver, log } = createIngress({ append: () => Promise.reject(error) });
    expect(await deliver('pull_request', pullRequestPayload('opened'))).toEqual({
      status: 503,
      headers: { 'Retry-After': '30' },
      body: { accepted: false, reason: 'unavailable' },
    });
    expect(log.lines).toMatchObject([{ level: 'error', event: 'webhook.failed' }]);
  });

  it('asks no account question when nothing is known, and uses what is', async () => {
    const ownAccount = { id: '99', login: 'gatehouse[bot]', isBot: true };
    const { deliver } = createIngress({ ownAccount: () => ownAccount });
    expect(await deliver('issue_comment', commentPayload('hm'))).toMatchObject({
      status: 200,
      body: { reason: 'own_event' },
    });
  });
});

function draft() {
  const payload = pullRequestPayload('opened');
  return { ...payload, pull_request: { ...payload.pull_request, draft: true } };
}

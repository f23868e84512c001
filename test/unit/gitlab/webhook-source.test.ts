import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createGitLabWebhookSource } from '../../../shared/providers/gitlab/webhook-source.ts';
import { HEAD, KEY, NOW_SECONDS, bytes, gitlabInstance, mergeRequest, note, sign } from './deliveries.ts';

const now = (): number => NOW_SECONDS * 1000;
const source = createGitLabWebhookSource(gitlabInstance(), now);
const opened = bytes(mergeRequest());
const token = { 'x-gitlab-token': 'tokén' };
const signature = sign(opened);

describe('a delivery is authentic', () => {
  it('by its signature, also among several', () => {
    expect(source.authenticate(signature, opened)).toBe(true);
    const others = `v1a,xyz v1,${'A'.repeat(43)}= ${signature['webhook-signature']}`;
    expect(source.authenticate({ ...signature, 'webhook-signature': others }, opened)).toBe(true);
  });

  it('by the signature of a published example', () => {
    // Key, id, time, body and signature of the example in the Standard Webhooks specification's libraries.
    const example = createGitLabWebhookSource(
      gitlabInstance({ signingTokens: [{ value: new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') }] }),
      () => 1_614_265_330_000,
    );
    const given = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(example.authenticate(given, bytes('{"test": 2432232314}'))).toBe(true);
  });

  it('by the token in clear where there is no signature', () => {
    expect(source.authenticate(token, opened)).toBe(true);
    expect(source.authenticate({ 'x-gitlab-token': 'token' }, opened)).toBe(false);
    expect(source.authenticate({ 'x-gitlab-token': '' }, opened)).toBe(false);
    expect(source.authenticate({}, opened)).toBe(false);
  });

  it.each([
    ['of another key', { ...sign(opened, NOW_SECONDS, Buffer.from('other')) }],
    ['of another body', { ...sign(bytes('{}')) }],
    ['without its id', { ...signature, 'webhook-id': undefined }],
    ['under another id', { ...signature, 'webhook-id': 'msg-2' }],
    ['under another time', { ...signature, 'webhook-timestamp': String(NOW_SECONDS + 1) }],
    ['with an empty value', { ...signature, 'webhook-signature': '' }],
    ['of another version', { ...signature, 'webhook-signature': `v2,${'A'.repeat(43)}=` }],
    ['more than five minutes old', { ...sign(opened, NOW_SECONDS - 301) }],
    ['more than five minutes ahead', { ...sign(opened, NOW_SECONDS + 301) }],
  ])('never with a signature %s, whatever the token says', (_what, headers) => {
    expect(source.authenticate({ ...headers, ...token }, opened)).toBe(false);
  });

  it('within five minutes on either side', () => {
    expect(source.authenticate(sign(opened, NOW_SECONDS - 300), opened)).toBe(true);
    expect(source.authenticate(sign(opened, NOW_SECONDS + 300), opened)).toBe(true);
  });

  it('under any of several secrets, so that each can be rotated', () => {
    const rotating = createGitLabWebhookSource(
      gitlabInstance({
        signingTokens: ['bmV3', KEY.toString('base64')].map((key) => ({ value: new Secret(`whsec_${key}`) })),
        webhookTokens: [{ value: new Secret('next') }, { value: new Secret('last') }],
      }),
      now,
    );
    expect(rotating.authenticate(signature, opened)).toBe(true);
    expect(rotating.authenticate(sign(opened, NOW_SECONDS, Buffer.from('new')), opened)).toBe(true);
    expect(rotating.authenticate({ 'x-gitlab-token': 'last' }, opened)).toBe(true);
  });

  it('never without a usable secret', () => {
    const open = createGitLabWebhookSource(
      gitlabInstance({ signingTokens: [{ value: new Secret('no-prefix') }], webhookTokens: [] }),
      now,
    );
    expect(open.isConfigured).toBe(false);
    expect(open.authenticate({ 'x-gitlab-token': '' }, opened)).toBe(false);
    expect(open.authenticate(sign(opened, NOW_SECONDS, Buffer.alloc(0)), opened)).toBe(false);
  });
});

describe('a secret for some repositories', () => {
  const limited = createGitLabWebhookSource(
    gitlabInstance({
      signingTokens: [],
      webhookTokens: [{ value: new Secret('tokén'), repositories: ['acme/**'] }],
    }),
    now,
  );

  it('signs for these alone, and the worker is told which', () => {
    expect(limited.authenticate(token, opened)).toBe(true);
    const other = { project: { id: 7, path_with_namespace: 'other/shop' } };
    expect(limited.authenticate(token, bytes(mergeRequest({}, other)))).toBe(false);
    expect(limited.authenticate(token, bytes({ object_kind: 'merge_request' }))).toBe(false);
    expect(limited.read(token, opened).signedFor).toEqual(['acme/**']);
    expect(source.read(token, opened).signedFor).toBeUndefined();
  });
});

describe('the key of a delivery', () => {
  const keyOf = (headers: Record<string, string>, body: Uint8Array = opened): string =>
    source.deliveryKey(headers, body);

  it('is that of its id, kept on every attempt', () => {
    const key = keyOf({ 'webhook-id': 'a' });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf({ 'idempotency-key': 'a', 'x-gitlab-event-uuid': 'chain' }, bytes('{}'))).toBe(key);
    expect(keyOf({ 'webhook-id': 'b' })).not.toBe(key);
  });

  it('is that of the bytes where there is none', () => {
    expect(keyOf({ 'x-gitlab-event-uuid': 'chain' })).toBe(keyOf({}));
    expect(keyOf({}, bytes('{}'))).not.toBe(keyOf({}));
  });
});

const request = (payload: unknown) => source.read(token, bytes(payload)).request;
const kinds = (payload: unknown) => {
  const asked = request(payload);
  return asked.kind === 'ignore' ? asked.reason : [asked.job.kind, asked.job.class, asked.job.ids['action']];
};

describe('merge request events', () => {
  it('name the merge request by ids, with hints', () => {
    expect(source.read(token, opened)).toEqual({
      name: 'merge_request.open',
      pullRequest: {
        provider: 'gitlab',
        instance: 'gitlab',
        repositoryId: '7',
        number: 22,
        repository: 'acme/tools/shop',
      },
      hints: {
        state: 'open',
        isDraft: false,
        targetBranch: 'main',
        sender: { id: '51', login: 'ada', isBot: false },
        occurredAt: NOW_SECONDS * 1000,
      },
      request: {
        kind: 'job',
        job: {
          kind: 'review.full',
          class: 'push',
          cause: 'merge_request.open',
          ids: { headSha: HEAD, actorId: '51', actorLogin: 'ada' },
        },
      },
    });
  });

  const update = (attributes: Record<string, unknown>, changes: unknown = {}) =>
    mergeRequest({ action: 'update', ...attributes }, { changes });

  it.each([
    ['reopened', mergeRequest({ action: 'reopen' }), ['review.full', 'push', undefined]],
    ['closed', mergeRequest({ action: 'close' }), ['control', 'control', 'closed']],
    ['merged', mergeRequest({ action: 'merge' }), ['control', 'control', 'merged']],
    ['pushed to', update({ oldrev: 'a'.repeat(40) }), ['review.incremental', 'push', undefined]],
    [
      'retargeted',
      update({}, { target_branch: { previous: 'main', current: 'next' } }),
      ['review.incremental', 'push', undefined],
    ],
    [
      'made ready',
      update({}, { draft: { previous: true, current: false } }),
      ['review.full', 'push', undefined],
    ],
    [
      'made a draft, with a push',
      update({ oldrev: 'a'.repeat(40) }, { draft: { previous: false, current: true } }),
      ['control', 'control', 'draft'],
    ],
    [
      'given a reviewer',
      update({}, { reviewers: { previous: [], current: [{ id: 5, username: 'bob' }] } }),
      ['review.incremental', 'command', undefined],
    ],
    ['labelled', update({}, { labels: { previous: [], current: [] } }), 'no_code_change'],
    ['changed without a word', update({}), 'no_code_change'],
    ['approved', mergeRequest({ action: 'approved' }), 'unsupported_action'],
    ['sent as a test', mergeRequest({ action: undefined }), 'unsupported_action'],
    ['told of by its source', mergeRequest({ target_project_id: 8 }), 'other_project'],
  ])('%s', (_what, payload, expected) => {
    expect(kinds(payload)).toEqual(expected);
  });

  it('ask for the reviewer who was added, of several the application', () => {
    const bot = { id: 6, username: 'project_7_bot_1a2b' };
    const reviewers = { previous: [{ id: 4 }], current: [{ id: 4 }, { id: 5, username: 'bob' }, bot] };
    expect(request(update({}, { reviewers }))).toMatchObject({ job: { ids: { requestedReviewerId: '6' } } });
  });
});

describe('notes', () => {
  it('are commands for the worker', () => {
    expect(request(note())).toEqual({
      kind: 'job',
      job: {
        kind: 'comment',
        class: 'command',
        cause: 'note.create',
        ids: {
          commentId: '1244',
          commentKind: 'review',
          threadId: 'd'.repeat(40),
          revision: '2026-01-01T00:00:00.000Z',
          actorId: '51',
          actorLogin: 'ada',
        },
      },
    });
  });

  it.each([
    ['edited', note({ action: 'update' }), ['comment', 'command', undefined]],
    ['that stop us', note({ note: '/review stop' }), ['control', 'control', 'stop']],
    ['that are internal', note({ internal: true }), 'confidential_note'],
    ['that are confidential', note({ confidential: true }), 'confidential_note'],
    ['of the confidential event', note({}, { event_type: 'confidential_note' }), 'confidential_note'],
    ['of the system', note({ system: true }), 'system_note'],
    ['on an issue', note({ noteable_type: 'Issue' }, { merge_request: undefined }), 'not_a_pull_request'],
    ['of ours', note({ note: `<!-- gatehouse:${'a'.repeat(24)} -->\nHi` }), 'own_event'],
    ['of applications', note({}, { user: { id: 6, username: 'group_3_bot_x' } }), 'bot_comment'],
    ['without text', note({ note: ' \n' }), 'no_text'],
  ])('%s', (_what, payload, expected) => {
    expect(kinds(payload)).toEqual(expected);
  });
});

describe('payloads that are none', () => {
  it.each(['', '[]', '{', '{}', '{"object_kind":"note"}', mergeRequest({ iid: 0 })])(
    'are refused: %j',
    (payload) => {
      expect(() => source.read(token, bytes(payload))).toThrow(
        expect.objectContaining({ kind: 'rejected', code: 'malformed_payload' }),
      );
    },
  );

  it('of other events are ignored', () => {
    expect(kinds({ object_kind: 'push' })).toBe('unsupported_event');
  });
});

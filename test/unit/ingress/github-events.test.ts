import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { isAppError } from '../../../shared/domain/app-error.ts';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import type { WebhookEvent } from '../../../shared/providers/ports.ts';
import {
  bytes,
  commentPayload,
  githubInstance,
  headersFor,
  pullRequestPayload,
  sign,
} from './github-deliveries.ts';

const source = createGitHubWebhookSource(githubInstance());

function read(event: string, payload: unknown): WebhookEvent {
  const body = bytes(JSON.stringify(payload));
  return source.read(headersFor(event, body), body);
}

describe('what an event asks for', () => {
  it.each([
    ['opened', 'review.full'],
    ['reopened', 'review.full'],
    ['ready_for_review', 'review.full'],
    ['synchronize', 'review.incremental'],
  ])('pull_request.%s asks for %s as a push', (action, kind) => {
    expect(read('pull_request', pullRequestPayload(action))).toEqual({
      name: `pull_request.${action}`,
      pullRequest: {
        provider: 'github',
        instance: 'github',
        repositoryId: '812345',
        number: 7,
        repository: 'acme/shop',
      },
      hints: {
        state: 'open',
        targetBranch: 'main',
        isDraft: false,
        sender: { id: '99', login: 'ada', isBot: false },
        occurredAt: 1_796_032_800_000,
      },
      request: {
        kind: 'job',
        job: {
          kind,
          class: 'push',
          cause: `pull_request.${action}`,
          ids: { headSha: 'a'.repeat(40), actorId: '99', actorLogin: 'ada' },
        },
      },
    });
  });

  it('edited matters only when the base changed', () => {
    const retargeted = pullRequestPayload('edited', { changes: { base: { ref: { from: 'old' } } } });
    expect(read('pull_request', retargeted).request).toMatchObject({
      kind: 'job',
      job: { kind: 'review.incremental', class: 'push' },
    });
    const retitled = pullRequestPayload('edited', { changes: { title: { from: 'old' } } });
    expect(read('pull_request', retitled).request).toEqual({ kind: 'ignore', reason: 'no_base_change' });
  });

  it.each([
    ['converted_to_draft', {}, 'draft'],
    ['closed', {}, 'closed'],
    ['closed', { merged: true, state: 'closed' }, 'merged'],
    ['closed', { merged: undefined, merged_at: '2026-11-30T10:00:00Z' }, 'merged'],
  ])('pull_request.%s %o is the control action %s', (action, change, expected) => {
    const payload = pullRequestPayload(action);
    const changed = { ...payload, pull_request: { ...payload.pull_request, ...change } };
    expect(read('pull_request', changed).request).toMatchObject({
      kind: 'job',
      job: { kind: 'control', class: 'control', ids: { action: expected, actorId: '99' } },
    });
  });

  it('a review request to a user is a command for a token identity and nothing for an App', () => {
    const payload = pullRequestPayload('review_requested', {
      requested_reviewer: { id: 55, login: 'gatehouse-user', type: 'User' },
    });
    expect(read('pull_request', payload).request).toEqual({ kind: 'ignore', reason: 'reviewer_not_us' });
    const withToken = createGitHubWebhookSource(
      githubInstance({ credential: { kind: 'token', token: new Secret('t') } }),
    );
    const body = bytes(JSON.stringify(payload));
    expect(withToken.read(headersFor('pull_request', body), body).request).toMatchObject({
      kind: 'job',
      job: { kind: 'review.incremental', class: 'command', ids: { requestedReviewerId: '55' } },
    });
  });

  it('a comment on a pull request is a command that names the comment, not its text', () => {
    expect(read('issue_comment', commentPayload('@gatehouse why?')).request).toEqual({
      kind: 'job',
      job: {
        kind: 'comment',
        class: 'command',
        cause: 'issue_comment.created',
        ids: {
          commentId: '4300000017',
          commentKind: 'general',
          revision: '2026-11-30T10:00:00Z',
          actorId: '99',
          actorLogin: 'ada',
        },
      },
    });
  });

  it('a comment on an issue that is no pull request asks for nothing', () => {
    const payload = commentPayload('hello', { issue: { number: 7, state: 'open' } });
    expect(read('issue_comment', payload).request).toEqual({
      kind: 'ignore',
      reason: 'not_a_pull_request',
    });
  });

  it.each([
    ['/review stop', 'stop'],
    ['\n  \n/review   PAUSE  \nthanks', 'pause'],
    ['/review resume\r\n', 'resume'],
  ])('%j is the control action %s', (text, action) => {
    expect(read('issue_comment', commentPayload(text)).request).toMatchObject({
      job: { kind: 'control', class: 'control', ids: { action, commentId: '4300000017' } },
    });
  });

  it.each([
    '> /review stop',
    '`/review stop`',
    'please /review stop',
    '/review stop now',
    '/review',
    '/reviewstop',
  ])('%j is no control action', (text) => {
    expect(read('issue_comment', commentPayload(text)).request).toMatchObject({ job: { kind: 'comment' } });
  });

  it('a deleted comment is the control action comment-deleted', () => {
    const payload = commentPayload('@gatehouse why?', { action: 'deleted' });
    expect(read('issue_comment', payload).request).toMatchObject({
      job: { class: 'control', ids: { action: 'comment-deleted', commentId: '4300000017' } },
    });
  });

  it('our own comments ask for nothing: by marker, or written by our App', () => {
    const marked = commentPayload('<!-- gatehouse:0123456789abcdef01234567 -->\nLooks good.');
    expect(read('issue_comment', marked).request).toEqual({ kind: 'ignore', reason: 'own_event' });
    const plain = commentPayload('Looks good.');
    const byApp = { ...plain, comment: { ...plain.comment, performed_via_github_app: { id: 4711 } } };
    expect(read('issue_comment', byApp).request).toEqual({ kind: 'ignore', reason: 'own_event' });
    const byOtherApp = { ...plain, comment: { ...plain.comment, performed_via_github_app: { id: 4712 } } };
    expect(read('issue_comment', byOtherApp).request).toMatchObject({ kind: 'job' });
  });

  it('a marker that is not the first line marks nothing', () => {
    const quoted = commentPayload('> said\n<!-- gatehouse:0123456789abcdef01234567 -->');
    expect(read('issue_comment', quoted).request).toMatchObject({ kind: 'job' });
  });

  it('comments of other bots ask for nothing', () => {
    const payload = commentPayload('Coverage: 80 %', { sender: { id: 5, login: 'cov[bot]', type: 'Bot' } });
    expect(read('issue_comment', payload).request).toEqual({ kind: 'ignore', reason: 'bot_comment' });
  });

  it('a reply in a code thread names the comment it answers', () => {
    const { pull_request } = pullRequestPayload('x');
    const { comment, repository, sender } = commentPayload('Is it?');
    const payload = {
      action: 'created',
      pull_request,
      repository,
      sender,
      comment: { ...comment, in_reply_to_id: 4_300_000_000 },
    };
    expect(read('pull_request_review_comment', payload)).toMatchObject({
      name: 'pull_request_review_comment.created',
      request: { job: { kind: 'comment', ids: { commentKind: 'review', inReplyTo: '4300000000' } } },
    });
  });

  it('a review asks for an answer only when it says something itself', () => {
    const { pull_request, repository, sender } = pullRequestPayload('x');
    const review = { id: 80, body: 'Why so many?', submitted_at: '2026-11-30T10:00:00Z' };
    const payload = { action: 'submitted', pull_request, repository, sender, review };
    expect(read('pull_request_review', payload).request).toMatchObject({
      job: { kind: 'comment', ids: { commentKind: 'review-body', commentId: '80' } },
    });
    expect(read('pull_request_review', { ...payload, review: { ...review, body: null } }).request).toEqual({
      kind: 'ignore',
      reason: 'no_text',
    });
  });

  it.each([
    ['pull_request', pullRequestPayload('labeled'), 'unsupported_action'],
    ['ping', { zen: 'Keep it logically awesome.', hook_id: 1 }, 'ping'],
    ['push', { ref: 'refs/heads/main' }, 'unsupported_event'],
  ])('%s is ignored with a reason', (event, payload, reason) => {
    expect(read(event, payload).request).toEqual({ kind: 'ignore', reason });
  });

  it('a form-encoded delivery is ignored with a reason', () => {
    const body = bytes(`payload=${encodeURIComponent(JSON.stringify(pullRequestPayload('opened')))}`);
    const headers = {
      ...headersFor('pull_request', body),
      'content-type': 'application/x-www-form-urlencoded',
    };
    expect(source.authenticate(headers, body)).toBe(true);
    expect(source.read(headers, body).request).toEqual({ kind: 'ignore', reason: 'form_encoded' });
  });

  it.each([
    ['truncated', '{"action":"opened"'],
    ['not an object', '[1,2]'],
    ['null', 'null'],
    ['empty', ''],
    [
      'without its pull request',
      JSON.stringify({ action: 'opened', repository: { id: 1, full_name: 'a/b' } }),
    ],
    [
      'with a name for a number',
      JSON.stringify(pullRequestPayload('opened', { pull_request: { number: '7' } })),
    ],
  ])('a payload that is %s is malformed', (_what, text) => {
    const body = bytes(text);
    expect(() => source.read(headersFor('pull_request', body), body)).toThrow(
      expect.toSatisfy((error) => isAppError(error, 'rejected') && error.code === 'malformed_payload'),
    );
  });

  it('bytes that are no UTF-8 are malformed', () => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(() => source.read(headersFor('ping', body), body)).toThrow(/no JSON object/);
  });

  it('a delivery without an event header is malformed', () => {
    const body = bytes('{}');
    expect(() => source.read({ 'x-hub-signature-256': sign(body) }, body)).toThrow(/event header/);
  });
});

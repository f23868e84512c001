import { describe, expect, it } from 'vitest';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import {
  HEAD,
  REPOSITORY_ID,
  azureInstance,
  bytes,
  commentEvent,
  envelope,
  headers,
  pull,
} from './deliveries.ts';

const source = createAzureDevOpsWebhookSource(azureInstance());
const read = (payload: unknown) => source.read(headers(), bytes(payload));

describe('pull request events', () => {
  it('created: a full review', () => {
    expect(read(envelope('git.pullrequest.created', pull()))).toEqual({
      name: 'git.pullrequest.created',
      pullRequest: {
        provider: 'azure-devops',
        instance: 'azure',
        repositoryId: REPOSITORY_ID,
        number: 22,
        repository: 'Fabrikam/Shop',
      },
      hints: {
        targetBranch: 'main',
        state: 'open',
        isDraft: false,
        sender: { id: 'a-person', login: 'jamal@fabrikam.com', isBot: false },
        occurredAt: Date.UTC(2026, 4, 1, 10),
      },
      request: {
        kind: 'job',
        job: {
          kind: 'review.full',
          class: 'push',
          cause: 'git.pullrequest.created',
          ids: { headSha: HEAD, actorId: 'a-person', actorLogin: 'jamal@fabrikam.com' },
        },
      },
    });
  });

  it('updated: a review of what is new, by nobody in particular', () => {
    const event = read(envelope('git.pullrequest.updated', pull()));
    expect(event.hints.sender).toBeUndefined();
    expect(event.request).toEqual({
      kind: 'job',
      job: {
        kind: 'review.incremental',
        class: 'push',
        cause: 'git.pullrequest.updated',
        ids: { headSha: HEAD },
      },
    });
  });

  it.each([
    [{ status: 'completed' }, 'merged'],
    [{ status: 'abandoned' }, 'closed'],
    [{ isDraft: true }, 'draft'],
  ])('updated to %o: what runs is stopped', (change, action) => {
    expect(read(envelope('git.pullrequest.updated', pull(change))).request).toMatchObject({
      kind: 'job',
      job: { kind: 'control', class: 'control', ids: { action, headSha: HEAD } },
    });
  });

  it('updated to a state that is not known: ignored', () => {
    expect(read(envelope('git.pullrequest.updated', pull({ status: 'notSet' }))).request).toEqual({
      kind: 'ignore',
      reason: 'unsupported_state',
    });
  });

  it.each([
    ['git.pullrequest.merged', 'merge_attempt'],
    ['git.push', 'unsupported_event'],
    ['build.complete', 'unsupported_event'],
  ])('%s: ignored', (name, reason) => {
    expect(read(envelope(name, null))).toEqual({ name, hints: {}, request: { kind: 'ignore', reason } });
  });

  it('reads a payload that begins with a byte order mark', () => {
    const payload = JSON.stringify(envelope('git.pullrequest.created', pull()));
    expect(read(`\uFEFF${payload}`).name).toBe('git.pullrequest.created');
  });

  it.each([
    ['no JSON', 'no JSON'],
    ['a list', []],
    ['no event type', { resource: {} }],
    ['a pull request without a repository', envelope('git.pullrequest.created', pull({ repository: null }))],
    [
      'a repository id that is none',
      envelope(
        'git.pullrequest.created',
        pull({ repository: { id: '../x', name: 'n', project: { name: 'p' } } }),
      ),
    ],
  ])('%s is malformed', (_what, payload) => {
    expect(() => read(payload)).toThrow(
      expect.objectContaining({ kind: 'rejected', code: 'malformed_payload' }),
    );
  });
});

describe('comment events', () => {
  it('name the comment, its thread from the links, its parent and its revision', () => {
    expect(read(commentEvent()).request).toEqual({
      kind: 'job',
      job: {
        kind: 'comment',
        class: 'command',
        cause: 'ms.vss-code.git-pullrequest-comment-event',
        ids: {
          commentId: '141415813-3',
          threadId: '141415813',
          commentKind: 'review',
          inReplyTo: '141415813-1',
          revision: '2026-05-01T09:59:59.1Z',
          actorId: 'a-person',
          actorLogin: 'jamal@fabrikam.com',
        },
      },
    });
  });

  it.each(['stop', 'pause', 'resume'])('/review %s is a control', (word) => {
    expect(read(commentEvent({ content: `/review ${word}\nplease` })).request).toMatchObject({
      job: { class: 'control', ids: { action: word, actorId: 'a-person' } },
    });
  });

  it('that were deleted take back what they asked for', () => {
    expect(read(commentEvent({ isDeleted: true, content: null })).request).toMatchObject({
      job: { class: 'control', ids: { action: 'comment-deleted', commentId: '141415813-3' } },
    });
  });

  it.each([
    ['of version 1.0', commentEvent({}, { resourceVersion: '1.0' }), 'unsupported_resource_version'],
    ['of the system', commentEvent({ commentType: 'system' }), 'not_a_text_comment'],
    ['about code changes', commentEvent({ commentType: 'codeChange' }), 'not_a_text_comment'],
    ['without text', commentEvent({ content: ' \n' }), 'no_text'],
    ['without a thread', commentEvent({ _links: { threads: { href: 'https://x/threads/' } } }), 'no_thread'],
    [
      'with our marker at the end',
      commentEvent({ content: 'Fixed.\n\n[//]: # (gatehouse:0123456789abcdef01234567)' }),
      'own_event',
    ],
    [
      'with our marker at the start',
      commentEvent({ content: '<!-- gatehouse:0123456789abcdef01234567 -->\nFixed.' }),
      'own_event',
    ],
    [
      'by a service',
      commentEvent({ author: { id: 'x', descriptor: 'svc.abc', uniqueName: '' } }),
      'bot_comment',
    ],
    ['by an application', commentEvent({ author: { id: 'x', descriptor: 'aadsp.abc' } }), 'bot_comment'],
  ])('%s are ignored', (_what, payload, reason) => {
    expect(read(payload).request).toEqual({ kind: 'ignore', reason });
  });

  it('in version 2.0 without links are malformed', () => {
    expect(() => read(commentEvent({ _links: undefined }))).toThrow('comment._links');
  });
});

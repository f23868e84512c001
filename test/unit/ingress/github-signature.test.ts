import { describe, expect, it } from 'vitest';
import { Secret } from '../../../shared/config/secret.ts';
import { createGitHubWebhookSource } from '../../../shared/providers/github/webhook-source.ts';
import { SECRET, bytes, githubInstance, headersFor, pullRequestPayload, sign } from './github-deliveries.ts';

const source = createGitHubWebhookSource(githubInstance());

function signed(payload: unknown) {
  const body = bytes(JSON.stringify(payload));
  return { body, headers: headersFor('pull_request', body, 'team') };
}

describe('the signature of a delivery', () => {
  // GitHub documentation, "Validating webhook deliveries", "Testing the webhook payload validation".
  const body = bytes('Hello, World!');
  const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

  it("is the one of GitHub's published test vector", () => {
    expect(source.authenticate({ 'x-hub-signature-256': published }, body)).toBe(true);
    expect(sign(body)).toBe(published);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of another algorithm', published.replace('sha256', 'sha1')],
    ['too short', published.slice(0, -1)],
    ['too long', `${published}0`],
    ['not hex', published.replace('7', 'g')],
    ['wrong in its last digit', published.replace(/7$/, '8')],
    ['all zeros', `sha256=${'0'.repeat(64)}`],
    ['followed by something', `${published}, sha256=${'0'.repeat(64)}`],
  ])('does not hold when it is %s', (_what, header) => {
    expect(source.authenticate({ 'x-hub-signature-256': header }, body)).toBe(false);
  });

  it('holds under any of several secrets, so that they can be rotated', () => {
    const rotating = createGitHubWebhookSource(
      githubInstance({ webhookSecrets: [{ value: new Secret('new') }, { value: new Secret('old') }] }),
    );
    expect(rotating.authenticate({ 'x-hub-signature-256': sign(body, 'old') }, body)).toBe(true);
    expect(rotating.authenticate({ 'x-hub-signature-256': sign(body, 'new') }, body)).toBe(true);
    expect(rotating.authenticate({ 'x-hub-signature-256': sign(body, SECRET) }, body)).toBe(false);
  });

  it('never holds under an empty secret, which counts as none', () => {
    const open = createGitHubWebhookSource(githubInstance({ webhookSecrets: [{ value: new Secret('') }] }));
    expect(open.isConfigured).toBe(false);
    expect(open.authenticate({ 'x-hub-signature-256': sign(body, '') }, body)).toBe(false);
  });
});

describe('a secret that is limited to repositories', () => {
  const limited = createGitHubWebhookSource(
    githubInstance({ webhookSecrets: [{ value: new Secret('team'), repositories: ['Acme/sh*'] }] }),
  );
  it('signs for its own repositories', () => {
    const { body, headers } = signed(pullRequestPayload('opened'));
    expect(limited.authenticate(headers, body)).toBe(true);
    expect(limited.read(headers, body).signedFor).toEqual(['Acme/sh*']);
  });

  it('does not sign for others, nor for a payload without a repository', () => {
    const other = signed(pullRequestPayload('opened', { repository: { id: 1, full_name: 'acme/pay' } }));
    expect(limited.authenticate(other.headers, other.body)).toBe(false);
    const none = signed({ zen: 'Design for failure.' });
    expect(limited.authenticate(none.headers, none.body)).toBe(false);
    const text = { body: bytes('not json'), headers: headersFor('ping', bytes('not json'), 'team') };
    expect(limited.authenticate(text.headers, text.body)).toBe(false);
  });

  it('leaves no limit when an unlimited secret signed as well', () => {
    const both = createGitHubWebhookSource(
      githubInstance({
        webhookSecrets: [
          { value: new Secret('team'), repositories: ['other/*'] },
          { value: new Secret('team') },
        ],
      }),
    );
    const { body, headers } = signed(pullRequestPayload('opened'));
    expect(both.authenticate(headers, body)).toBe(true);
    expect(both.read(headers, body)).not.toHaveProperty('signedFor');
  });
});

describe('the delivery key', () => {
  const body = bytes('{"a":1}');

  it('depends on the instance and the bytes, not on headers that nobody signed', () => {
    const other = createGitHubWebhookSource(githubInstance({ id: 'github-2' }));
    // printf 'github\ngithub\n{"a":1}' | sha256sum
    const key = source.deliveryKey({ 'x-github-delivery': 'one' }, body);
    expect(key).toBe('c40ed72734bc7773db6dd5e42ab0fd2a37c7eb75f7b091f1fd3c4610caf435c8');
    expect(source.deliveryKey({ 'x-github-delivery': 'two' }, body)).toBe(key);
    expect(other.deliveryKey({}, body)).not.toBe(key);
    expect(source.deliveryKey({}, bytes('{"a":2}'))).not.toBe(key);
  });
});

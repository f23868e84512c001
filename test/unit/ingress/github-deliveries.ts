import { createHmac } from 'node:crypto';
import type { GitHubInstance } from '../../../shared/config/config.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { WebhookHeaders } from '../../../shared/providers/ports.ts';

export const SECRET = "It's a Secret to Everybody";

export function githubInstance(change: Partial<GitHubInstance> = {}): GitHubInstance {
  return {
    id: 'github',
    provider: 'github',
    webUrl: new URL('https://github.com'),
    apiUrl: new URL('https://api.github.com'),
    archiveHosts: ['codeload.github.com'],
    repositories: ['acme/*'],
    credential: { kind: 'app', appId: '4711', privateKey: new Secret('unused') },
    webhookSecrets: [{ value: new Secret(SECRET) }],
    ...change,
  };
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function sign(body: Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export function headersFor(event: string, body: Uint8Array, secret = SECRET): WebhookHeaders {
  return {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': sign(body, secret),
  };
}

/** A `pull_request` payload with what is read from it; `change` replaces whole top-level parts. */
export function pullRequestPayload(action: string, change: Record<string, unknown> = {}) {
  return {
    action,
    number: 7,
    pull_request: {
      id: 5_000_000_001,
      number: 7,
      state: 'open',
      draft: false,
      merged: false,
      updated_at: '2026-11-30T10:00:00Z',
      head: { sha: 'a'.repeat(40), ref: 'feature' },
      base: { sha: 'b'.repeat(40), ref: 'main' },
    },
    repository: { id: 812_345, full_name: 'acme/shop' },
    sender: { id: 99, login: 'ada', type: 'User' },
    ...change,
  };
}

export function commentPayload(body: string, change: Record<string, unknown> = {}) {
  return {
    action: 'created',
    issue: { number: 7, state: 'open', pull_request: { url: 'https://example.com/ignored' } },
    comment: {
      id: 4_300_000_017,
      body,
      user: { id: 99, login: 'ada', type: 'User' },
      created_at: '2026-11-30T10:00:00Z',
      updated_at: '2026-11-30T10:00:00Z',
    },
    repository: { id: 812_345, full_name: 'acme/shop' },
    sender: { id: 99, login: 'ada', type: 'User' },
    ...change,
  };
}

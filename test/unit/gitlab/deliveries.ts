import { createHmac } from 'node:crypto';
import type { GitLabInstance } from '../../../shared/config/config.ts';
import { Secret } from '../../../shared/config/secret.ts';
import type { WebhookHeaders } from '../../../shared/providers/ports.ts';

export const HEAD = '53d54ac915144006c2c9e90d2c7d3880920db49c';
export const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
export const SIGNING_TOKEN = `whsec_${KEY.toString('base64')}`;
/** 2026-01-01T00:00:00Z in seconds. */
export const NOW_SECONDS = 1_767_225_600;

export function gitlabInstance(change: Partial<GitLabInstance> = {}): GitLabInstance {
  return {
    id: 'gitlab',
    provider: 'gitlab',
    webUrl: new URL('https://gitlab.example.com'),
    apiUrl: new URL('https://gitlab.example.com/api/v4'),
    archiveHosts: [],
    repositories: ['acme/**'],
    token: undefined,
    signingTokens: [{ value: new Secret(SIGNING_TOKEN) }],
    webhookTokens: [{ value: new Secret('tokén') }],
    ...change,
  };
}

export function bytes(payload: unknown): Uint8Array {
  return new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload));
}

export function sign(body: Uint8Array, seconds = NOW_SECONDS, key = KEY, id = 'msg-1'): WebhookHeaders {
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${digest}`,
  };
}

export function mergeRequest(
  attributes: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: { id: 51, username: 'ada', name: 'Ada' },
    project: { id: 7, path_with_namespace: 'acme/tools/shop', web_url: 'https://evil.example.com' },
    object_attributes: {
      id: 99,
      iid: 22,
      action: 'open',
      state: 'opened',
      draft: false,
      target_branch: 'main',
      source_project_id: 7,
      target_project_id: 7,
      last_commit: { id: HEAD },
      updated_at: '2026-01-01 00:00:00 UTC',
      ...attributes,
    },
    changes: {},
    ...more,
  };
}

export function note(
  attributes: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    object_kind: 'note',
    event_type: 'note',
    user: { id: 51, username: 'ada' },
    project: { id: 7, path_with_namespace: 'acme/tools/shop' },
    object_attributes: {
      id: 1244,
      note: 'Why?',
      noteable_type: 'MergeRequest',
      action: 'create',
      discussion_id: 'd'.repeat(40),
      type: 'DiffNote',
      system: false,
      updated_at: '2026-01-01T00:00:00.000Z',
      ...attributes,
    },
    merge_request: { iid: 22, state: 'opened', draft: false, target_branch: 'main', target_project_id: 7 },
    ...more,
  };
}

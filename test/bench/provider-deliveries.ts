import { createHmac, randomUUID } from 'node:crypto';
import { envelope, pull } from '../unit/azure-devops/deliveries.ts';
import { mergeRequest, sign as signGitLab } from '../unit/gitlab/deliveries.ts';
import { githubDelivery } from './github-delivery.ts';

export const BENCH_PROVIDERS = ['github', 'azure-devops', 'gitlab'] as const;
export type BenchProvider = (typeof BENCH_PROVIDERS)[number];

export interface SignedDelivery {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ProviderDeliveries {
  /** Settings of an app that takes them on `webhooks/<provider>`. */
  readonly settings: Readonly<Record<string, string>>;
  /** One delivery for pull request `number`, unlike every other one. */
  make(number: number, distinct: string): SignedDelivery;
}

/** Signed deliveries of one provider under `secret` (at least 32 characters). */
export function providerDeliveries(provider: BenchProvider, secret: string): ProviderDeliveries {
  switch (provider) {
    case 'github':
      return {
        settings: { ...instance(provider), GITHUB_WEBHOOK_SECRETS: secret },
        make: (number, distinct) => {
          const body = githubDelivery({ number, distinct });
          return { body, headers: { 'x-github-event': 'pull_request' } };
        },
      };
    case 'azure-devops':
      return {
        settings: {
          ...instance(provider),
          AZURE_DEVOPS_HOOK_USER: 'gatehouse',
          AZURE_DEVOPS_HOOK_PASSWORDS: secret,
          AZURE_DEVOPS_HOOK_HEADER_SECRETS: secret,
        },
        make: (number, distinct) => {
          const event = envelope('git.pullrequest.created', { ...pull(), pullRequestId: number });
          const body = {
            ...event,
            subscriptionId: randomUUID(),
            createdDate: now(),
            detailedMessage: distinct,
          };
          const basic = Buffer.from(`gatehouse:${secret}`).toString('base64');
          const headers = { authorization: `Basic ${basic}`, 'x-gatehouse-secret': secret };
          return { body: Buffer.from(JSON.stringify(body)), headers };
        },
      };
    case 'gitlab': {
      const key = Buffer.from(secret).subarray(0, 32);
      return {
        settings: { ...instance(provider), GITLAB_SIGNING_TOKENS: `whsec_${key.toString('base64')}` },
        make: (number, distinct) => {
          const event = mergeRequest({ iid: number, title: distinct, updated_at: now() });
          const body = Buffer.from(JSON.stringify(event));
          const signed = signGitLab(body, Math.floor(Date.now() / 1000), key, randomUUID());
          const headers = Object.entries(signed).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value] as const],
          );
          return {
            body,
            headers: { ...Object.fromEntries(headers), 'x-gitlab-event': 'Merge Request Hook' },
          };
        },
      };
    }
  }
}

/** What the bare handler checks, over the same bytes. */
export function bareSignature(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function instance(provider: BenchProvider): Record<string, string> {
  const url = 'https://provider.example';
  const entry = { id: provider, provider, webUrl: url, apiUrl: url, repositories: ['**'] };
  return { GATEHOUSE_INSTANCES: JSON.stringify([entry]) };
}

function now(): string {
  return new Date().toISOString();
}

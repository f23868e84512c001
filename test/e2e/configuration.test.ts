import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { spawnLocalHost } from '../../infra/local/host/spawn-host.ts';
import { githubDelivery } from '../bench/github-delivery.ts';
import { appSettings, APP_ROOT } from './support/app-settings.ts';

async function answersWith(changes: Readonly<Record<string, string | undefined>>) {
  const host = await spawnLocalHost({
    appRoot: APP_ROOT,
    entry: 'functions/{setup,webhook,health}.ts',
    env: appSettings(changes),
  });
  try {
    const health = await fetch(`${host.url}/health`);
    const body = githubDelivery({ number: 1, distinct: 'configuration' });
    const webhook = await fetch(`${host.url}/webhooks/github`, {
      method: 'POST',
      headers: {
        'x-github-event': 'ping',
        'x-hub-signature-256': `sha256=${createHmac('sha256', 'a webhook secret').update(body).digest('hex')}`,
      },
      body: new Uint8Array(body),
    });
    return { health: health.status, text: await health.text(), webhook: webhook.status };
  } finally {
    await host.stop();
  }
}

describe('a missing setting closes what it governs, is named, and leaves the rest working', () => {
  it('is ready when nothing is missing', async () => {
    const { health, text, webhook } = await answersWith({});
    expect({ health, webhook }).toEqual({ health: 200, webhook: 200 });
    expect(JSON.parse(text)).toEqual({ status: 'ready', version: '0.1.0', gitSha: 'dev', missing: [] });
  });

  it.each([
    ['GATEHOUSE_INSTANCES', 'webhooks', 404],
    ['GITHUB_WEBHOOK_SECRETS', 'webhooks/github', 404],
    ['GITHUB_TOKEN', 'review/github', 200],
    ['ANTHROPIC_API_KEY', 'review', 200],
    ['GATEHOUSE_MARKER_KEYS', 'writes', 200],
  ])('names %s and answers the webhook accordingly', async (setting, governs, webhook) => {
    const answers = await answersWith({ [setting]: undefined });
    expect({ health: answers.health, webhook: answers.webhook }).toEqual({ health: 503, webhook });
    const { missing } = JSON.parse(answers.text) as { missing: { setting: string; governs: string }[] };
    const named = setting === 'GITHUB_TOKEN' ? 'GITHUB_APP_ID' : setting;
    expect(missing).toContainEqual({ setting: named, governs });
  });

  it('never shows a value, only names', async () => {
    const { text } = await answersWith({
      GATEHOUSE_MARKER_KEYS: 'tooshort-value',
      GATEHOUSE_STOPP: 'zzz-value',
    });
    expect(text).not.toContain('tooshort-value');
    expect(text).not.toContain('zzz-value');
    expect(text).toContain('GATEHOUSE_STOPP');
  });
});

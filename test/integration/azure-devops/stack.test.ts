import { describe, expect, it } from 'vitest';
import { startAzureDevOpsStack } from '../../../infra/local/stack/azure-devops-stack.ts';
import { systemClock } from '../../../infra/local/host/system-clock.ts';
import type { AzureDevOpsInstance } from '../../../shared/config/config.ts';
import { loadConfig } from '../../../shared/config/load-config.ts';
import { handleWebhook } from '../../../shared/ingress/handle-webhook.ts';
import type { NewJob } from '../../../shared/domain/job.ts';
import { createAzureDevOpsProvider } from '../../../shared/providers/azure-devops/index.ts';
import { createAzureDevOpsWebhookSource } from '../../../shared/providers/azure-devops/webhook-source.ts';
import { createRepository } from '../../support/git.ts';
import { startLoopback } from '../providers/loopback.ts';
import { managedIdentity } from '../../../shared/state/storage-credential.ts';
import { azureInstance } from '../../unit/azure-devops/deliveries.ts';
import { createRecordedLog } from '../../unit/providers/recorded-log.ts';

function instanceOf(settings: Readonly<Record<string, string>>): AzureDevOpsInstance {
  const [instance] = loadConfig(settings).instances;
  if (instance?.provider !== 'azure-devops') throw new Error('the settings have no Azure DevOps instance');
  return instance;
}

const deps = () => ({
  clock: systemClock,
  random: { number: () => 0, hex: (count: number) => '0'.repeat(2 * count) },
  log: createRecordedLog(),
});

function connectWithIdentity() {
  const instance = azureInstance();
  const provider = createAzureDevOpsProvider(instance, { ...deps(), credential: managedIdentity(undefined) });
  return { instance: instance.id, provider };
}

describe('the local Azure DevOps', () => {
  it('signs the app in, and its deliveries become jobs of the app', async () => {
    const git = createRepository();
    git.write('a.ts', 'one\n');
    git.commit('base');
    git.git('checkout', '-q', '-b', 'feature');
    git.write('a.ts', 'two\n');
    const head = git.commit('head');
    const stack = await startAzureDevOpsStack([{ dir: git.directory, fullName: 'acme/sample' }]);
    const log = createRecordedLog();
    const jobs: NewJob[] = [];
    try {
      const instance = instanceOf(stack.settings);
      const provider = createAzureDevOpsProvider(instance, {
        clock: systemClock,
        random: { number: () => 0, hex: (count) => '0'.repeat(2 * count) },
        log,
      });
      expect(await provider.identity.whoAmI()).toMatchObject({ login: 'gatehouse-local', isBot: true });
      const source = createAzureDevOpsWebhookSource(instance);
      await using loopback = await startLoopback((response, request) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        void handleWebhook(
          {
            findInstance: async () => ({ source, repositories: instance.repositories }),
            append: async ({ job }) => {
              jobs.push(job);
              return 'appended';
            },
            ownAccount: () => undefined,
            clock: systemClock,
            log,
            retentionDays: 30,
          },
          {
            instance: request.path.slice('/webhooks/'.length),
            headers,
            body: new Blob([request.body]).stream(),
          },
        ).then((reply) => response.writeHead(reply.status).end());
      });
      stack.connect(loopback.url.origin);
      const { number } = await stack.simulator.createPullRequest({
        base: 'main',
        head: 'feature',
        title: 'Two',
      });
      const taken = await stack.simulator.deliverHook({ event: 'created', number });
      const ignored = await stack.simulator.deliverHook({ event: 'merged', number });
      expect([taken.statusCode, Math.floor(ignored.statusCode / 100)]).toEqual([202, 2]);
      expect(jobs).toMatchObject([{ kind: 'review.full', class: 'push', ids: { headSha: head } }]);
    } finally {
      await stack.simulator.stop();
      git.dispose();
    }
  });

  it('can be signed in to with the managed identity of the app, which is asked for nothing before it is needed', () => {
    const { instance, provider } = connectWithIdentity();
    expect(provider.id).toBe('azure-devops');
    expect(provider.instance).toBe(instance);
  });

  it('cannot be signed in to with nothing', () => {
    expect(() => createAzureDevOpsProvider(azureInstance(), deps())).toThrow('AZURE_DEVOPS_TOKEN');
  });
});
